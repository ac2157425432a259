// MetricsRecorder: samples of the counters of several GPUs, written as a part of a capture.
//
// Place in the flow: DeviceSampler -> this -> FOLDER/0-NUMBER.wscap, which `warpsight record` joins with the parts of the
// processes. The part is of process 0: of none. It runs in a process of its own (cli/record/gpu_metrics_process.h), so that
// nothing of it happens in the program or can end the recording. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/chunk_file.h"
#include "gpu_metrics/device_sampler.h"
#include "wire/chunk_encoder.h"

namespace warpsight::gpu_metrics {

struct MetricsSettings {
  std::string folder;
  std::vector<uint32_t> devices;  // by CUDA's number; empty = all
  uint32_t hz = 1000;
  uint64_t max_bytes = 0;
  std::string cupti_path;
};

class MetricsRecorder {
 public:
  explicit MetricsRecorder(MetricsSettings settings) : settings_(std::move(settings)) {}

  // Begins with all devices that can be sampled. Empty, or why none can.
  std::string Start();
  // What the devices have sampled since the last time, to the file.
  void Collect();
  void Finish();

 private:
  std::string StartDevice(uint32_t number);
  void AddDevice(uint32_t number);
  void TakeChunk();

  MetricsSettings settings_;
  PmLibrary pm_;
  std::vector<std::unique_ptr<DeviceSampler>> samplers_;
  std::unique_ptr<capture::ChunkFile> file_;
  wire::ChunkEncoder encoder_;
  std::vector<std::string> problems_;
  uint64_t newest_ns_ = 0;
  uint64_t chunk_began_ns_ = 0;
};

}  // namespace warpsight::gpu_metrics
