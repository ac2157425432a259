// ReadTables: all event tables of the file, in parts, by any number of workers.
//
// Large tables are cut at row numbers, so that workers share them and one damaged page costs a part only. The result does
// not depend on the number of workers: parts keep the order of table name and row. Errors: damage is a note in the part's
// ledger. kUnreadable when a worker can't open the file. Threads: starts its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "formats/importer.h"
#include "formats/nsys_sqlite/row_sink.h"
#include "formats/nsys_sqlite/source_vfs.h"

namespace warpsight::nsys_sqlite {

// What one part of a table gave.
struct TablePart {
  std::unique_ptr<RowSink> sink;
  RowNames* names = nullptr;
  std::optional<int64_t> first_row;   // rowid; empty when the part has no rows
  std::optional<int64_t> row_behind;  // where the reading met the next part; empty at the end of the table
  bool damaged = false;
};

struct TableParts {
  std::vector<std::unique_ptr<RowNames>> names;  // one a worker
  std::vector<TablePart> parts;
};

Result<TableParts> ReadTables(const SourceVfs& vfs, Database& database, const TableList& tables, const FileFacts& facts,
                              const ImportOptions& options);

}  // namespace warpsight::nsys_sqlite
