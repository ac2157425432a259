// CollectiveBusyPass: the GPU work of a device parted into collectives and all the rest, each as a union of intervals.
//
// Exposed collective time is time in which nothing but collectives ran: busy - others. A collective is a kernel with
// recorded facts of one, or of family "collective". Place in the flow: GPU work -> this -> steps (exposed time), collectives
// pass. Units: ns. Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/interval_union.h"
#include "analysis/pass.h"

namespace warpsight {

struct CollectiveBusy {
  int32_t device = 0;
  std::vector<uint32_t> rows;  // GPU work rows of the collectives, in order of start
  IntervalUnion collectives;
  IntervalUnion others;  // kernels, copies and sets that are no collective

  // Time of `window` in which nothing but collectives ran.
  Ns Exposed(Interval window) const;
  // Time of a collective's own interval, cut to `window`, in which nothing but collectives ran.
  Ns ExposedOf(Interval call, Interval window) const;
};

struct CollectiveBusyPass {
  using Output = std::vector<CollectiveBusy>;  // devices that ran collectives, in the order of the trace
  static constexpr std::string_view kName = "collective_busy";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

// The entry of a device, null when it ran no collectives.
const CollectiveBusy* FindCollectiveBusy(const std::vector<CollectiveBusy>& devices, int32_t device);

}  // namespace warpsight
