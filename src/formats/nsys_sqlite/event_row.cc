#include "formats/nsys_sqlite/event_row.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/nsys_sqlite/database.h"
#include "formats/nsys_sqlite/file_facts.h"
#include "formats/nsys_sqlite/row_sink.h"

namespace warpsight::nsys_sqlite {
namespace {

using Json = nlohmann::ordered_json;

// "demangledName", "nameId", "textId": numbers into the table of strings.
bool IsNameColumn(std::string_view column) {
  return column.ends_with("Name") || column == "nameId" || column == "textId" || column == "jsonTextId";
}

Json ValueOf(const TableCursor& row, size_t column) {
  if (const std::optional<int64_t> integer = row.Integer(column)) return *integer;
  // What JSON has no number for as a text.
  if (const std::optional<double> real = row.Real(column))
    return std::isfinite(*real) ? Json(*real) : Json(fmt::format("{}", *real));
  if (row.IsBlob(column)) return fmt::format("blob of {} bytes", row.Text(column).size());
  return row.Text(column);
}

// Text `id` of StringIds. Its ids are its row numbers where nsys made it; else all are looked through.
std::optional<std::string> TextOfId(Database& database, const ColumnsOfTable& strings, int64_t id) {
  static constexpr std::string_view kColumns[] = {"id", "value"};
  for (const RowidRange range : {RowidRange{id, id}, RowidRange{}}) {
    TableCursor row(database, strings, kColumns, range);
    while (row.Next()) {
      if (row.Integer(0) == id) return std::string(row.Text(1));
    }
    if (strings.has_rowid && row.first_row() == id) break;
  }
  return std::nullopt;
}

// The text of a number of StringIds takes the number's place.
void PutTexts(Database& database, const TableList& tables, Json& args) {
  const ColumnsOfTable* const strings = FindTable(tables, "StringIds");
  if (strings == nullptr) return;
  for (auto& [column, value] : args.items()) {
    if (!IsNameColumn(column) || !value.is_number_integer()) continue;
    if (std::optional<std::string> text = TextOfId(database, *strings, value.get<int64_t>())) value = std::move(*text);
  }
}

}  // namespace

Result<std::string> ReadEventRow(const SourceVfs& vfs, const std::string& name, uint64_t source) {
  Result<std::unique_ptr<Database>> database = Database::Open(vfs);
  if (!database.ok()) return UnreadableError(name + ": " + database.status().message());
  const Result<TableList> tables = (*database)->Tables();
  if (!tables.ok()) return UnreadableError(name + ": " + tables.status().message());
  const TableRow place = TableRowOfSource(source);
  if (place.table < tables->size()) {
    const ColumnsOfTable& table = (*tables)[place.table];
    const std::vector<std::string_view> columns(table.columns.begin(), table.columns.end());
    TableCursor row(**database, table, columns, {table.has_rowid ? place.row : INT64_MIN, place.row});
    while (row.Next()) {
      if (row.rowid() != place.row) continue;
      Json event = {{"table", table.name}, {"row", place.row}, {"args", Json::object()}};
      for (size_t i = 0; i < columns.size(); ++i) {
        if (!row.IsNull(i)) event["args"][table.columns[i]] = ValueOf(row, i);
      }
      PutTexts(**database, *tables, event["args"]);
      return event.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
  return UsageError(name + ": no event has the source " + std::to_string(source) +
                    ": take the \"after_source\" of a gap in `idle --json`, or the source that serve shows of an event");
}

}  // namespace warpsight::nsys_sqlite
