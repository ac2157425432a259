// FunctionNames: the function that an address of the process lies in, with the library it is of.
//
// Place in the flow: StackRing -> this (on the writer) -> wire::FrameRecord. Names are those of the linker; a function
// without one is "libfoo.so+0x1234" by where it begins, which the unwind table tells, so that its samples are one
// function's; code of no library (made at run time) is "[unknown]". A library's symbols are read when it is first met,
// within a bound for all of them; they are let go of when the program unloads libraries. Errors: none. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "capture/loaded_libraries.h"
#include "capture/sampling/elf_symbols.h"
#include "wire/records.h"

namespace warpsight::capture::sampling {

using FunctionNumber = uint32_t;

struct FunctionName {
  std::string function;
  std::string module;
  wire::FrameKind kind = wire::FrameKind::kNative;
  bool is_interpreter = false;  // the loop in which Python runs its functions
};

class FunctionNames {
 public:
  // The function at an address. Equal names have one number.
  FunctionNumber At(uintptr_t address);
  FunctionNumber Intern(FunctionName name);
  const FunctionName& name(FunctionNumber number) const { return names_[number]; }

  // Looks whether libraries were loaded or unloaded since the last call; true when some were unloaded.
  bool FollowLibraries();

 private:
  const LoadedCode* PartAt(uintptr_t address) const;
  const ElfSymbols& SymbolsOf(const std::string& path);

  std::vector<LoadedCode> parts_;  // by address
  LoadCounts loads_;
  std::map<std::string, ElfSymbols> symbols_;  // by path
  size_t symbols_read_ = 0;
  std::unordered_map<uintptr_t, FunctionNumber> known_;
  std::vector<FunctionName> names_;
  std::unordered_map<std::string, FunctionNumber, TextHash, std::equal_to<>> numbers_;
};

}  // namespace warpsight::capture::sampling
