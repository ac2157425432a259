// A CUPTI without a GPU: a library that the recorder loads in its place and that hands it records of launches which the fake
// program (fake_gpu_program.cc) says it made. Records have the layout of CUPTI 13; buffers are asked for, filled and
// returned as CUPTI does it: one at a time, the rest of a launch dropped and counted when there is none.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/cupti_library.h"

namespace {

using namespace warpsight::capture::cupti;

constexpr size_t kKernelBytes = 216;
constexpr size_t kCallBytes = 40;
constexpr size_t kDeviceBytes = 184;
constexpr uint32_t kLaunchKernel = 211;  // CUPTI's numbers of functions of the runtime
constexpr uint32_t kGraphLaunch = 311;

std::mutex mutex;
BufferRequested requested = nullptr;
BufferCompleted completed = nullptr;
uint64_t (*clock_of_recorder)() = nullptr;
bool enabled[128] = {};
uint8_t* buffer = nullptr;
size_t buffer_bytes = 0;
size_t used = 0;
std::atomic<size_t> dropped{0};
uint64_t flush_period_ns = 0;
uint64_t flushed_ns = 0;
Callback subscribed = nullptr;
bool callback_enabled[4][512] = {};  // by domain and number

// Kernels that the GPU has not finished.
struct Running {
  const char* name;
  uint32_t correlation;
  uint64_t start_ns;
  uint64_t end_ns;
};
std::vector<Running> running;

template <typename T>
void Put(uint8_t* record, size_t offset, T value) {
  std::memcpy(record + offset, &value, sizeof(value));
}

void Return() {
  if (buffer == nullptr) return;
  uint8_t* const full = buffer;
  buffer = nullptr;
  completed(nullptr, 0, full, buffer_bytes, used);
}

// Room for one record; null when it must be dropped.
uint8_t* Room(size_t bytes) {
  if (buffer != nullptr && used + bytes > buffer_bytes) Return();
  if (buffer == nullptr) {
    size_t most_records = 0;
    requested(&buffer, &buffer_bytes, &most_records);
    used = 0;
    if (buffer == nullptr || buffer_bytes < bytes) {
      buffer = nullptr;
      ++dropped;
      return nullptr;
    }
  }
  uint8_t* const record = buffer + used;
  std::memset(record, 0, bytes);
  used += bytes;
  return record;
}

bool IsEnabled(ActivityKind kind) { return requested != nullptr && enabled[static_cast<uint32_t>(kind)]; }

uint64_t Now() { return clock_of_recorder == nullptr ? 1'000'000 : clock_of_recorder(); }

uint8_t* RecordKernel(const Running& one, bool finished) {
  uint8_t* const kernel = Room(kKernelBytes);
  if (kernel == nullptr) return nullptr;
  Put(kernel, 0, ActivityKind::kConcurrentKernel);
  Put<uint16_t>(kernel, KernelFields::kRegisters, 32);
  Put<uint64_t>(kernel, KernelFields::kStart, finished ? one.start_ns : 0);
  Put<uint64_t>(kernel, KernelFields::kEnd, finished ? one.end_ns : 0);
  Put<uint32_t>(kernel, KernelFields::kContext, 1);
  Put<uint32_t>(kernel, KernelFields::kStream, 7);
  for (size_t i = 0; i < 3; ++i) {
    Put<int32_t>(kernel, KernelFields::kGrid + 4 * i, static_cast<int32_t>(i + 1));
    Put<int32_t>(kernel, KernelFields::kBlock + 4 * i, i == 0 ? 128 : 1);
  }
  Put(kernel, KernelFields::kCorrelation, one.correlation);
  Put(kernel, KernelFields::kName, one.name);
  return kernel;
}

// What was launched while kernels were recorded, once it is finished; with `all` the rest too, without its times.
void RecordFinished(bool all) {
  std::vector<Running> still;
  for (const Running& one : running) {
    const bool finished = one.end_ns <= Now();
    if (finished || all) {
      RecordKernel(one, finished);
    } else {
      still.push_back(one);
    }
  }
  running.swap(still);
}

// A call of the driver, for who has subscribed to it.
void Call(uint32_t number) {
  for (const uint32_t site : {kCallbackEnter, kCallbackExit}) {
    if (subscribed != nullptr && callback_enabled[static_cast<size_t>(CallbackDomain::kDriver)][number])
      subscribed(nullptr, static_cast<uint32_t>(CallbackDomain::kDriver), number, &site);
  }
}

// A node of a graph, for who has subscribed to it. Its number stands for the pointer to it.
void TellNode(uint32_t number, uint64_t node, uint64_t original) {
  constexpr auto kDomain = static_cast<uint32_t>(CallbackDomain::kResource);
  uint8_t graph[56] = {};
  uint8_t resource[24] = {};
  Put(graph, GraphDataFields::kNode, node);
  Put(graph, GraphDataFields::kOriginalNode, original);
  Put<const uint8_t*>(resource, ResourceFields::kDescriptor, graph);
  if (subscribed != nullptr && callback_enabled[kDomain][number]) subscribed(nullptr, kDomain, number, resource);
}

void RecordCall(uint32_t number, uint64_t start_ns, uint32_t thread, uint32_t correlation) {
  if (!IsEnabled(ActivityKind::kRuntime)) return;
  uint8_t* const call = Room(kCallBytes);
  if (call == nullptr) return;
  Put(call, 0, ActivityKind::kRuntime);
  Put<uint32_t>(call, CallFields::kCallback, number);
  Put<uint64_t>(call, CallFields::kStart, start_ns);
  Put<uint64_t>(call, CallFields::kEnd, Now());
  Put(call, CallFields::kThread, thread);
  Put(call, CallFields::kCorrelation, correlation);
}

}  // namespace

