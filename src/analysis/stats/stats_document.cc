#include "analysis/stats/stats_document.h"

#include <string>
#include <utility>

#include "base/rounded_ns.h"
#include "document/units.h"

namespace warpsight {
namespace {

nlohmann::ordered_json CellData(const Column& column, const Cell& cell) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return *integer;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* real = std::get_if<double>(&cell)) {
    if (column.key.ends_with("_ns")) return RoundedNs(*real);
    return *real;
  }
  return nullptr;
}

nlohmann::ordered_json RowsData(const Table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : table.rows) {
    nlohmann::ordered_json data = nlohmann::ordered_json::object();
    for (size_t i = 0; i < row.size(); ++i) data[table.columns[i].key] = CellData(table.columns[i], row[i]);
    rows.push_back(std::move(data));
  }
  return rows;
}

}  // namespace

Document MakeStatsDocument(std::vector<MadeStatsReport> reports, int64_t limit) {
  Document document;
  document.verb = "stats";
  document.data["reports"] = nlohmann::ordered_json::array();
  for (MadeStatsReport& made : reports) {
    const int64_t left_out = limit > 0 ? static_cast<int64_t>(made.table.rows.size()) - limit : 0;
    if (left_out > 0) {
      made.table.rows.resize(static_cast<size_t>(limit));
      made.table.footnote = FormatCount(left_out) + (left_out == 1 ? " more row" : " more rows") + ": --limit 0 shows all.";
    }
    made.table.csv_as_read = true;
    document.data["reports"].push_back(
        {{"report", made.report->name}, {"title", made.report->title}, {"rows", RowsData(made.table)}});
    made.table.title = std::string(made.report->title) + " (" + std::string(made.report->name) + ")";
    document.blocks.push_back(std::move(made.table));
  }
  return document;
}

}  // namespace warpsight
