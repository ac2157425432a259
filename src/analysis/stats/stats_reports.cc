#include "analysis/stats/stats_reports.h"

#include <algorithm>

namespace warpsight {
namespace {

constexpr StatsReport kReports[] = {
    {"nvtx_sum", "NVTX Range Summary", "ranges", RangeSummary},
    {"nvtx_pushpop_sum", "NVTX Push/Pop Range Summary", "push/pop ranges", PushPopSummary},
    {"nvtx_startend_sum", "NVTX Start/End Range Summary", "start/end ranges", StartEndSummary},
    {"osrt_sum", "OS Runtime Summary", "OS runtime calls", OsRuntimeSummary},
    {"cpu_sample_sum", "CPU Sample Summary", "CPU samples", CpuSampleSummary},
    {"cuda_api_sum", "CUDA API Summary", "API calls", ApiCallSummary},
    {"cuda_gpu_kern_sum", "CUDA GPU Kernel Summary", "kernels", GpuKernelSummary},
    {"cuda_gpu_mem_time_sum", "CUDA GPU MemOps Summary (by Time)", "copies or sets", GpuMemoryTimeSummary},
    {"cuda_gpu_mem_size_sum", "CUDA GPU MemOps Summary (by Size)", "copies or sets", GpuMemorySizeSummary},
    {"cuda_gpu_sum", "CUDA GPU Summary (Kernels/MemOps)", "GPU work", GpuSummary},
    {"cuda_kern_exec_sum", "CUDA Kernel Launch & Exec Time Summary", "kernels with a launch call", KernelExecutionSummary},
    {"nvtx_gpu_proj_sum", "NVTX GPU Projection Summary", "ranges that launch GPU work", RangeProjectionSummary},
};

}  // namespace

std::span<const StatsReport> StatsReports() { return kReports; }

const StatsReport* FindStatsReport(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kReports), std::end(kReports), [&](const StatsReport& report) { return report.name == name; });
  return found == std::end(kReports) ? nullptr : found;
}

}  // namespace warpsight
