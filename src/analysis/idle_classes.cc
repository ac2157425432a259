#include "analysis/idle_classes.h"

#include <algorithm>

namespace warpsight {
namespace {

constexpr IdleClassInfo kInfos[kIdleClassCount] = {
    {"sync", "sync", "the host slept in a call", "the host slept in a synchronising call, then had to start again",
     "no synchronisation in the loop"},
    {"round_trip", "round trip", "a value went through the host",
     "a value travelled through the host before the next launch", "keep the value on the device"},
    {"host_work", "host work", "the queue was empty", "the queue was empty: the GPU waited for the framework",
     "fewer launches: CUDA Graphs, torch.compile, fusion; several launching threads"},
    {"launch", "launch", "the launch was on the way", "the launch itself was on the way", "CUDA Graphs, larger kernels"},
    {"device_wait", "device wait", "queued in time, but it waited",
     "queued in time, but it waited for another stream's event, a copy or an unknown cause",
     "overlap copies, reorder streams"},
    {"back_to_back", "back to back", "kernel-to-kernel latency", "hardware latency from kernel to kernel",
     "fusion, programmatic dependent launch"},
    {"edge", "edge", "no known launch, or the end", "the end of the capture, or before work with no known launch", ""},
};

}  // namespace

const IdleClassInfo& InfoOf(IdleClass kind) { return kInfos[static_cast<size_t>(kind)]; }

std::string_view DeviceWaitText(DeviceWait reason) {
  constexpr std::string_view kTexts[kDeviceWaitCount] = {"", "copy on the stream", "event of another stream", "unknown"};
  return kTexts[static_cast<size_t>(reason)];
}

IdleClass LargestPart(const IdleParts& parts) {
  return static_cast<IdleClass>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

Ns Sum(const IdleParts& parts) {
  Ns sum = 0;
  for (Ns part : parts) sum = SaturatingAdd(sum, part);
  return sum;
}

}  // namespace warpsight
