// The metrics that are sampled of a GPU, and what they are called in a timeline.
//
// Names of hardware counters differ between generations: of the alternatives the first is taken that the device has and that
// still fits into one pass with those before it. Source: the names that CUPTI 13.0 lists for PM sampling on GH100, and those
// of Nsight Compute's metric reference for other chips. Threads: constants.
#pragma once

#include <array>
#include <string_view>

namespace warpsight::gpu_metrics {

enum class Scale {
  kAsIs,
  kMillionth,  // Hz to MHz
  kPerSecond,  // a sum over the sample: divided by its duration
};

struct SampledMetric {
  std::string_view name;
  std::string_view unit;
  Scale scale;
  std::array<const char*, 3> metrics;  // null = no more
};

// In order of weight: when not all fit, the last are left out.
inline constexpr SampledMetric kSampledMetrics[] = {
    {"SMs active", "%", Scale::kAsIs, {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {"tensor cores active",
     "%",
     Scale::kAsIs,
     {"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed",
      "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
      "sm__inst_executed_pipe_tensor_realtime.avg.pct_of_peak_sustained_elapsed"}},
    {"DRAM read",
     "%",
     Scale::kAsIs,
     {"dram__read_throughput.avg.pct_of_peak_sustained_elapsed",
      "dramc__read_throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"DRAM written",
     "%",
     Scale::kAsIs,
     {"dram__write_throughput.avg.pct_of_peak_sustained_elapsed",
      "dramc__write_throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"SM issue",
     "%",
     Scale::kAsIs,
     {"sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"}},
    {"warps in flight",
     "%",
     Scale::kAsIs,
     {"tpc__warps_active_realtime.avg.pct_of_peak_sustained_elapsed",
      "TPC.TriageCompute.tpc__warps_active_realtime.avg.pct_of_peak_sustained_elapsed",
      "sm__warps_active.avg.pct_of_peak_sustained_elapsed"}},
    {"NVLink received", "B/s", Scale::kPerSecond, {"nvlrx__bytes.sum"}},
    {"NVLink sent", "B/s", Scale::kPerSecond, {"nvltx__bytes.sum"}},
    {"PCIe received", "B/s", Scale::kPerSecond, {"pcie__read_bytes.sum"}},
    {"PCIe sent", "B/s", Scale::kPerSecond, {"pcie__write_bytes.sum"}},
    {"GPU active", "%", Scale::kAsIs, {"gr__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {"GPC clock", "MHz", Scale::kMillionth, {"gpc__cycles_elapsed.avg.per_second"}},
};

}  // namespace warpsight::gpu_metrics
