// The line table of one GPU function: .debug_line of a cubin, DWARF 2 to 5, with NVIDIA's rows of inlined code.
//
// Place in the flow: ElfFile -> rows, sorted by offset -> FunctionCode. docs/formats/cubin.md has the layout. Time and
// memory are bounded by the size of the section; a program that is cut or makes no sense gives the rows up to there and a
// problem. Errors: LineTable::problem. Threads: pure functions. Views point into the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counters/function_code.h"
#include "formats/cubin/elf_file.h"
#include "formats/cubin/line_header.h"

namespace warpsight {

struct LineRow {
  uint64_t offset = 0;  // bytes from the start of the function's section
  CodePlace place;      // its caller is a row of the same table; line 0 = the instructions from here on have no line
};

struct LineTable {
  std::vector<LineFile> files;
  std::vector<LineRow> rows;  // in file order
  std::string problem;        // empty when the whole section was read
};

// The rows of the code in the section with this number. Without a section .debug_line there are none.
LineTable ReadLineTable(const ElfFile& elf, uint32_t text_section);

}  // namespace warpsight
