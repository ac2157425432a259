// PM sampling without a GPU: a part of the fake CUPTI (fake_cupti.cc), with the driver's functions that name devices. Two
// devices; a sample a millisecond at most, whose "SMs active" counts up from 1. The environment says what goes wrong:
// FAKE_PM=refused (no privileges), overflow (the hardware's buffer is full at the third round).
#include <time.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "gpu_metrics/pm_abi.h"

namespace {

using namespace warpsight::gpu_metrics;

constexpr uint64_t kBefore = 1'000'000'000;  // that the first sample begins before the sampling
constexpr size_t kRoom = 16;                 // samples of a data image, to have it full often

struct Sampling {
  size_t device = 0;
  uint64_t interval_ns = 0;
  uint64_t taken_ns = 0;
  double samples = 0;
  int rounds = 0;
};
struct Host {
  size_t metrics = 0;
};
struct DataHeader {
  size_t completed = 0;
  struct One {
    uint64_t start_ns, end_ns;
    double value;
  } samples[kRoom];
};

uint64_t Now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

bool Wrong(std::string_view what) {
  const char* wrong = std::getenv("FAKE_PM");
  return wrong != nullptr && what == wrong;
}

}  // namespace

#define WARPSIGHT_FAKE extern "C" __attribute__((visibility("default")))

WARPSIGHT_FAKE int cuInit(unsigned /*flags*/) { return 0; }
WARPSIGHT_FAKE int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
WARPSIGHT_FAKE int cuDeviceGet(int* device, int number) {
  *device = number;
  return 0;
}
WARPSIGHT_FAKE int cuDeviceGetName(char* name, int bytes, int /*device*/) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(bytes));
  return 0;
}
// The second is the one that the fake program uses as its first.
WARPSIGHT_FAKE int cuDeviceGetUuid(uint8_t uuid[16], int device) {
  for (uint8_t i = 0; i < 16; ++i) uuid[i] = static_cast<uint8_t>((device == 1 ? 16 : 100) + i);
  return 0;
}

WARPSIGHT_FAKE int cuptiProfilerInitialize(Initialize* /*what*/) { return 0; }
WARPSIGHT_FAKE int cuptiDeviceGetChipName(GetChipName* what) {
  what->name = "FAKE100";
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingGetCounterAvailability(GetCounterAvailability* what) {
  if (Wrong("refused")) return kMissingPrivileges;
  what->image_bytes = 8;
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostInitialize(HostInitialize* what) {
  what->host = new Host;
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostDeinitialize(HostDeinitialize* what) {
  delete static_cast<Host*>(what->host);
  return 0;
}
// It knows no counter of NVLink, and has room for five.
WARPSIGHT_FAKE int cuptiProfilerHostConfigAddMetrics(AddMetrics* what) {
  for (size_t i = 0; i < what->count; ++i) {
    if (std::string_view(what->metrics[i]).starts_with("nvl")) return 1;
  }
  static_cast<Host*>(what->host)->metrics = what->count;
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostGetConfigImageSize(GetConfigSize* what) {
  what->bytes = sizeof(size_t);
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostGetConfigImage(GetConfig* what) {
  std::memcpy(what->config, &static_cast<Host*>(what->host)->metrics, sizeof(size_t));
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostGetNumOfPasses(GetPasses* what) {
  size_t metrics = 0;
  std::memcpy(&metrics, what->config, sizeof(metrics));
  what->passes = metrics > 5 ? 2 : 1;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingEnable(Enable* what) {
  auto* sampling = new Sampling;
  sampling->device = what->device;
  what->sampling = sampling;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingDisable(OfSampling* what) {
  delete static_cast<Sampling*>(what->sampling);
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingSetConfig(SetConfig* what) {
  static_cast<Sampling*>(what->sampling)->interval_ns = what->interval;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingStart(OfSampling* what) {
  auto* sampling = static_cast<Sampling*>(what->sampling);
  // As CUPTI does: the first sample begins long before.
  sampling->taken_ns = Now() - kBefore;
  sampling->samples = 0;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingStop(OfSampling* /*what*/) { return 0; }
WARPSIGHT_FAKE int cuptiPmSamplingGetCounterDataSize(GetDataSize* what) {
  what->bytes = sizeof(DataHeader);
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingCounterDataImageInitialize(InitializeData* what) {
  std::memset(what->data, 0, what->bytes);
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingDecodeData(Decode* what) {
  auto* sampling = static_cast<Sampling*>(what->sampling);
  if (Wrong("overflow") && ++sampling->rounds == 3) return kOutOfMemory;
  auto* data = reinterpret_cast<DataHeader*>(what->data);
  const uint64_t now = Now();
  while (data->completed < kRoom) {
    uint64_t end_ns = sampling->taken_ns + sampling->interval_ns;
    if (sampling->samples == 0) end_ns += kBefore;
    if (end_ns > now) break;
    data->samples[data->completed++] = {sampling->taken_ns, end_ns, sampling->samples++};
    sampling->taken_ns = end_ns;
  }
  what->stopped_at = data->completed == kRoom ? kStoppedAtFullData : 2;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingGetCounterDataInfo(GetDataInfo* what) {
  what->room = kRoom;
  what->populated = what->completed = reinterpret_cast<const DataHeader*>(what->data)->completed;
  return 0;
}
WARPSIGHT_FAKE int cuptiPmSamplingCounterDataGetSampleInfo(GetSampleInfo* what) {
  const DataHeader::One& one = reinterpret_cast<const DataHeader*>(what->data)->samples[what->sample];
  what->start_ns = one.start_ns;
  what->end_ns = one.end_ns;
  return 0;
}
WARPSIGHT_FAKE int cuptiProfilerHostEvaluateToGpuValues(Evaluate* what) {
  const DataHeader::One& one = reinterpret_cast<const DataHeader*>(what->data)->samples[what->sample];
  for (size_t i = 0; i < what->count; ++i) what->values[i] = i == 0 ? one.value : 7.5;
  return 0;
}
