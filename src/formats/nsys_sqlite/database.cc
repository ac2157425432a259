#include "formats/nsys_sqlite/database.h"

#include <algorithm>
#include <cstring>

namespace warpsight::nsys_sqlite {
namespace {

constexpr int kLongestValue = 64 << 20;
constexpr size_t kMostTables = 10'000;
constexpr int64_t kRowsTaken = 1000;
constexpr int64_t kTextTaken = 64 << 10;
// SQLite's own memory, of all connections: some MiB of pages each, the schema, a value a row.
constexpr sqlite3_int64 kMostSqliteMemory = sqlite3_int64{512} << 20;

// Reading is all that is ever asked for; a view's or trigger's code would come with its name as the last argument.
int AllowReadsOnly(void* /*unused*/, int action, const char* first, const char* /*second*/, const char* /*database*/,
                   const char* inner) {
  if (inner != nullptr) return SQLITE_DENY;
  if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
  if (action == SQLITE_PRAGMA && std::strcmp(first, "table_info") == 0) return SQLITE_OK;
  // min() and max() of Rowids.
  return action == SQLITE_FUNCTION ? SQLITE_OK : SQLITE_DENY;
}

// "name" as SQL.
std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

// A prepared statement that cleans up after itself.
class Statement {
 public:
  Statement(sqlite3* handle, const std::string& sql) {
    problem_ = sqlite3_prepare_v2(handle, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  bool ok() const { return problem_ == SQLITE_OK && statement_ != nullptr; }
  bool Next() {
    problem_ = sqlite3_step(statement_);
    return problem_ == SQLITE_ROW;
  }
  bool ended_well() const { return problem_ == SQLITE_DONE; }
  std::string Text(int column) const {
    const auto* text = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return text == nullptr ? "" : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
  }
  sqlite3_stmt* get() const { return statement_; }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int problem_ = SQLITE_OK;
};

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

}  // namespace

bool ColumnsOfTable::HasColumn(std::string_view column) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const std::string& known) { return EqualIgnoringCase(known, column); });
}

Result<std::unique_ptr<Database>> Database::Open(const SourceVfs& vfs) {
  sqlite3_hard_heap_limit64(kMostSqliteMemory);
  sqlite3* handle = nullptr;
  const int problem = sqlite3_open_v2("recording", &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, vfs.name());
  std::unique_ptr<Database> database(new Database(handle, vfs.source().size() / FileRoom::kSmallestRow + 1, vfs.room()));
  if (problem != SQLITE_OK) return UnreadableError(sqlite3_errstr(problem));
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_exec(handle, "PRAGMA cell_size_check=1; PRAGMA temp_store=2", nullptr, nullptr, nullptr);
  sqlite3_set_authorizer(handle, AllowReadsOnly, nullptr);
  return database;
}

Database::~Database() { sqlite3_close(handle_); }

Result<std::vector<ColumnsOfTable>> Database::Tables() {
  std::vector<ColumnsOfTable> tables;
  {
    Statement list(handle_, "SELECT name, type, rootpage FROM sqlite_master");
    if (!list.ok()) return UnreadableError(sqlite3_errmsg(handle_));
    while (list.Next()) {
      const bool table = list.Text(1) == "table";
      const std::string name = list.Text(0);
      // Virtual tables have no page of their own.
      const bool real = table && sqlite3_column_int64(list.get(), 2) > 0;
      if (!real) left_out_ += table || list.Text(1) == "view" ? 1 : 0;
      if (!real || name.rfind("sqlite_", 0) == 0) continue;
      tables.push_back({name, {}, true});
      if (tables.size() > kMostTables) return UnreadableError("it has more than 10,000 tables");
    }
    if (!list.ended_well()) return UnreadableError(sqlite3_errmsg(handle_));
  }
  for (ColumnsOfTable& table : tables) {
    // Leaves generated and hidden columns out: reading one would run its expression.
    Statement columns(handle_, "PRAGMA table_info(" + Quoted(table.name) + ")");
    if (!columns.ok()) continue;
    while (columns.Next()) table.columns.push_back(columns.Text(1));
    // A column of that name would stand for it.
    table.has_rowid = !table.HasColumn("rowid") && Statement(handle_, "SELECT rowid FROM " + Quoted(table.name)).ok();
  }
  std::sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return tables;
}

