// The part of CUPTI's binary interface that is used here, declared by ourselves: kinds, and where the fields of a record
// stand. So the library builds without CUDA and one build works with CUPTI 11 to 13.
//
// CUPTI only appends to its records (CUpti_ActivityKernel4 to 10, Memcpy4 to 6, Memset3 and 4, Device2 to 5): the offsets
// below hold for all of them, and fields behind the older sizes (the cluster) are read only from a CUPTI that has them.
// Source: cupti_activity.h and cupti_activity_deprecated.h of CUDA 13.0; cupti_abi_test.cc compares every number with the
// headers where they are installed. Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpsight::capture::cupti {

enum class ActivityKind : uint32_t {
  kMemcpy = 1,
  kMemset = 2,
  kDriver = 4,
  kRuntime = 5,
  kDevice = 8,
  kConcurrentKernel = 10,
  kOverhead = 17,
  kPeerMemcpy = 22,
  kCudaEvent = 36,
  kSynchronization = 38,
  kGraphTrace = 51,
};

enum class CallbackDomain : uint32_t { kDriver = 1, kRuntime = 2, kResource = 3 };
inline constexpr uint32_t kDriverProfilerStart = 308;  // CUPTI_DRIVER_TRACE_CBID_cuProfilerStart
inline constexpr uint32_t kDriverProfilerStop = 309;
inline constexpr uint32_t kGraphNodeCreated = 13;  // CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED
inline constexpr uint32_t kGraphNodeCloned = 20;   // CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED
inline constexpr uint32_t kCallbackEnter = 0;
inline constexpr uint32_t kCallbackExit = 1;
inline constexpr uint32_t kThreadIdSystem = 1;  // CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM: gettid
inline constexpr uint32_t kFlushForced = 1;
inline constexpr int kSuccess = 0;
inline constexpr int kMaxLimitReached = 12;  // CUPTI_ERROR_MAX_LIMIT_REACHED: no further record in the buffer

struct KernelFields {
  static constexpr size_t kRegisters = 6, kStart = 16, kEnd = 24, kDevice = 40, kContext = 44, kStream = 48, kGrid = 52,
                          kBlock = 64, kStaticShared = 76, kDynamicShared = 80, kCorrelation = 92, kName = 104,
                          kLaunchType = 136, kGraphNode = 144, kGraph = 156, kCluster = 176;
};
struct CopyFields {
  static constexpr size_t kKind = 4, kSource = 5, kTarget = 6, kFlags = 7, kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32,
                          kContext = 36, kStream = 40, kCorrelation = 44, kGraphNode = 64, kGraph = 72;
};
// Between devices (CUpti_ActivityMemcpyPtoP): as CopyFields up to the stream.
struct PeerCopyFields {
  static constexpr size_t kCorrelation = 60, kGraphNode = 72, kGraph = 80;
};
struct SetFields {
  static constexpr size_t kValue = 4, kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32, kContext = 36, kStream = 40,
                          kCorrelation = 44, kMemory = 50, kGraphNode = 64, kGraph = 72;
};
struct CallFields {
  static constexpr size_t kCallback = 4, kStart = 8, kEnd = 16, kProcess = 24, kThread = 28, kCorrelation = 32, kResult = 36;
};
struct SyncFields {
  static constexpr size_t kType = 4, kStart = 8, kEnd = 16, kCorrelation = 24, kContext = 28, kStream = 32, kEvent = 36;
};
// Since CUPTI 12.8 (CUpti_ActivityCudaEvent2); before, there is no time in it.
struct CudaEventFields {
  static constexpr size_t kCorrelation = 4, kContext = 8, kStream = 12, kEvent = 16, kDevice = 24, kTime = 40;
};
struct OverheadFields {
  static constexpr size_t kKind = 4, kObjectKind = 8, kObjectThread = 16, kStart = 24, kEnd = 32;
};
inline constexpr uint32_t kObjectIsThread = 2;  // CUPTI_ACTIVITY_OBJECT_THREAD
struct GraphFields {
  static constexpr size_t kCorrelation = 4, kStart = 8, kEnd = 16, kDevice = 24, kGraph = 28, kContext = 32, kStream = 36;
};
// What callbacks on resources are handed (CUpti_ResourceData), and what it leads to for graphs (CUpti_GraphData).
struct ResourceFields {
  static constexpr size_t kDescriptor = 16;
};
struct GraphDataFields {
  static constexpr size_t kNode = 16, kOriginalNode = 24;
};
struct DeviceFields {
  static constexpr size_t kBandwidth = 8, kMemory = 16, kL2 = 28, kClock = 36, kSms = 44, kMajor = 104, kMinor = 108,
                          kId = 112, kUuid = 120, kName = 136;
};
// First CUPTI whose kernel records have the cluster (CUDA 11.8).
inline constexpr uint32_t kVersionWithCluster = 18;

// The field of type T at `offset` of a record; records are packed, so it may stand anywhere.
template <typename T>
T Field(const uint8_t* record, size_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof(value));
  return value;
}

}  // namespace warpsight::capture::cupti
