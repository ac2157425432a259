// RecordOptions: what `warpsight record` was asked, and the settings that follow for the processes it records.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "capture/settings.h"

namespace warpsight {

struct RecordOptions {
  std::string output;  // empty = the first free of capture1.wscap, capture2.wscap, ...
  bool overwrite = false;
  std::string trace = "cuda,nvtx";
  uint64_t osrt_threshold_ns = 1000;
  std::string graphs = "node";
  std::string cuda_event_trace = "false";
  std::optional<std::string> max_size;  // absent = 2G, of a ring 256M
  double ring_s = 0;
  double delay_s = 0;
  double duration_s = 0;
  std::string capture_range = "none";
  std::string nvtx_capture;
  std::string capture_range_end;  // empty = stop; of programs that say themselves when to record: join
  std::string wait = "all";
  std::optional<std::string> kill;       // absent = sigterm where the end of a range is to end the program, else none
  std::vector<std::string> environment;  // KEY=VALUE
  std::string cupti;
  int nvml_hz = 10;
  std::string nvml;
  std::string gpu_metrics_devices = "none";  // or all, or numbers
  int gpu_metrics_hz = 1000;
  std::string sample = "none";
  int sampling_hz = 1000;
  std::optional<std::string> python_sampling;  // absent = true where there are samples
  std::optional<std::string> cpuctxsw;         // absent = process-tree where there are samples, else none
  bool pytorch = false;
  bool armed = false;
  bool report = false;
  bool quiet = false;
  std::vector<std::string> command;

  void Configure(CLI::App& app);
  // Every range makes a file of its own.
  bool makes_files_by_range() const { return capture_range_end.starts_with("repeat"); }
  bool ends_by_range() const {
    return capture_range_end == "stop-shutdown" || capture_range_end.starts_with("repeat-shutdown");
  }
  // The settings, but for the folder; or what makes no sense.
  Result<capture::Settings> ToSettings() const;
  // Of a recording that samples GPU metrics: by CUDA's number, empty = all.
  Result<std::vector<uint32_t>> GpuMetricsDevices() const;
};

// "2G", "500 MB", "64KiB", "1048576": bytes; K, M, G are powers of 1024.
Result<uint64_t> ParseSize(std::string_view text);

}  // namespace warpsight
