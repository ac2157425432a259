#include "analysis/call_bound.h"

#include <algorithm>

#include "base/rounded_ns.h"

namespace warpsight {
namespace {

struct DoubleSums {
  Ns work_ns = 0;
  Ns bounded_ns = 0;
  double memory_ns = 0;
  double compute_ns = 0;
};

void AddRow(const WorkCosts& work, const CallBounds& bounds, uint32_t row, Ns inside, DoubleSums& sums) {
  sums.work_ns = SaturatingAdd(sums.work_ns, inside);
  if (work.call_of[row] == kNoRow) return;
  const ChargedCall& call = work.calls[work.call_of[row]];
  const std::optional<BoundTime> bound = bounds.Of(call);
  if (!bound || call.work_ns == 0) return;
  sums.bounded_ns = SaturatingAdd(sums.bounded_ns, inside);
  const double part = bound->ns() * static_cast<double>(inside) / static_cast<double>(call.work_ns);
  (bound->bound() == CostBound::kMemory ? sums.memory_ns : sums.compute_ns) += part;
}

}  // namespace

std::string_view CostBoundName(CostBound bound) { return bound == CostBound::kMemory ? "memory" : "compute"; }

std::optional<BoundTime> BoundTimeOf(const OpCost& cost, const GpuPeaks& peaks) {
  if (!peaks.memory_bytes_per_s) return std::nullopt;
  BoundTime time;
  time.memory_ns = cost.bytes / *peaks.memory_bytes_per_s * 1e9;
  if (cost.flops == 0) return time;
  const std::optional<double> flops_per_s = peaks.FlopsPerS(cost.arithmetic);
  if (!flops_per_s) return std::nullopt;
  time.compute_ns = cost.flops / *flops_per_s * 1e9;
  return time;
}

CallBounds::CallBounds(const WorkCosts& work, const GpuPeaks& peaks) : work_(work) {
  by_cost_.reserve(work.costs.size());
  for (const OpCost& cost : work.costs) by_cost_.push_back(BoundTimeOf(cost, peaks));
}

std::optional<BoundTime> CallBounds::Of(const ChargedCall& call) const {
  const std::optional<BoundTime>& bound = by_cost_[call.cost];
  if (bound && work_.costs[call.cost].from_grid && bound->ns() > static_cast<double>(call.work_ns)) return std::nullopt;
  return bound;
}

std::vector<BoundSums> SumBounds(Analysis& analysis, const Device& device, const std::vector<Interval>& windows) {
  std::vector<BoundSums> sums(windows.size());
  const GpuPeaks peaks = PeaksOf(analysis.trace(), device, analysis.given());
  const Result<WorkCosts>& work = analysis.Get<WorkCostsPass>();
  if (!work.ok() || !peaks.memory_bytes_per_s || windows.empty()) return sums;
  const CallBounds bounds(*work, peaks);
  const GpuWork& gpu = analysis.trace().gpu();
  std::vector<DoubleSums> exact(windows.size());
  for (uint32_t row = device.first_work; row < device.end_work; ++row) {
    const Interval time{gpu.start_ns[row], gpu.end_ns[row]};
    auto window =
        std::upper_bound(windows.begin(), windows.end(), time.start, [](Ns at, const Interval& w) { return at < w.end; });
    for (; window != windows.end() && window->start < time.end; ++window) {
      AddRow(*work, bounds, row, Intersect(time, *window).duration(), exact[static_cast<size_t>(window - windows.begin())]);
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = {exact[i].work_ns, exact[i].bounded_ns, RoundedNs(exact[i].memory_ns), RoundedNs(exact[i].compute_ns)};
  }
  return sums;
}

}  // namespace warpsight
