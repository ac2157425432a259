// The tables of a Trace as CSV: one function a table, in one list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "export/csv/csv_writer.h"
#include "export/row_window.h"
#include "trace/trace.h"

namespace warpsight::csv {

struct CsvTable {
  std::string_view name;
  std::string_view header;
  // Writes the rows in the window; returns how many.
  int64_t (*write)(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out);
};

std::span<const CsvTable> CsvTables();

}  // namespace warpsight::csv
