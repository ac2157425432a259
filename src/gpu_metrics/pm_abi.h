// The parameter blocks of CUPTI's PM sampling and of its host side (cupti_pmsampling.h, cupti_profiler_host.h since
// CUDA 12.6), declared here so that everything builds without NVIDIA's headers; pm_abi_test.cc compares them where those
// are.
//
// Every block begins with its own size, up to the end of its last field. Threads: plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsight::gpu_metrics {

inline constexpr int kSuccess = 0;
inline constexpr int kOutOfMemory = 8;         // of DecodeData: the hardware's buffer was full
inline constexpr int kMissingPrivileges = 35;  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
inline constexpr int kPmSamplingProfiler = 1;  // CUPTI_PROFILER_TYPE_PM_SAMPLING
inline constexpr int kEveryNs = 1;             // ..._TRIGGER_MODE_GPU_TIME_INTERVAL
inline constexpr int kEveryCycles = 0;         // ..._TRIGGER_MODE_GPU_SYSCLK_INTERVAL
inline constexpr int kStoppedAtFullData = 1;   // ..._DECODE_STOP_REASON_COUNTER_DATA_FULL

struct Initialize {
  size_t size;
  void* unused;
  static constexpr size_t Size() { return offsetof(Initialize, unused) + sizeof(void*); }
};

struct GetChipName {
  size_t size;
  void* unused;
  size_t device;
  const char* name;
  static constexpr size_t Size() { return offsetof(GetChipName, name) + sizeof(name); }
};

struct GetCounterAvailability {
  size_t size;
  void* unused;
  size_t device;
  size_t image_bytes;
  uint8_t* image;
  static constexpr size_t Size() { return offsetof(GetCounterAvailability, image) + sizeof(image); }
};

struct HostInitialize {
  size_t size;
  void* unused;
  int type;
  const char* chip;
  const uint8_t* availability;
  void* host;
  static constexpr size_t Size() { return offsetof(HostInitialize, host) + sizeof(host); }
};

struct HostDeinitialize {
  size_t size;
  void* unused;
  void* host;
  static constexpr size_t Size() { return offsetof(HostDeinitialize, host) + sizeof(host); }
};

struct AddMetrics {
  size_t size;
  void* unused;
  void* host;
  const char** metrics;
  size_t count;
  static constexpr size_t Size() { return offsetof(AddMetrics, count) + sizeof(count); }
};

struct GetConfigSize {
  size_t size;
  void* unused;
  void* host;
  size_t bytes;
  static constexpr size_t Size() { return offsetof(GetConfigSize, bytes) + sizeof(bytes); }
};

struct GetConfig {
  size_t size;
  void* unused;
  void* host;
  size_t bytes;
  uint8_t* config;
  static constexpr size_t Size() { return offsetof(GetConfig, config) + sizeof(config); }
};

struct GetPasses {
  size_t size;
  void* unused;
  size_t bytes;
  uint8_t* config;
  size_t passes;
  static constexpr size_t Size() { return offsetof(GetPasses, passes) + sizeof(passes); }
};

struct Evaluate {
  size_t size;
  void* unused;
  void* host;
  const uint8_t* data;
  size_t data_bytes;
  size_t sample;
  const char** metrics;
  size_t count;
  double* values;
  static constexpr size_t Size() { return offsetof(Evaluate, values) + sizeof(values); }
};

struct Enable {
  size_t size;
  void* unused;
  size_t device;
  void* sampling;
  static constexpr size_t Size() { return offsetof(Enable, sampling) + sizeof(sampling); }
};

// Of Disable, Start and Stop.
struct OfSampling {
  size_t size;
  void* unused;
  void* sampling;
  static constexpr size_t Size() { return offsetof(OfSampling, sampling) + sizeof(sampling); }
};

struct SetConfig {
  size_t size;
  void* unused;
  void* sampling;
  size_t config_bytes;
  const uint8_t* config;
  size_t hardware_buffer_bytes;
  uint64_t interval;
  int trigger;
  int append;
  static constexpr size_t Size() { return offsetof(SetConfig, append) + sizeof(append); }
};

struct GetDataSize {
  size_t size;
  void* unused;
  void* sampling;
  const char** metrics;
  size_t count;
  uint32_t most_samples;
  size_t bytes;
  static constexpr size_t Size() { return offsetof(GetDataSize, bytes) + sizeof(bytes); }
};

struct InitializeData {
  size_t size;
  void* unused;
  void* sampling;
  size_t bytes;
  uint8_t* data;
  static constexpr size_t Size() { return offsetof(InitializeData, data) + sizeof(data); }
};

struct Decode {
  size_t size;
  void* unused;
  void* sampling;
  uint8_t* data;
  size_t bytes;
  int stopped_at;
  uint8_t overflow;
  static constexpr size_t Size() { return offsetof(Decode, overflow) + sizeof(overflow); }
};

struct GetDataInfo {
  size_t size;
  void* unused;
  const uint8_t* data;
  size_t bytes;
  size_t room;
  size_t populated;
  size_t completed;
  static constexpr size_t Size() { return offsetof(GetDataInfo, completed) + sizeof(completed); }
};

struct GetSampleInfo {
  size_t size;
  void* unused;
  void* sampling;
  const uint8_t* data;
  size_t bytes;
  size_t sample;
  uint64_t start_ns;
  uint64_t end_ns;
  static constexpr size_t Size() { return offsetof(GetSampleInfo, end_ns) + sizeof(end_ns); }
};

}  // namespace warpsight::gpu_metrics
