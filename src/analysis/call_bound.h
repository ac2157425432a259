// Bounds of charged calls: how fast the device could have done each, and what sets that limit.
//
// Place in the flow: work costs + peaks of the device -> bounds -> roofline rows, bounds of steps.
// A call's bound = max(FLOPs / peak for its type, bytes / peak bandwidth). Absent when a peak that it needs is not known,
// and for work whose elements were told from the launch grid when the bound comes out above the time (the count was too
// high). Units: ns. Errors: none. Thread-compatible.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gpu_peaks.h"
#include "analysis/work_costs_pass.h"

namespace warpsight {

enum class CostBound : uint8_t { kMemory, kCompute };
// "memory", "compute".
std::string_view CostBoundName(CostBound bound);

struct BoundTime {
  double compute_ns = 0;
  double memory_ns = 0;
  double ns() const { return compute_ns > memory_ns ? compute_ns : memory_ns; }
  CostBound bound() const { return compute_ns > memory_ns ? CostBound::kCompute : CostBound::kMemory; }
};

std::optional<BoundTime> BoundTimeOf(const OpCost& cost, const GpuPeaks& peaks);

// Of one device, each distinct cost worked out once.
class CallBounds {
 public:
  CallBounds(const WorkCosts& work, const GpuPeaks& peaks);
  std::optional<BoundTime> Of(const ChargedCall& call) const;

 private:
  const WorkCosts& work_;
  std::vector<std::optional<BoundTime>> by_cost_;
};

// The bounds of all work of a device in a window, added up by what sets them.
struct BoundSums {
  Ns work_ns = 0;     // all GPU work
  Ns bounded_ns = 0;  // of it, work with a bound
  Ns memory_ns = 0;   // bound times of memory-bound work
  Ns compute_ns = 0;  // bound times of compute-bound work
};

// One a window; windows are sorted and disjoint. Work that straddles a border counts by the share of its time inside. All
// zero when there is no work or no peak.
std::vector<BoundSums> SumBounds(Analysis& analysis, const Device& device, const std::vector<Interval>& windows);

}  // namespace warpsight
