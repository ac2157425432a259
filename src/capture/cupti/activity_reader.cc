#include "capture/cupti/activity_reader.h"

#include <algorithm>

#include "base/api_call_name.h"
#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/followed_calls.h"

namespace warpsight::capture::cupti {
namespace {

wire::Span SpanOf(const uint8_t* record, size_t start, size_t end, size_t correlation) {
  return {Field<uint64_t>(record, start), Field<uint64_t>(record, end), Field<uint32_t>(record, correlation)};
}

wire::CopyRecord CopyOf(const uint8_t* record, bool peer) {
  using F = CopyFields;
  wire::CopyRecord copy;
  copy.kind = Field<uint8_t>(record, F::kKind);
  copy.source_memory = Field<uint8_t>(record, F::kSource);
  copy.target_memory = Field<uint8_t>(record, F::kTarget);
  copy.flags = Field<uint8_t>(record, F::kFlags);
  copy.bytes = Field<uint64_t>(record, F::kBytes);
  copy.span = SpanOf(record, F::kStart, F::kEnd, peer ? PeerCopyFields::kCorrelation : F::kCorrelation);
  copy.place = {Field<uint32_t>(record, F::kDevice), Field<uint32_t>(record, F::kContext),
                Field<uint32_t>(record, F::kStream), Field<uint32_t>(record, peer ? PeerCopyFields::kGraph : F::kGraph)};
  copy.graph_node = Field<uint64_t>(record, peer ? PeerCopyFields::kGraphNode : F::kGraphNode);
  return copy;
}

wire::SetRecord SetOf(const uint8_t* record) {
  using F = SetFields;
  wire::SetRecord set;
  set.value = Field<uint32_t>(record, F::kValue);
  set.memory = Field<uint16_t>(record, F::kMemory);
  set.bytes = Field<uint64_t>(record, F::kBytes);
  set.span = SpanOf(record, F::kStart, F::kEnd, F::kCorrelation);
  set.place = {Field<uint32_t>(record, F::kDevice), Field<uint32_t>(record, F::kContext),
               Field<uint32_t>(record, F::kStream), Field<uint32_t>(record, F::kGraph)};
  set.graph_node = Field<uint64_t>(record, F::kGraphNode);
  return set;
}

wire::SyncRecord SyncOf(const uint8_t* record) {
  using F = SyncFields;
  wire::SyncRecord sync;
  sync.type = Field<uint32_t>(record, F::kType);
  sync.span = SpanOf(record, F::kStart, F::kEnd, F::kCorrelation);
  sync.place.context = Field<uint32_t>(record, F::kContext);
  sync.place.stream = Field<uint32_t>(record, F::kStream);
  sync.event = Field<uint32_t>(record, F::kEvent);
  return sync;
}

wire::CudaEventRecord CudaEventOf(const uint8_t* record) {
  using F = CudaEventFields;
  wire::CudaEventRecord event;
  event.place = {Field<uint32_t>(record, F::kDevice), Field<uint32_t>(record, F::kContext),
                 Field<uint32_t>(record, F::kStream), 0};
  event.event = Field<uint32_t>(record, F::kEvent);
  event.span = SpanOf(record, F::kTime, F::kTime, F::kCorrelation);
  return event;
}

wire::OverheadRecord OverheadOf(const uint8_t* record) {
  using F = OverheadFields;
  wire::OverheadRecord overhead;
  overhead.kind = Field<uint32_t>(record, F::kKind);
  if (Field<uint32_t>(record, F::kObjectKind) == kObjectIsThread)
    overhead.thread = Field<uint32_t>(record, F::kObjectThread);
  overhead.start_ns = Field<uint64_t>(record, F::kStart);
  overhead.end_ns = Field<uint64_t>(record, F::kEnd);
  return overhead;
}

wire::GraphRecord GraphOf(const uint8_t* record) {
  using F = GraphFields;
  wire::GraphRecord graph;
  graph.span = SpanOf(record, F::kStart, F::kEnd, F::kCorrelation);
  graph.place = {Field<uint32_t>(record, F::kDevice), Field<uint32_t>(record, F::kContext),
                 Field<uint32_t>(record, F::kStream), Field<uint32_t>(record, F::kGraph)};
  return graph;
}

wire::DeviceRecord DeviceOf(const uint8_t* record) {
  using F = DeviceFields;
  wire::DeviceRecord device;
  device.id = Field<uint32_t>(record, F::kId);
  if (const char* name = Field<const char*>(record, F::kName)) device.name = name;
  device.memory_bytes = Field<uint64_t>(record, F::kMemory);
  device.memory_bandwidth_kb_per_s = Field<uint64_t>(record, F::kBandwidth);
  device.sm_count = Field<uint32_t>(record, F::kSms);
  device.compute_major = Field<uint32_t>(record, F::kMajor);
  device.compute_minor = Field<uint32_t>(record, F::kMinor);
  device.l2_bytes = Field<uint32_t>(record, F::kL2);
  device.clock_khz = Field<uint32_t>(record, F::kClock);
  for (size_t i = 0; i < device.uuid.size(); ++i) device.uuid[i] = Field<uint8_t>(record, F::kUuid + i);
  return device;
}

}  // namespace

uint64_t ActivityReader::AddKernel(const uint8_t* record, wire::ChunkEncoder& encoder) {
  using F = KernelFields;
  if (Field<uint64_t>(record, F::kStart) == 0) {
    ++without_time_;
    return 0;
  }
  wire::KernelRecord kernel;
  if (const char* name = Field<const char*>(record, F::kName)) kernel.name = name;
  for (size_t i = 0; i < 3; ++i) {
    kernel.grid[i] = Field<int32_t>(record, F::kGrid + 4 * i);
    kernel.block[i] = Field<int32_t>(record, F::kBlock + 4 * i);
    if (cupti_.version >= kVersionWithCluster) kernel.cluster[i] = Field<uint32_t>(record, F::kCluster + 4 * i);
  }
  kernel.registers_per_thread = Field<uint16_t>(record, F::kRegisters);
  kernel.static_shared_bytes = Field<int32_t>(record, F::kStaticShared);
  kernel.dynamic_shared_bytes = Field<int32_t>(record, F::kDynamicShared);
  kernel.launch_type = Field<uint8_t>(record, F::kLaunchType);
  kernel.span = SpanOf(record, F::kStart, F::kEnd, F::kCorrelation);
  kernel.place = {Field<uint32_t>(record, F::kDevice), Field<uint32_t>(record, F::kContext),
                  Field<uint32_t>(record, F::kStream), Field<uint32_t>(record, F::kGraph)};
  kernel.graph_node = Field<uint64_t>(record, F::kGraphNode);
  if (kernel.place.device < 64) devices_with_work_ |= uint64_t{1} << kernel.place.device;
  encoder.Add(kernel);
  return kernel.span.end_ns;
}

const std::string& ActivityReader::CallName(uint32_t domain, uint32_t callback) {
  const auto [found, added] = call_names_.try_emplace(uint64_t{domain} << 32 | callback);
  if (added) {
    const char* name = nullptr;
    if (cupti_.GetCallbackName(domain, callback, &name) == kSuccess && name != nullptr) {
      found->second = WithoutCudaVersion(name);
    } else {
      found->second = (domain == static_cast<uint32_t>(CallbackDomain::kDriver) ? "driver call " : "runtime call ") +
                      std::to_string(callback);
    }
  }
  return found->second;
}

uint64_t ActivityReader::AddCall(const uint8_t* record, uint32_t domain, wire::ChunkEncoder& encoder) {
  using F = CallFields;
  wire::CallRecord call;
  call.name = CallName(domain, Field<uint32_t>(record, F::kCallback));
  call.thread = Field<uint32_t>(record, F::kThread);
  call.result = Field<uint32_t>(record, F::kResult);
  call.span = SpanOf(record, F::kStart, F::kEnd, F::kCorrelation);
  encoder.Add(call);
  return call.span.end_ns;
}

uint64_t ActivityReader::Add(const uint8_t* record, wire::ChunkEncoder& encoder) {
  const auto take = [&](const auto& taken) -> uint64_t {
    if (taken.span.start_ns == 0) {
      ++without_time_;
      return 0;
    }
    encoder.Add(taken);
    return taken.span.end_ns;
  };
  switch (static_cast<ActivityKind>(Field<uint32_t>(record, 0))) {
    case ActivityKind::kConcurrentKernel:
      return AddKernel(record, encoder);
    case ActivityKind::kRuntime:
      return AddCall(record, static_cast<uint32_t>(CallbackDomain::kRuntime), encoder);
    case ActivityKind::kDriver:
      return AddCall(record, static_cast<uint32_t>(CallbackDomain::kDriver), encoder);
    case ActivityKind::kMemcpy:
      return take(CopyOf(record, false));
    case ActivityKind::kPeerMemcpy:
      return take(CopyOf(record, true));
    case ActivityKind::kMemset:
      return take(SetOf(record));
    case ActivityKind::kSynchronization:
      return take(SyncOf(record));
    case ActivityKind::kGraphTrace:
      return take(GraphOf(record));
    case ActivityKind::kCudaEvent:
      return take(CudaEventOf(record));
    case ActivityKind::kOverhead: {
      const wire::OverheadRecord overhead = OverheadOf(record);
      encoder.Add(overhead);
      return overhead.end_ns;
    }
    case ActivityKind::kDevice: {
      const wire::DeviceRecord device = DeviceOf(record);
      encoder.Add(device);
      const auto same = [&](const auto& seen) { return seen.first.id == device.id; };
      if (std::find_if(devices_.begin(), devices_.end(), same) == devices_.end()) devices_.emplace_back(device, device.name);
      return 0;
    }
  }
  ++unknown_;
  return 0;
}

void ActivityReader::Read(uint8_t* buffer, size_t valid_bytes, wire::ChunkEncoder& encoder,
                          const std::function<void(uint64_t newest_ns)>& after_each) {
  if (valid_bytes == 0) return;
  uint8_t* record = nullptr;
  int result = kSuccess;
  while ((result = cupti_.ActivityGetNextRecord(buffer, valid_bytes, &record)) == kSuccess) after_each(Add(record, encoder));
  unread_buffers_ += result == kMaxLimitReached ? 0 : 1;
}

}  // namespace warpsight::capture::cupti
