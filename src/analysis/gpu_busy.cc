#include "analysis/gpu_busy.h"

#include <algorithm>

namespace warpsight {
namespace {

std::vector<uint64_t> PrefixSums(const std::vector<Ns>& values) {
  std::vector<uint64_t> sums(values.size() + 1);
  for (size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + static_cast<uint64_t>(values[i]);
  return sums;
}

// Sum of min(value, t) over the sorted `values`.
uint64_t SumCutAt(const std::vector<Ns>& values, const std::vector<uint64_t>& sums, Ns t) {
  const size_t before = static_cast<size_t>(std::lower_bound(values.begin(), values.end(), t) - values.begin());
  return sums[before] + static_cast<uint64_t>(values.size() - before) * static_cast<uint64_t>(t);
}

}  // namespace

DeviceBusy::DeviceBusy(const Trace& trace, const Device& device) : device_(device.id) {
  const GpuWork& gpu = trace.gpu();
  const uint32_t rows = device.end_work - device.first_work;
  starts_.assign(gpu.start_ns.begin() + device.first_work, gpu.start_ns.begin() + device.end_work);
  ends_.assign(gpu.end_ns.begin() + device.first_work, gpu.end_ns.begin() + device.end_work);
  kernels_before_.resize(rows + 1);
  memcpys_before_.resize(rows + 1);
  busy_.Reserve(rows);
  for (uint32_t i = 0; i < rows; ++i) {
    busy_.Append({starts_[i], ends_[i]});
    const GpuKind kind = gpu.kind[device.first_work + i];
    kernels_before_[i + 1] = kernels_before_[i] + (kind == GpuKind::kKernel ? 1 : 0);
    memcpys_before_[i + 1] = memcpys_before_[i] + (kind == GpuKind::kMemcpy ? 1 : 0);
  }
  // Work that does not overlap is sorted by end already.
  if (!std::is_sorted(ends_.begin(), ends_.end())) std::sort(ends_.begin(), ends_.end());
  start_sums_ = PrefixSums(starts_);
  end_sums_ = PrefixSums(ends_);
}

Ns DeviceBusy::WorkBefore(Ns t) const {
  return static_cast<Ns>(SumCutAt(ends_, end_sums_, t) - SumCutAt(starts_, start_sums_, t));
}

Ns DeviceBusy::Work(Interval window) const {
  if (window.empty()) return 0;
  return WorkBefore(window.end) - WorkBefore(window.start);
}

uint32_t DeviceBusy::RowsStartedBefore(Ns t) const {
  return static_cast<uint32_t>(std::lower_bound(starts_.begin(), starts_.end(), t) - starts_.begin());
}

GpuCounts DeviceBusy::Counts(Interval window) const {
  if (window.empty()) return {};
  const uint32_t first = RowsStartedBefore(window.start);
  const uint32_t end = RowsStartedBefore(window.end);
  GpuCounts counts;
  counts.kernels = kernels_before_[end] - kernels_before_[first];
  counts.memcpys = memcpys_before_[end] - memcpys_before_[first];
  counts.memsets = (end - first) - counts.kernels - counts.memcpys;
  return counts;
}

const DeviceBusy* GpuBusy::Find(int32_t device) const {
  const auto found = std::ranges::lower_bound(devices, device, {}, &DeviceBusy::device);
  return found == devices.end() || found->device() != device ? nullptr : &*found;
}

Result<GpuBusy> GpuBusyPass::Run(Analysis& analysis) {
  GpuBusy result;
  for (const Device& device : analysis.trace().devices()) {
    if (device.has_work) result.devices.emplace_back(analysis.trace(), device);
  }
  return result;
}

}  // namespace warpsight