std::optional<RowidRange> Database::Rowids(const ColumnsOfTable& table) {
  if (!table.has_rowid) return std::nullopt;
  const auto one = [&](const char* function) -> std::optional<int64_t> {
    Statement query(handle_, std::string("SELECT ") + function + "(rowid) FROM " + Quoted(table.name));
    if (!query.ok() || !query.Next() || sqlite3_column_type(query.get(), 0) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_int64(query.get(), 0);
  };
  const std::optional<int64_t> first = one("min");
  const std::optional<int64_t> last = one("max");
  if (!first || !last || *first > *last) return std::nullopt;
  return RowidRange{*first, *last};
}

TableCursor::TableCursor(Database& database, const ColumnsOfTable& table, std::span<const std::string_view> columns,
                         RowidRange range)
    : database_(database), table_(table), place_(columns.size(), -1), range_(range) {
  std::string sql = table.has_rowid ? "SELECT rowid" : "SELECT 0";
  int places = 1;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!table.HasColumn(columns[i])) continue;
    place_[i] = places++;
    sql += ", " + Quoted(columns[i]);
  }
  sql += " FROM " + Quoted(table.name);
  // The end of the range is watched in Next(): SQLite would stop at a damaged row number without a word.
  if (table.has_rowid) sql += " WHERE rowid >= ?1";
  const int problem = sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
  if (problem != SQLITE_OK) {
    Stop(sqlite3_errmsg(database.handle()));
    return;
  }
  if (!table.has_rowid) return;
  sqlite3_bind_int64(statement_, 1, range.first);
}

TableCursor::~TableCursor() {
  database_.room().Take(rows_not_taken_, text_not_taken_);
  sqlite3_finalize(statement_);
}

void TableCursor::Stop(std::string damage) {
  // A b-tree whose row numbers are not sorted is searched in vain: the parts of the table may skip rows, or repeat them.
  if (damage.empty() && out_of_order_) damage = kRowsOutOfOrder;
  damage_ = std::move(damage);
  sqlite3_finalize(statement_);
  statement_ = nullptr;
}

bool TableCursor::Next() {
  if (statement_ == nullptr) return false;
  const int answer = sqlite3_step(statement_);
  if (answer != SQLITE_ROW) {
    Stop(answer == SQLITE_DONE ? "" : sqlite3_errmsg(database_.handle()));
    return false;
  }
  const int64_t rowid = table_.has_rowid ? sqlite3_column_int64(statement_, 0) : rowid_ + 1;
  if (rows_ > 0 && rowid <= rowid_) out_of_order_ = true;
  if (rowid > range_.last) {
    row_behind_ = rowid;
    // The row behind that one tells whether the end is where it should be.
    if (sqlite3_step(statement_) == SQLITE_ROW && sqlite3_column_int64(statement_, 0) <= rowid) out_of_order_ = true;
    Stop("");
    return false;
  }
  if (rows_ == 0) first_row_ = rowid;
  rowid_ = rowid;
  if (++rows_ <= database_.most_rows() && TakeRoom()) return true;
  Stop("it has more rows or text than the file has room for");
  return false;
}

bool TableCursor::TakeRoom() {
  ++rows_not_taken_;
  if (rows_not_taken_ < kRowsTaken && text_not_taken_ < kTextTaken) return true;
  const bool has_room = database_.room().Take(rows_not_taken_, text_not_taken_);
  rows_not_taken_ = 0;
  text_not_taken_ = 0;
  return has_room;
}

bool TableCursor::IsNull(size_t column) const {
  return place_[column] < 0 || sqlite3_column_type(statement_, place_[column]) == SQLITE_NULL;
}

std::optional<int64_t> TableCursor::Integer(size_t column) const {
  if (place_[column] < 0 || sqlite3_column_type(statement_, place_[column]) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_, place_[column]);
}

std::optional<double> TableCursor::Real(size_t column) const {
  if (place_[column] < 0 || sqlite3_column_type(statement_, place_[column]) != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(statement_, place_[column]);
}

bool TableCursor::IsBlob(size_t column) const {
  return place_[column] >= 0 && sqlite3_column_type(statement_, place_[column]) == SQLITE_BLOB;
}

std::string_view TableCursor::Text(size_t column) const {
  if (place_[column] < 0) return {};
  const int type = sqlite3_column_type(statement_, place_[column]);
  if (type != SQLITE_TEXT && type != SQLITE_BLOB) return {};
  // As bytes: text that claims to be UTF-8 and is not stays as it is.
  const auto* text = static_cast<const char*>(sqlite3_column_blob(statement_, place_[column]));
  if (text == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_, place_[column]);
  text_not_taken_ += size;
  return {text, static_cast<size_t>(size)};
}

}  // namespace warpsight::nsys_sqlite
