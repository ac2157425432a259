// Reports about NVTX ranges: their time on the host, and projected onto the GPU.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/stats/recorded_ranges.h"
#include "analysis/stats/stats_groups.h"
#include "analysis/stats/stats_reports.h"

namespace warpsight {
namespace {

constexpr std::string_view kPushPop = "PushPop";
constexpr std::string_view kStartEnd = "StartEnd";

// Rows with equal keys have equal printed names; ops are named one by one.
uint64_t KeyOfRange(const HostEvents& host, uint32_t row, bool start_end) {
  if (host.kind[row] == HostKind::kOp) return uint64_t{1} << 63 | row;
  return uint64_t{static_cast<uint32_t>(host.name[row])} << 32 | uint64_t{static_cast<uint32_t>(host.types[row])} << 1 |
         (start_end ? 1 : 0);
}

template <typename Visit>
void ForSelectedRanges(const Trace& trace, const RecordedRanges& ranges, const Selection& selection, const Visit& visit) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (ranges.Has(row) && StartsIn(selection, trace.host().start_ns[row])) visit(row);
  }
}

// `wanted`: by style; with_style adds the column.
template <typename Wanted>
Table RangeTable(const Trace& trace, const Selection& selection, bool with_style, const Wanted& wanted) {
  const RecordedRanges ranges(trace);
  StatsGroups groups;
  ForSelectedRanges(trace, ranges, selection, [&](uint32_t row) {
    const bool start_end = ranges.IsStartEnd(row);
    if (!wanted(start_end)) return;
    const auto labels = [&] {
      std::vector<Cell> cells;
      if (with_style) cells.emplace_back(std::string(start_end ? kStartEnd : kPushPop));
      cells.emplace_back(ranges.PrintedName(row));
      return cells;
    };
    groups.Of(KeyOfRange(trace.host(), row, start_end), labels).samples.push_back(trace.host().duration_ns(row));
  });
  std::vector<Column> text = {NameColumn("range", "Range")};
  if (with_style) text.insert(text.begin(), TextColumn("style", "Style"));
  return TimeSummaryTable(std::move(groups), CountColumn("instances", "Instances"), text);
}

struct ProjectedRange {
  std::vector<int64_t> projected;
  int64_t range_ns = 0;
  int64_t operations = 0;
  int64_t levels = 0;
  int64_t children = 0;
};

double Mean(int64_t sum, const ProjectedRange& range) {
  return static_cast<double>(sum) / static_cast<double>(range.projected.size());
}

}  // namespace

Table RangeSummary(const Trace& trace, const Selection& selection) {
  return RangeTable(trace, selection, true, [](bool) { return true; });
}

Table PushPopSummary(const Trace& trace, const Selection& selection) {
  return RangeTable(trace, selection, false, [](bool start_end) { return !start_end; });
}

Table StartEndSummary(const Trace& trace, const Selection& selection) {
  return RangeTable(trace, selection, false, [](bool start_end) { return start_end; });
}

Table RangeProjectionSummary(const Trace& trace, const Selection& selection) {
  const HostEvents& host = trace.host();
  const RecordedRanges ranges(trace);
  // Level and number of children count ranges that launch work; parents stand before their children.
  std::vector<uint32_t> enclosing(host.size(), kNoRow);
  std::vector<int64_t> level(host.size(), 0);
  std::vector<int64_t> children(host.size(), 0);
  std::vector<bool> projects(host.size(), false);
  for (uint32_t row = 0; row < host.size(); ++row) {
    const uint32_t parent = host.parent[row];
    if (parent != kNoRow && !ranges.IsStartEnd(row)) enclosing[row] = projects[parent] ? parent : enclosing[parent];
    if (!ranges.Has(row) || !ranges.ProjectionOf(row)) continue;
    projects[row] = true;
    if (enclosing[row] == kNoRow) continue;
    level[row] = level[enclosing[row]] + 1;
    ++children[enclosing[row]];
  }
  std::map<std::pair<std::string, std::string_view>, ProjectedRange> by_name;
  ForSelectedRanges(trace, ranges, selection, [&](uint32_t row) {
    if (!projects[row]) return;
    const RecordedRanges::Projection projection = *ranges.ProjectionOf(row);
    ProjectedRange& range = by_name[{ranges.PrintedName(row), ranges.IsStartEnd(row) ? kStartEnd : kPushPop}];
    range.projected.push_back(projection.time.duration());
    range.range_ns = SaturatingAdd(range.range_ns, host.duration_ns(row));
    range.operations += projection.operations;
    range.levels += level[row];
    range.children += children[row];
  });
  Table table;
  table.columns = {NameColumn("range", "Range"),
                   Hideable(TextColumn("style", "Style"), 1),
                   CountColumn("total_proj_ns", "Total Proj Time (ns)"),
                   CountColumn("total_range_ns", "Total Range Time (ns)"),
                   CountColumn("range_instances", "Range Instances"),
                   Hideable(NumberColumn("proj_avg_ns", "Proj Avg (ns)", 1)),
                   Hideable(NumberColumn("proj_med_ns", "Proj Med (ns)", 1), 1),
                   Hideable(CountColumn("proj_min_ns", "Proj Min (ns)"), 2),
                   Hideable(CountColumn("proj_max_ns", "Proj Max (ns)"), 2),
                   Hideable(NumberColumn("proj_stddev_ns", "Proj StdDev (ns)", 1), 3),
                   Hideable(CountColumn("total_gpu_ops", "Total GPU Ops")),
                   Hideable(NumberColumn("avg_gpu_ops", "Avg GPU Ops", 1), 2),
                   Hideable(NumberColumn("avg_range_level", "Avg Range Lvl", 1), 3),
                   Hideable(NumberColumn("avg_children", "Avg Num Child", 1), 3)};
  for (auto& [name, range] : by_name) {
    const SampleSummary summary = Summarise(range.projected);
    table.rows.push_back({name.first, std::string(name.second), summary.total, range.range_ns, summary.count, summary.mean,
                          summary.median, summary.min, summary.max, summary.deviation, range.operations,
                          Mean(range.operations, range), Mean(range.levels, range), Mean(range.children, range)});
  }
  constexpr size_t kTotal = 2;
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const Row& a, const Row& b) { return a[kTotal] > b[kTotal]; });
  return table;
}

}  // namespace warpsight
