// ElfSymbols: the functions of a library or program, read from its file: .symtab where there is one, and .dynsym.
//
// Place in the flow: function_names (on the writer) -> this. The file may be anything: all of it is bounds-checked, and no
// more is read than kMostSymbols symbols and kMostTextBytes of names. Errors: no functions. Threads: immutable once read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/elf_file.h"

namespace warpsight::capture::sampling {

class ElfSymbols {
 public:
  static constexpr size_t kMostSymbols = size_t{4} << 20;
  static constexpr size_t kMostTextBytes = size_t{512} << 20;

  static ElfSymbols Read(const std::string& path);

  // The name of the function at an address, which counts from where the file says that it is to be loaded; empty when no
  // function lies there. Of several names of one place the first in the file.
  std::string_view NameAt(uint64_t address) const;
  size_t size() const { return functions_.size(); }

 private:
  struct Function {
    uint64_t begin;
    uint32_t bytes;  // 0 = not told: to the next one
    uint32_t name;   // in texts_
  };
  void Add(const ElfFile& file, uint64_t symbols_offset, uint64_t symbols_bytes, uint64_t texts_offset,
           uint64_t texts_bytes);

  std::vector<Function> functions_;  // by address
  std::string texts_;
};

}  // namespace warpsight::capture::sampling
