#include "analysis/counters/memory_chart.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/counters/triage_values.h"
#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kMemoryChartFile = "data/memory_chart.toml";

MemoryChartData ParseMemoryChart(std::string_view text) {
  const toml::table file = toml::parse(text, kMemoryChartFile);
  MemoryChartData data;
  const toml::table* values = file["values"].as_table();
  CHECK(values != nullptr);
  for (const auto& [id, node] : *values)
    data.values.values.push_back({std::string(id.str()), {{{}, Formula(node.value_or(std::string()))}}});
  ForEachDataRow(file, "unit", [&data](const toml::table& row) {
    MemoryUnitData unit;
    unit.id = row["id"].value_or(std::string());
    unit.name = row["name"].value_or(std::string());
    unit.row = static_cast<size_t>(row["row"].value_or(int64_t{0}));
    unit.from = row["from"].value_or(std::string());
    unit.share = row["share"].value_or(std::string());
    unit.lines = DataTexts(row, "lines");
    unit.down = DataTexts(row, "down");
    unit.up = DataTexts(row, "up");
    unit.when = DataTexts(row, "when");
    CHECK(!unit.id.empty() && !unit.name.empty() && (unit.row == 0) == unit.from.empty());
    data.units.push_back(std::move(unit));
  });
  return data;
}

std::vector<std::string> FilledTexts(const std::vector<std::string>& texts, const TriageValues& values) {
  std::vector<std::string> filled;
  for (const std::string& text : texts) {
    if (std::optional<std::string> one = values.Fill(text)) filled.push_back(std::move(*one));
  }
  return filled;
}

bool IsShown(const MemoryUnitData& unit, const TriageValues& values) {
  return std::ranges::all_of(unit.when, [&](const std::string& name) { return values.Number(name).value_or(0) > 0; });
}

}  // namespace

const MemoryChartData& MemoryChart() {
  static const MemoryChartData& data = *new MemoryChartData(ParseMemoryChart(EmbeddedFile(kMemoryChartFile)));
  return data;
}

std::optional<FlowChart> MakeMemoryChart(const CounterReport& report, const ProfiledKernel& kernel) {
  const MemoryChartData& data = MemoryChart();
  const TriageValues values(data.values, report, kernel, {});
  FlowChart chart;
  chart.title = "Memory: what flowed between the units";
  std::map<std::string_view, size_t> places;  // in their rows
  bool has_flow = false;
  for (const MemoryUnitData& unit : data.units) {
    if (!IsShown(unit, values)) continue;
    FlowUnit made;
    made.name = unit.name;
    made.lines = FilledTexts(unit.lines, values);
    if (!unit.share.empty()) made.busy_share = values.Number(unit.share);
    if (unit.row > 0) made.from = places.at(unit.from);
    made.down = FilledTexts(unit.down, values);
    made.up = FilledTexts(unit.up, values);
    has_flow = has_flow || !made.down.empty() || !made.up.empty();
    if (chart.rows.size() <= unit.row) chart.rows.resize(unit.row + 1);
    places[unit.id] = chart.rows[unit.row].size();
    chart.rows[unit.row].push_back(std::move(made));
  }
  if (!has_flow) return std::nullopt;
  chart.caption = "Stores go down, loads come up. The bar of a unit is how busy it was.";
  return chart;
}

}  // namespace warpsight
