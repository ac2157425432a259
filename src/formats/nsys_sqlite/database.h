// Database: one hardened, read-only SQLite connection to a foreign file, and the cursor that reads a table of it.
//
// Place in the flow: SourceVfs -> Database -> TableCursor -> table readers. One a worker thread.
// What a hostile file could try is off: views, triggers and functions in the schema are never run (an authorizer allows
// reading columns of tables and nothing else), text and blobs are bounded, and a cursor stops when a table, or all tables
// together, give more rows or text than the file has bytes for (pages linked in circles, or used by many tables).
// Errors: Open fails with SQLite's words; a cursor ends early and says why in damage(). Threads: one.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/nsys_sqlite/source_vfs.h"

namespace warpsight::nsys_sqlite {

struct ColumnsOfTable {
  std::string name;
  std::vector<std::string> columns;  // as spelled in the file
  bool has_rowid = true;

  bool HasColumn(std::string_view column) const;
};

// What is wrong with a b-tree in which a search may go astray.
inline constexpr std::string_view kRowsOutOfOrder = "its row numbers are not in order";

// Rows with first <= rowid <= last.
struct RowidRange {
  int64_t first = INT64_MIN;
  int64_t last = INT64_MAX;
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> Open(const SourceVfs& vfs);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Real tables with their columns, by name; views, virtual and internal tables are left out. kUnreadable when the schema
  // can't be read.
  Result<std::vector<ColumnsOfTable>> Tables();
  // Names of the views and virtual tables that Tables() leaves out.
  int64_t left_out_tables() const { return left_out_; }

  // Smallest and largest rowid; empty when the table has no rows, no rowids, or can't be read.
  std::optional<RowidRange> Rowids(const ColumnsOfTable& table);

  sqlite3* handle() const { return handle_; }
  // More rows than this no table of the file can have.
  int64_t most_rows() const { return most_rows_; }
  const FileRoom& room() const { return room_; }

 private:
  Database(sqlite3* handle, int64_t most_rows, const FileRoom& room) : handle_(handle), most_rows_(most_rows), room_(room) {}
  sqlite3* handle_;
  int64_t most_rows_;
  const FileRoom& room_;
  int64_t left_out_ = 0;
};

// Goes once over the rows of a table, in rowid order. Columns are asked for by their place in the list given; a column that
// the table lacks is absent in every row.
class TableCursor {
 public:
  TableCursor(Database& database, const ColumnsOfTable& table, std::span<const std::string_view> columns,
              RowidRange range = {});
  ~TableCursor();
  TableCursor(const TableCursor&) = delete;
  TableCursor& operator=(const TableCursor&) = delete;

  // False at the end, and where the table is damaged.
  bool Next();
  // Why the rows ended early or can't be all, SQLite's words or ours; empty when they are all.
  const std::string& damage() const { return damage_; }
  // The first row of the range; empty when it has none.
  std::optional<int64_t> first_row() const { return first_row_; }
  // The row behind the range that ended the cursor; empty at the end of the table.
  std::optional<int64_t> row_behind() const { return row_behind_; }

  const ColumnsOfTable& table() const { return table_; }
  int64_t rowid() const { return rowid_; }
  int64_t rows() const { return rows_; }
  // Whether the table has the column.
  bool Has(size_t column) const { return place_[column] >= 0; }
  // Whether this row has a value there.
  bool IsNull(size_t column) const;
  // Empty when absent, NULL, or no integer.
  std::optional<int64_t> Integer(size_t column) const;
  int64_t IntegerOr(size_t column, int64_t otherwise) const { return Integer(column).value_or(otherwise); }
  // Empty when absent, NULL, or no floating-point number.
  std::optional<double> Real(size_t column) const;
  bool IsBlob(size_t column) const;
  // Text or blob as bytes, valid until the next row; empty when absent, NULL, or a number.
  std::string_view Text(size_t column) const;

 private:
  void Stop(std::string damage);
  // Counts this row and the text given since the last; false when the file can't have it.
  bool TakeRoom();

  Database& database_;
  const ColumnsOfTable& table_;
  std::vector<int> place_;
  RowidRange range_;
  sqlite3_stmt* statement_ = nullptr;
  int64_t rowid_ = 0;
  int64_t rows_ = 0;
  bool out_of_order_ = false;
  // Taken from the file's room in pieces: it is shared by all workers.
  int64_t rows_not_taken_ = 0;
  mutable int64_t text_not_taken_ = 0;
  std::optional<int64_t> first_row_;
  std::optional<int64_t> row_behind_;
  std::string damage_;
};

}  // namespace warpsight::nsys_sqlite
