// Fits a table into a terminal: which columns are shown, how wide, or that the table must be stacked instead.
//
// The steps, each tried only if the one before does not fit:
//   1. everything as it is, names shortened down to a comfortable width;
//   2. headers of several words on several lines, names shorter;
//   3. hideable columns left out, the rightmost first;
//   4. names as short as they may get;
//   5. stacked: every row a block of "header  value" lines, nothing left out or shortened.
// Columns that do not shrink always get the width of their widest cell: a number is never cut.
// Units: terminal columns. Threads: pure, thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "document/table.h"
#include "render/cell_text.h"

namespace warpsight {

inline constexpr int kGutter = 2;  // spaces between two columns

struct TableLayout {
  bool stacked = false;
  bool headers_wrapped = false;
  std::vector<std::size_t> shown;   // indices of columns, in order; all of them when stacked
  std::vector<int> widths;          // one per shown column; empty when stacked
  std::vector<std::size_t> hidden;  // indices of columns left out, in order
};

TableLayout LayOutTable(const Table& table, const CellTexts& texts, int width);

}  // namespace warpsight
