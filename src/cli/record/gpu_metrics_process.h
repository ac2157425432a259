// GpuMetricsProcess: the sampler of hardware counters, as a process beside the recorded program.
//
// `warpsight record --gpu-metrics-devices` starts itself again as that process before the program, and ends it after it:
// what CUPTI does for it (memory, threads, a crash) is then neither the program's nor the recording's. The two talk by
// pipes: the sampler says once whether it samples, and ends when its standard input does, also when `record` was killed.
// Threads: one.
#pragma once

#include <sys/types.h>

#include <string>

#include "gpu_metrics/metrics_recorder.h"

namespace warpsight {

// The first word of the command line that makes a warpsight the sampler.
inline constexpr const char* kGpuMetricsWord = "gpu-metrics-sampler";

class GpuMetricsProcess {
 public:
  GpuMetricsProcess() = default;
  ~GpuMetricsProcess() { End(); }
  GpuMetricsProcess(const GpuMetricsProcess&) = delete;
  GpuMetricsProcess& operator=(const GpuMetricsProcess&) = delete;

  // Returns when it samples. Empty, or why it does not.
  std::string Start(const gpu_metrics::MetricsSettings& settings);
  // Returns when its file is whole.
  void End();

 private:
  std::string ReadLine(int timeout_ms);

  int to_ = -1;
  int from_ = -1;
};

// The sampler itself; its exit status.
int RunGpuMetrics(int argc, char** argv);

}  // namespace warpsight
