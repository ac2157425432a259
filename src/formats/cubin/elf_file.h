// ElfFile: the sections and function symbols of a 64-bit ELF file, as CUDA programs (cubins) are.
//
// Every offset of the file is checked; sections that reach beyond its end are there without bytes. Errors: kUnreadable with
// what is wrong, without the name of the report it lies in. Threads: immutable. Views point into the bytes given.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace warpsight {

struct ElfSection {
  uint32_t name_offset = 0;  // in the section of names
  uint32_t type = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t address = 0;
  std::string_view bytes;  // none of sections that occupy no space in the file
};

struct ElfSymbol {
  uint32_t name_offset = 0;
  uint8_t type = 0;
  uint32_t section = 0;
  uint64_t offset = 0;  // in its section
  uint64_t size = 0;
};

class ElfFile {
 public:
  static constexpr uint8_t kFunctionSymbol = 2;

  static Result<ElfFile> Parse(std::string_view bytes);

  const std::vector<ElfSection>& sections() const { return sections_; }
  const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  // The first of that name; nullptr when there is none. Names are compared in place and never measured, so that tables
  // made to be slow are not.
  const ElfSection* FindSection(std::string_view name) const;
  const ElfSymbol* FindFunction(std::string_view name) const;

 private:
  Status ReadSections(std::string_view bytes);
  void ReadSymbols();

  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::string_view section_names_;
  std::string_view symbol_names_;
};

}  // namespace warpsight