#define WARPSIGHT_FAKE extern "C" __attribute__((visibility("default")))

// What the fake program calls in place of a launch; the kernel runs for `run_ns`, 0 = it is over at once.
WARPSIGHT_FAKE void FakeLongLaunch(const char* name, uint32_t thread, uint32_t correlation, uint64_t run_ns) {
  const std::lock_guard lock(mutex);
  RecordFinished(false);
  const uint64_t now = Now();
  if (flush_period_ns != 0 && now - flushed_ns > flush_period_ns) {
    flushed_ns = now;
    Return();
  }
  RecordCall(kLaunchKernel, now, thread, correlation);
  if (!IsEnabled(ActivityKind::kConcurrentKernel)) return;
  const Running one = {name, correlation, now + 5000, now + (run_ns == 0 ? 7500 : run_ns)};
  if (run_ns == 0) {
    RecordKernel(one, true);
  } else {
    running.push_back(one);
  }
}
WARPSIGHT_FAKE void FakeLaunch(const char* name, uint32_t thread, uint32_t correlation) {
  FakeLongLaunch(name, thread, correlation, 0);
}
// A launch in a stream that is captured: nothing runs, a graph gets a node.
WARPSIGHT_FAKE void FakeCapturedLaunch(uint64_t node, uint32_t thread, uint32_t correlation) {
  const uint64_t start = Now();
  TellNode(kGraphNodeCreated, node, 0);
  const std::lock_guard lock(mutex);
  RecordCall(kLaunchKernel, start, thread, correlation);
}
// A node of the graph that is instantiated.
WARPSIGHT_FAKE void FakeClone(uint64_t node, uint64_t original) {
  TellNode(kGraphNodeCreated, node, 0);
  TellNode(kGraphNodeCloned, node, original);
}
// A replay of kernels named by their nodes.
WARPSIGHT_FAKE void FakeGraphLaunch(const char* const* names, const uint64_t* nodes, int count, uint32_t thread,
                                    uint32_t correlation) {
  const std::lock_guard lock(mutex);
  const uint64_t now = Now();
  RecordCall(kGraphLaunch, now, thread, correlation);
  for (int i = 0; i < count && IsEnabled(ActivityKind::kConcurrentKernel); ++i) {
    const uint64_t start = now + 5000 + 3000 * static_cast<uint64_t>(i);
    if (uint8_t* const kernel = RecordKernel({names[i], correlation, start, start + 2500}, true)) {
      Put(kernel, KernelFields::kGraphNode, nodes[i]);
      Put<uint32_t>(kernel, KernelFields::kGraph, 2);
    }
  }
}
// cudaProfilerStart and cudaProfilerStop.
WARPSIGHT_FAKE void FakeProfilerStart() { Call(kDriverProfilerStart); }
WARPSIGHT_FAKE void FakeProfilerStop() { Call(kDriverProfilerStop); }

