// Which section an address in .debug_line belongs to: cubins keep their line tables relocatable, one sequence of rows a
// function, all from address 0.
//
// Errors: none; addresses without an entry are looked up by value. Threads: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "formats/cubin/elf_file.h"

namespace warpsight {

struct CodeAddress {
  uint32_t section = 0;
  uint64_t offset = 0;
};

class LineRelocations {
 public:
  LineRelocations(const ElfFile& elf, uint32_t line_section);

  // The address that is written as `value` at this byte of the line section; nothing when it is in no section.
  std::optional<CodeAddress> Resolve(uint64_t place, uint64_t value) const;

 private:
  struct Entry {
    uint32_t symbol = 0;
    int64_t addend = 0;
    bool has_addend = false;  // else what is written at the place counts
  };

  const ElfFile& elf_;
  std::unordered_map<uint64_t, Entry> entries_;
};

}  // namespace warpsight
