#include "analysis/stats/stats_groups.h"

#include <algorithm>
#include <tuple>

namespace warpsight {

size_t StatsGroups::GroupOf(std::vector<Cell> labels) {
  std::string key;
  for (const Cell& cell : labels) {
    if (const auto* text = std::get_if<std::string>(&cell)) key += *text;
    if (const auto* number = std::get_if<int64_t>(&cell)) key += std::to_string(*number);
    key += '\0';
  }
  const auto [found, added] = by_label_.try_emplace(std::move(key), groups_.size());
  if (added) groups_.push_back({std::move(labels), {}});
  return found->second;
}

Table TimeSummaryTable(StatsGroups groups, const Column& count, const std::vector<Column>& text_columns) {
  Table table;
  table.columns = {ShareColumn("time_share", "Time (%)"),
                   CountColumn("total_ns", "Total Time (ns)"),
                   count,
                   Hideable(NumberColumn("avg_ns", "Avg (ns)", 1)),
                   Hideable(NumberColumn("med_ns", "Med (ns)", 1), 1),
                   Hideable(CountColumn("min_ns", "Min (ns)"), 2),
                   Hideable(CountColumn("max_ns", "Max (ns)"), 2),
                   Hideable(NumberColumn("stddev_ns", "StdDev (ns)", 1), 3)};
  table.columns.insert(table.columns.end(), text_columns.begin(), text_columns.end());
  std::vector<std::pair<SampleSummary, std::vector<Cell>>> rows;
  double total = 0;
  for (StatsGroup& group : groups.groups()) {
    if (group.samples.empty()) continue;
    rows.emplace_back(Summarise(std::move(group.samples)), std::move(group.labels));
    total += static_cast<double>(rows.back().first.total);
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.first.total != b.first.total ? a.first.total > b.first.total : a.second < b.second;
  });
  for (auto& [summary, labels] : rows) {
    Row row = {total > 0 ? Cell(static_cast<double>(summary.total) / total) : Cell(),
               summary.total,
               summary.count,
               summary.mean,
               summary.median,
               summary.min,
               summary.max,
               summary.deviation};
    row.insert(row.end(), labels.begin(), labels.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace warpsight
