// Busy time, work time and counts of a device, for any window, each in O(log n).
//
// Busy is the measure of the union of all GPU work on all streams of a device, never a sum over streams. Work is the sum of
// the durations. Both are cut at the window's borders; counts count a row where it starts. Work / busy is the concurrency.
// Place in the flow: steps, idle, kernels and reports ask this pass instead of summing for themselves.
// Units: ns. Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/interval_union.h"
#include "analysis/pass.h"

namespace warpsight {

struct GpuCounts {
  int64_t kernels = 0;
  int64_t memcpys = 0;
  int64_t memsets = 0;
};

class DeviceBusy {
 public:
  DeviceBusy(const Trace& trace, const Device& device);

  int32_t device() const { return device_; }
  Ns Busy(Interval window) const { return busy_.Measure(window); }
  Ns Work(Interval window) const;
  GpuCounts Counts(Interval window) const;
  // The merged busy intervals, sorted.
  const IntervalUnion& busy() const { return busy_; }

 private:
  // Sum over all rows of their time before `t`.
  Ns WorkBefore(Ns t) const;
  uint32_t RowsStartedBefore(Ns t) const;

  int32_t device_ = 0;
  IntervalUnion busy_;
  std::vector<Ns> starts_;
  std::vector<Ns> ends_;  // sorted for itself, not by row
  // Sums over the first i starts (ends). They may pass 2^63 for absolute times; the differences that are used do not, and
  // unsigned arithmetic wraps without harm.
  std::vector<uint64_t> start_sums_;
  std::vector<uint64_t> end_sums_;
  std::vector<uint32_t> kernels_before_;  // kernels (copies) among the first i rows
  std::vector<uint32_t> memcpys_before_;
};

struct GpuBusy {
  // Devices with work, in the order of the trace.
  std::vector<DeviceBusy> devices;
  // Null when the device has no work.
  const DeviceBusy* Find(int32_t device) const;
};

struct GpuBusyPass {
  using Output = GpuBusy;
  static constexpr std::string_view kName = "gpu_busy";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
