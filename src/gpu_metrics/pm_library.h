// PmLibrary: the functions of CUPTI's PM sampling, and those of the driver that name its devices.
//
// Found by dlopen at run time: the libcupti of the options, else by name; the driver's from libcuda.so.1. Functions that an
// older CUPTI lacks make the whole unusable: PM sampling came with CUDA 12.6. Threads: immutable once loaded.
#pragma once

#include <cstdint>
#include <string>

#include "gpu_metrics/pm_abi.h"

namespace warpsight::gpu_metrics {

struct PmLibrary {
  // Null functions and a reason when there is no PM sampling here. Takes a part of a second.
  static PmLibrary Load(const std::string& cupti_path);

  bool loaded() const { return missing.empty(); }
  std::string missing;  // why not
  // "CUPTI_ERROR_...", and what to do where we know.
  std::string ErrorText(int result) const;

  int (*DriverInit)(unsigned flags) = nullptr;
  int (*DeviceGetCount)(int* count) = nullptr;
  int (*DeviceGet)(int* device, int number) = nullptr;
  int (*DeviceGetName)(char* name, int bytes, int device) = nullptr;
  int (*DeviceGetUuid)(uint8_t uuid[16], int device) = nullptr;

  int (*ProfilerInitialize)(Initialize*) = nullptr;
  int (*DeviceGetChipName)(GetChipName*) = nullptr;
  int (*GetAvailability)(GetCounterAvailability*) = nullptr;
  int (*HostInitializeObject)(HostInitialize*) = nullptr;
  int (*HostDeinitializeObject)(HostDeinitialize*) = nullptr;
  int (*HostAddMetrics)(AddMetrics*) = nullptr;
  int (*HostGetConfigSize)(GetConfigSize*) = nullptr;
  int (*HostGetConfig)(GetConfig*) = nullptr;
  int (*HostGetPasses)(GetPasses*) = nullptr;
  int (*HostEvaluate)(Evaluate*) = nullptr;
  int (*SamplingEnable)(Enable*) = nullptr;
  int (*SamplingDisable)(OfSampling*) = nullptr;
  int (*SamplingSetConfig)(SetConfig*) = nullptr;
  int (*SamplingStart)(OfSampling*) = nullptr;
  int (*SamplingStop)(OfSampling*) = nullptr;
  int (*SamplingGetDataSize)(GetDataSize*) = nullptr;
  int (*DataInitialize)(InitializeData*) = nullptr;
  int (*SamplingDecode)(Decode*) = nullptr;
  int (*DataGetInfo)(GetDataInfo*) = nullptr;
  int (*DataGetSample)(GetSampleInfo*) = nullptr;
  int (*GetResultString)(int result, const char** text) = nullptr;
};

// A parameter block with its size, all else 0.
template <typename Block>
Block Made() {
  Block block = {};
  block.size = Block::Size();
  return block;
}

}  // namespace warpsight::gpu_metrics
