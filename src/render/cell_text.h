// The cells of a table as printable text, by the kind of their column.
//
// Place in the flow: Table -> CellTexts -> layout (render/table_layout.h) -> lines (render/table_text.h).
// Numbers come out whole and final: nothing after this step may shorten them.
// Errors: CHECKs that every row has one cell per column. Threads: pure, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "document/table.h"

namespace warpsight {

struct CellTexts {
  std::vector<std::string> headers;            // one per column
  std::vector<std::vector<std::string>> rows;  // rows of one text per column
};

// Units of one column are padded to the same width ("1.234 s " above "47.10 ms"), so that they stand below each other
// in a column that is aligned to the right.
CellTexts FormatCells(const Table& table, bool ascii);

// One cell alone: "-" when absent.
std::string FormatCell(const Cell& cell, const Column& column, bool ascii);

}  // namespace warpsight