WARPSIGHT_FAKE int cuptiActivityFlushPeriod(uint32_t milliseconds) {
  const std::lock_guard lock(mutex);
  flush_period_ns = uint64_t{milliseconds} * 1'000'000;
  return 0;
}
WARPSIGHT_FAKE int cuptiSubscribe(void** subscriber, Callback on_call, void* /*user*/) {
  if (subscribed != nullptr) return 39;  // as CUPTI: there is one
  *subscriber = &subscribed;
  subscribed = on_call;
  return 0;
}
WARPSIGHT_FAKE int cuptiUnsubscribe(void* /*subscriber*/) {
  subscribed = nullptr;
  return 0;
}
WARPSIGHT_FAKE int cuptiEnableCallback(uint32_t enable, void* /*subscriber*/, uint32_t domain, uint32_t number) {
  callback_enabled[domain][number] = enable != 0;
  return 0;
}
WARPSIGHT_FAKE int cuptiGetGraphNodeId(void* node, uint64_t* id) {
  *id = reinterpret_cast<uint64_t>(node);
  return 0;
}

WARPSIGHT_FAKE int cuptiGetVersion(uint32_t* version) {
  *version = 130001;
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityRegisterCallbacks(BufferRequested on_request, BufferCompleted on_complete) {
  const std::lock_guard lock(mutex);
  requested = on_request;
  completed = on_complete;
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityEnable(uint32_t kind) {
  const std::lock_guard lock(mutex);
  if (kind == static_cast<uint32_t>(ActivityKind::kPeerMemcpy)) return 27;  // a kind that this one does not know
  enabled[kind] = true;
  if (static_cast<ActivityKind>(kind) != ActivityKind::kDevice) return 0;
  if (uint8_t* device = Room(kDeviceBytes)) {
    Put(device, 0, ActivityKind::kDevice);
    Put<uint64_t>(device, DeviceFields::kMemory, uint64_t{80} << 30);
    Put<uint32_t>(device, DeviceFields::kSms, 132);
    Put<uint32_t>(device, DeviceFields::kMajor, 9);
    Put<const char*>(device, DeviceFields::kName, "Fake GPU");
    for (uint8_t i = 0; i < 16; ++i) Put<uint8_t>(device, DeviceFields::kUuid + i, 16 + i);  // fake_nvml.cc's second
  }
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityDisable(uint32_t kind) {
  const std::lock_guard lock(mutex);
  enabled[kind] = false;
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityFlushAll(uint32_t flag) {
  const std::lock_guard lock(mutex);
  RecordFinished(flag == kFlushForced);
  Return();
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityGetNextRecord(uint8_t* bytes, size_t valid, uint8_t** record) {
  size_t at = 0;
  if (*record != nullptr) {
    const auto kind = Field<ActivityKind>(*record, 0);
    at = static_cast<size_t>(*record - bytes) + (kind == ActivityKind::kConcurrentKernel ? kKernelBytes
                                                 : kind == ActivityKind::kDevice         ? kDeviceBytes
                                                                                         : kCallBytes);
  }
  if (at >= valid) return kMaxLimitReached;
  *record = bytes + at;
  return 0;
}
// Called from CUPTI's own callback, where the lock is held, and from outside.
WARPSIGHT_FAKE int cuptiActivityGetNumDroppedRecords(void* /*context*/, uint32_t /*stream*/, size_t* number) {
  *number = dropped.exchange(0);
  return 0;
}
WARPSIGHT_FAKE int cuptiGetCallbackName(uint32_t domain, uint32_t callback, const char** name) {
  if (domain != 2 || (callback != kLaunchKernel && callback != kGraphLaunch)) return 1;
  *name = callback == kLaunchKernel ? "cudaLaunchKernel_v7000" : "cudaGraphLaunch_v10000";
  return 0;
}
WARPSIGHT_FAKE int cuptiGetResultString(int /*result*/, const char** text) {
  *text = "FAKE_ERROR";
  return 0;
}
WARPSIGHT_FAKE int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)()) {
  clock_of_recorder = clock;
  return 0;
}
