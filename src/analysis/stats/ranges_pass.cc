#include "analysis/stats/ranges_pass.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/recorder_advice.h"
#include "analysis/stats/recorded_ranges.h"
#include "analysis/stats/stats_groups.h"

namespace warpsight {
namespace {

class RangeTree {
 public:
  RangeTree(const Trace& trace, const Selection& selection, Interval window)
      : trace_(trace), host_(trace.host()), selection_(selection), window_(window), ranges_(trace) {
    rows_.emplace_back();  // outside of all ranges
    PlaceRanges();
    AddWork();
    AddStartEndRanges();
  }

  bool has_ranges() const { return rows_.size() > 1; }
  // Rows in the order of the table.
  std::vector<RangeRow> Ordered() const;

 private:
  static constexpr uint32_t kOutside = 0;
  // GPU work launched in one instance of a range, its inner ranges included.
  struct InstanceWork {
    Interval projection{kMaxNs, kMinNs};
    int64_t work = 0;
    Ns gpu_ns = 0;
  };

  // Every host row's innermost range instance (itself included), and that one's row of the tree.
  void PlaceRanges();
  uint32_t RowOf(uint32_t parent, uint32_t host_row, bool start_end);
  void AddWork();
  void AddStartEndRanges();

  const Trace& trace_;
  const HostEvents& host_;
  const Selection& selection_;
  Interval window_;
  RecordedRanges ranges_;
  std::vector<RangeRow> rows_;
  std::map<std::tuple<uint32_t, StringId, StringId, bool>, uint32_t> by_path_;
  std::vector<uint32_t> instance_;    // by host row: host row of the innermost range, kNoRow outside
  std::vector<uint32_t> row_of_;      // by host row of a range: its row
  std::vector<uint32_t> around_;      // by host row of a range: host row of the range around it
  std::vector<InstanceWork> inside_;  // by host row of a range
};

uint32_t RangeTree::RowOf(uint32_t parent, uint32_t host_row, bool start_end) {
  const StringId domain = host_.kind[host_row] == HostKind::kRange ? host_.types[host_row] : StringId::kEmpty;
  const auto [found, added] =
      by_path_.try_emplace({parent, host_.name[host_row], domain, start_end}, static_cast<uint32_t>(rows_.size()));
  if (added) {
    RangeRow row;
    row.name = trace_.Text(host_.name[host_row]);
    row.domain = trace_.Text(domain);
    row.parent = parent == kOutside ? kNoRow : parent;
    row.depth = parent == kOutside ? 0 : rows_[parent].depth + 1;
    row.start_end = start_end;
    rows_.push_back(row);
  }
  return found->second;
}

void RangeTree::PlaceRanges() {
  instance_.assign(host_.size(), kNoRow);
  row_of_.assign(host_.size(), kOutside);
  around_.assign(host_.size(), kNoRow);
  inside_.assign(host_.size(), {});
  for (uint32_t host_row = 0; host_row < host_.size(); ++host_row) {
    const bool start_end = ranges_.IsStartEnd(host_row);
    const uint32_t parent = host_.parent[host_row];
    const uint32_t around = parent == kNoRow || start_end ? kNoRow : instance_[parent];
    instance_[host_row] = around;
    if (!ranges_.Has(host_row)) continue;
    instance_[host_row] = host_row;
    around_[host_row] = around;
    const uint32_t row = RowOf(around == kNoRow ? kOutside : row_of_[around], host_row, start_end);
    row_of_[host_row] = row;
    rows_[row].instances += StartsIn(selection_, host_.start_ns[host_row]) ? 1 : 0;
    rows_[row].host_ns =
        SaturatingAdd(rows_[row].host_ns, Intersect({host_.start_ns[host_row], host_.end_ns[host_row]}, window_).duration());
  }
}

void RangeTree::AddWork() {
  const GpuWork& gpu = trace_.gpu();
  for (const Device& device : trace_.devices()) {
    if (selection_.device && device.id != *selection_.device) continue;
    for (uint32_t work = device.first_work; work < device.end_work; ++work) {
      const Interval whole{gpu.start_ns[work], gpu.end_ns[work]};
      const bool counts = StartsIn(selection_, whole.start);
      const Ns inside = Intersect(whole, window_).duration();
      if (!counts && inside == 0) continue;
      const uint32_t launch = gpu.launch[work];
      const uint32_t innermost = launch == kNoRow ? kNoRow : instance_[launch];
      RangeRow& self = rows_[innermost == kNoRow ? kOutside : row_of_[innermost]];
      self.self_work += counts ? 1 : 0;
      self.self_gpu_ns = SaturatingAdd(self.self_gpu_ns, inside);
      if (innermost == kNoRow) continue;
      InstanceWork& instance = inside_[innermost];
      instance.gpu_ns = SaturatingAdd(instance.gpu_ns, inside);
      instance.work += counts ? 1 : 0;
      if (!counts) continue;
      instance.projection.start = std::min(instance.projection.start, whole.start);
      instance.projection.end = std::max(instance.projection.end, whole.end);
    }
  }
  // Parents stand before their children: backwards, each instance is whole before it is added to the one around it.
  for (uint32_t at = host_.size(); at-- > 0;) {
    const InstanceWork& instance = inside_[at];
    if (!ranges_.Has(at) || (instance.work == 0 && instance.gpu_ns == 0)) continue;
    RangeRow& row = rows_[row_of_[at]];
    row.work += instance.work;
    row.gpu_ns = SaturatingAdd(row.gpu_ns, instance.gpu_ns);
    row.projected_ns = SaturatingAdd(row.projected_ns, instance.projection.duration());
    if (around_[at] == kNoRow) continue;
    InstanceWork& around = inside_[around_[at]];
    around.work += instance.work;
    around.gpu_ns = SaturatingAdd(around.gpu_ns, instance.gpu_ns);
    around.projection.start = std::min(around.projection.start, instance.projection.start);
    around.projection.end = std::max(around.projection.end, instance.projection.end);
  }
  rows_[kOutside].work = rows_[kOutside].self_work;
  rows_[kOutside].gpu_ns = rows_[kOutside].self_gpu_ns;
}

void RangeTree::AddStartEndRanges() {
  for (uint32_t host_row = 0; host_row < host_.size(); ++host_row) {
    if (!ranges_.Has(host_row)) continue;
    RangeRow& row = rows_[row_of_[host_row]];
    if (!row.start_end || !StartsIn(selection_, host_.start_ns[host_row])) continue;
    if (const auto projection = ranges_.ProjectionOf(host_row)) {
      row.work += projection->operations;
      row.gpu_ns = SaturatingAdd(row.gpu_ns, projection->work_ns);
      row.projected_ns = SaturatingAdd(row.projected_ns, projection->time.duration());
    }
  }
}

std::vector<RangeRow> RangeTree::Ordered() const {
  std::vector<std::vector<uint32_t>> children(rows_.size());
  std::vector<uint32_t> top;
  for (uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].instances == 0 && rows_[row].gpu_ns == 0 && rows_[row].host_ns == 0) continue;
    (rows_[row].parent == kNoRow ? top : children[rows_[row].parent]).push_back(row);
  }
  const auto by_time = [this](uint32_t a, uint32_t b) {
    return std::tie(rows_[b].gpu_ns, rows_[b].host_ns, rows_[a].name, a) <
           std::tie(rows_[a].gpu_ns, rows_[a].host_ns, rows_[b].name, b);
  };
  std::sort(top.begin(), top.end(), by_time);
  for (std::vector<uint32_t>& siblings : children) std::sort(siblings.begin(), siblings.end(), by_time);
  // Depth first without recursion: a hostile file nests as deep as it likes. Pairs of row and new number of its parent.
  std::vector<std::pair<uint32_t, uint32_t>> open;
  const auto push = [&open](const std::vector<uint32_t>& siblings, uint32_t parent) {
    for (auto at = siblings.rbegin(); at != siblings.rend(); ++at) open.emplace_back(*at, parent);
  };
  push(top, kNoRow);
  std::vector<RangeRow> ordered;
  while (!open.empty()) {
    const auto [row, parent] = open.back();
    open.pop_back();
    ordered.push_back(rows_[row]);
    ordered.back().parent = parent;
    push(children[row], static_cast<uint32_t>(ordered.size() - 1));
  }
  return ordered;
}

}  // namespace

Result<RangesResult> RangesPass::Run(Analysis& analysis) {
  const RangeTree tree(analysis.trace(), analysis.selection(), analysis.window());
  if (!tree.has_ranges()) {
    return LacksError("the recording has no ranges: " + std::string(RecorderAdvice(analysis.trace(), "ranges")));
  }
  RangesResult result;
  result.rows = tree.Ordered();
  for (const RangeRow& row : result.rows) result.gpu_work_ns = SaturatingAdd(result.gpu_work_ns, row.self_gpu_ns);
  return result;
}

}  // namespace warpsight
