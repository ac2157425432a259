#include "export/perfetto/launch_flows.h"

namespace warpsight::perfetto {

LaunchFlows::LaunchFlows(const Trace& trace, RowWindow window) {
  const GpuWork& gpu = trace.gpu();
  const HostEvents& host = trace.host();
  if (gpu.size() == 0) return;
  // Both ends must be there.
  const auto is_arrow = [&](uint32_t row) {
    const uint32_t call = gpu.launch[row];
    if (call == kNoRow || !window.TakesDevice(trace.device_of(row))) return false;
    Interval work{gpu.start_ns[row], gpu.end_ns[row]};
    Interval launch{host.start_ns[call], host.end_ns[call]};
    return window.Take(work) && window.Take(launch);
  };
  first_.assign(size_t{host.size()} + 1, 0);
  flow_to_.assign(gpu.size(), 0);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (!is_arrow(row)) continue;
    ++first_[gpu.launch[row] + 1];
    flow_to_[row] = row + 1;
  }
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  work_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (flow_to_[row] == 0) continue;
    const uint32_t call = gpu.launch[row];
    const uint32_t place = next[call]++;
    work_[place] = row;
    const uint32_t last = first_[call] + static_cast<uint32_t>(kMostOfCall) - 1;
    if (place > last) flow_to_[row] = work_[last] + 1;
  }
}

}  // namespace warpsight::perfetto
