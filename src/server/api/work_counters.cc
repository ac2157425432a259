#include "server/api/work_counters.h"

#include <algorithm>

#include "analysis/counters/joined_document.h"

namespace warpsight::server {
namespace {

Extent ExtentOf(const std::array<int32_t, 3>& sizes) {
  Extent extent{};
  std::ranges::transform(sizes, extent.begin(), [](int32_t size) { return static_cast<uint64_t>(std::max(size, 0)); });
  return extent;
}

}  // namespace

WorkCounters::WorkCounters(const Trace& trace, const Given& given) : trace_(trace) {
  if (given.counter_reports.empty()) return;
  Analysis analysis(trace, {}, given);
  const Result<JoinedCounters>& joined = analysis.Get<JoinedCountersPass>();
  if (!joined.ok()) return;
  joined_ = *joined;
  for (const JoinedKernel& kernel : joined_.matched) kernels_.emplace(Key{kernel.name, kernel.grid, kernel.block}, &kernel);
}

Json WorkCounters::Of(uint32_t gpu_row) const {
  if (kernels_.empty() || trace_.gpu().kind[gpu_row] != GpuKind::kKernel) return nullptr;
  const LaunchConfig& launch = trace_.launch_config(trace_.gpu().launch_config[gpu_row]);
  const auto found = kernels_.find({trace_.Text(trace_.gpu().name[gpu_row]), ExtentOf(launch.grid), ExtentOf(launch.block)});
  return found == kernels_.end() ? Json(nullptr) : JoinedKernelData(*found->second);
}

}  // namespace warpsight::server
