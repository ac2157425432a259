#include "analysis/lint/stream_overlap.h"

#include "analysis/thresholds.h"

namespace warpsight {

OverlapKind ClassifyOverlap(const Trace& trace, uint32_t earlier, uint32_t later) {
  const GpuWork& gpu = trace.gpu();
  if (gpu.start_ns[earlier] == gpu.start_ns[later] && gpu.end_ns[earlier] == gpu.end_ns[later] &&
      gpu.name[earlier] == gpu.name[later]) {
    return OverlapKind::kDuplicate;
  }
  const bool one_launch = gpu.launch[earlier] != kNoRow && gpu.launch[earlier] == gpu.launch[later];
  const bool one_graph = gpu.graph_id[earlier] != 0 && gpu.graph_id[earlier] == gpu.graph_id[later];
  if (one_launch || one_graph) return OverlapKind::kGraph;
  // How far the earlier record would have to be shortened for the two to fit.
  if (gpu.end_ns[earlier] - gpu.start_ns[later] <= ThresholdNs("lint_clock_overlap")) return OverlapKind::kClock;
  return gpu.end_ns[later] <= gpu.end_ns[earlier] ? OverlapKind::kSwallowed : OverlapKind::kDependent;
}

std::array<OverlapSummary, kOverlapKindCount> FindStreamOverlaps(const Trace& trace, size_t max_rows) {
  const GpuWork& gpu = trace.gpu();
  std::array<OverlapSummary, kOverlapKindCount> overlaps;
  std::vector<uint32_t> longest(trace.streams().size(), kNoRow);  // the row that ends last on the stream so far
  std::array<std::vector<uint32_t>, kOverlapKindCount> last_earlier;
  last_earlier.fill(std::vector<uint32_t>(trace.streams().size(), kNoRow));
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (gpu.duration_ns(row) == 0) continue;
    uint32_t& earlier = longest[gpu.stream[row]];
    if (earlier != kNoRow && gpu.start_ns[row] < gpu.end_ns[earlier]) {
      const auto kind = static_cast<size_t>(ClassifyOverlap(trace, earlier, row));
      OverlapSummary& summary = overlaps[kind];
      ++summary.count;
      if (uint32_t& last = last_earlier[kind][gpu.stream[row]]; last != earlier) {
        last = earlier;
        ++summary.earlier_count;
        summary.earlier_ns = SaturatingAdd(summary.earlier_ns, gpu.duration_ns(earlier));
        summary.earlier_beyond_next_ns =
            SaturatingAdd(summary.earlier_beyond_next_ns, gpu.end_ns[earlier] - gpu.start_ns[row]);
      }
      summary.overlap_ns =
          SaturatingAdd(summary.overlap_ns, std::min(gpu.end_ns[earlier], gpu.end_ns[row]) - gpu.start_ns[row]);
      if (summary.first_rows.size() < max_rows) summary.first_rows.push_back(row);
    }
    if (earlier == kNoRow || gpu.end_ns[row] > gpu.end_ns[earlier]) earlier = row;
  }
  return overlaps;
}

}  // namespace warpsight
