// The header of one unit of a DWARF line table: how its program is encoded, and its files.
//
// Errors: `problem`. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// A file as it is named in the section; the whole path is made when someone needs it, since few files of a unit are.
struct LineFile {
  std::string_view folder;
  std::string_view name;
  uint64_t size_bytes = 0;  // 0 = not said

  std::string Path() const;
};

struct LineHeader {
  uint16_t version = 0;
  uint8_t address_step = 1;  // "minimum instruction length"
  int8_t line_base = 0;
  uint8_t line_range = 0;
  uint8_t opcode_base = 0;
  std::vector<uint8_t> opcode_operands;  // of the standard opcodes, from opcode 1
  std::vector<LineFile> files;
  uint64_t first_file = 1;  // number of the first one
  size_t program_begin = 0;
  size_t program_end = 0;  // where the next unit starts
  std::string problem;     // empty when the program can be run
};

// Texts that units of DWARF 5 refer to.
struct LineTexts {
  std::string_view line_names;  // .debug_line_str
  std::string_view names;       // .debug_str
};

// Reads the unit at `at` of the section.
LineHeader ReadLineHeader(std::string_view section, size_t at, const LineTexts& texts);

}  // namespace warpsight
