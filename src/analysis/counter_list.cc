#include "analysis/counter_list.h"

#include <algorithm>
#include <string>

#include "base/gpu_counter_names.h"
#include "document/absent.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

struct CounterExtent {
  Cell least;
  Cell mean;
  Cell largest;
};

// The sum of integers is a double: at 64 bits it would run over.
CounterExtent ExtentOf(const Trace& trace, const CounterSeries& series) {
  if (trace.Text(series.unit) == kBitsUnit) return {};
  const CounterSamples& samples = trace.counter_samples();
  double sum = 0;
  for (uint32_t row = series.first; row < series.end; ++row) sum += samples.Double(series, row);
  CounterExtent extent;
  extent.mean = sum / series.size();
  const auto first = samples.value.begin() + series.first;
  const auto end = samples.value.begin() + series.end;
  if (series.kind == CounterKind::kInteger) {
    const auto [least, largest] = std::minmax_element(first, end);
    extent.least = *least;
    extent.largest = *largest;
  } else {
    const auto below = [](int64_t a, int64_t b) { return std::bit_cast<double>(a) < std::bit_cast<double>(b); };
    const auto [least, largest] = std::minmax_element(first, end, below);
    extent.least = std::bit_cast<double>(*least);
    extent.largest = std::bit_cast<double>(*largest);
  }
  return extent;
}

ordered_json CellJson(const Cell& cell) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return *integer;
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return nullptr;
}

}  // namespace

ordered_json CountersJson(const Trace& trace) {
  ordered_json counters = ordered_json::array();
  for (const CounterSeries& series : trace.counters()) {
    const CounterExtent extent = ExtentOf(trace, series);
    counters.push_back({{"name", trace.Text(series.name)},
                        {"unit", TextOrNull(trace.Text(series.unit))},
                        {"device", series.device < 0 ? ordered_json() : ordered_json(series.device)},
                        {"process", TextOrNull(trace.Text(series.process))},
                        {"samples", series.size()},
                        {"min", CellJson(extent.least)},
                        {"mean", CellJson(extent.mean)},
                        {"max", CellJson(extent.largest)}});
  }
  return counters;
}

std::optional<Table> MakeCounterTable(const Trace& trace) {
  if (trace.counters().empty()) return std::nullopt;
  Table table;
  table.title = "Counters";
  table.columns = {NameColumn("name", "Name"),        TextColumn("unit", "Unit"),
                   CountColumn("device", "Device"),   Hideable(NameColumn("process", "Process")),
                   CountColumn("samples", "Samples"), NumberColumn("min", "Min"),
                   NumberColumn("mean", "Mean"),      NumberColumn("max", "Max")};
  for (const CounterSeries& series : trace.counters()) {
    const CounterExtent extent = ExtentOf(trace, series);
    table.rows.push_back({std::string(trace.Text(series.name)), TextOrAbsent(trace.Text(series.unit)),
                          series.device < 0 ? Cell() : Cell(int64_t{series.device}),
                          TextOrAbsent(trace.Text(series.process)), int64_t{series.size()}, extent.least, extent.mean,
                          extent.largest});
  }
  return table;
}

}  // namespace warpsight
