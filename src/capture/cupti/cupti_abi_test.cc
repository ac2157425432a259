// The offsets that we declare ourselves, against NVIDIA's headers where they are installed.
#include "capture/cupti/cupti_abi.h"

#include <gtest/gtest.h>

#if __has_include(<cupti.h>)
#include <cupti.h>

#include <cstddef>

namespace warpsight::capture::cupti {
namespace {

using Kernel = CUpti_ActivityKernel10;
static_assert(KernelFields::kRegisters == offsetof(Kernel, registersPerThread));
static_assert(KernelFields::kStart == offsetof(Kernel, start));
static_assert(KernelFields::kEnd == offsetof(Kernel, end));
static_assert(KernelFields::kDevice == offsetof(Kernel, deviceId));
static_assert(KernelFields::kContext == offsetof(Kernel, contextId));
static_assert(KernelFields::kStream == offsetof(Kernel, streamId));
static_assert(KernelFields::kGrid == offsetof(Kernel, gridX));
static_assert(KernelFields::kBlock == offsetof(Kernel, blockX));
static_assert(KernelFields::kStaticShared == offsetof(Kernel, staticSharedMemory));
static_assert(KernelFields::kDynamicShared == offsetof(Kernel, dynamicSharedMemory));
static_assert(KernelFields::kCorrelation == offsetof(Kernel, correlationId));
static_assert(KernelFields::kName == offsetof(Kernel, name));
static_assert(KernelFields::kLaunchType == offsetof(Kernel, launchType));
static_assert(KernelFields::kGraphNode == offsetof(Kernel, graphNodeId));
static_assert(KernelFields::kGraph == offsetof(Kernel, graphId));
static_assert(KernelFields::kCluster == offsetof(Kernel, clusterX));

template <typename Copy>
constexpr bool SameCopy(size_t correlation, size_t node, size_t graph) {
  return CopyFields::kKind == offsetof(Copy, copyKind) && CopyFields::kSource == offsetof(Copy, srcKind) &&
         CopyFields::kTarget == offsetof(Copy, dstKind) && CopyFields::kFlags == offsetof(Copy, flags) &&
         CopyFields::kBytes == offsetof(Copy, bytes) && CopyFields::kStart == offsetof(Copy, start) &&
         CopyFields::kEnd == offsetof(Copy, end) && CopyFields::kDevice == offsetof(Copy, deviceId) &&
         CopyFields::kContext == offsetof(Copy, contextId) && CopyFields::kStream == offsetof(Copy, streamId) &&
         correlation == offsetof(Copy, correlationId) && node == offsetof(Copy, graphNodeId) &&
         graph == offsetof(Copy, graphId);
}
static_assert(SameCopy<CUpti_ActivityMemcpy6>(CopyFields::kCorrelation, CopyFields::kGraphNode, CopyFields::kGraph));
static_assert(SameCopy<CUpti_ActivityMemcpyPtoP4>(PeerCopyFields::kCorrelation, PeerCopyFields::kGraphNode,
                                                  PeerCopyFields::kGraph));

using Set = CUpti_ActivityMemset4;
static_assert(SetFields::kValue == offsetof(Set, value) && SetFields::kBytes == offsetof(Set, bytes));
static_assert(SetFields::kStart == offsetof(Set, start) && SetFields::kEnd == offsetof(Set, end));
static_assert(SetFields::kDevice == offsetof(Set, deviceId) && SetFields::kContext == offsetof(Set, contextId));
static_assert(SetFields::kStream == offsetof(Set, streamId) && SetFields::kCorrelation == offsetof(Set, correlationId));
static_assert(SetFields::kMemory == offsetof(Set, memoryKind) && SetFields::kGraphNode == offsetof(Set, graphNodeId));
static_assert(SetFields::kGraph == offsetof(Set, graphId));

using Call = CUpti_ActivityAPI;
static_assert(CallFields::kCallback == offsetof(Call, cbid) && CallFields::kStart == offsetof(Call, start));
static_assert(CallFields::kEnd == offsetof(Call, end) && CallFields::kProcess == offsetof(Call, processId));
static_assert(CallFields::kThread == offsetof(Call, threadId) && CallFields::kCorrelation == offsetof(Call, correlationId));
static_assert(CallFields::kResult == offsetof(Call, returnValue));

using Sync = CUpti_ActivitySynchronization2;
static_assert(SyncFields::kType == offsetof(Sync, type) && SyncFields::kStart == offsetof(Sync, start));
static_assert(SyncFields::kEnd == offsetof(Sync, end) && SyncFields::kCorrelation == offsetof(Sync, correlationId));
static_assert(SyncFields::kContext == offsetof(Sync, contextId) && SyncFields::kStream == offsetof(Sync, streamId));
static_assert(SyncFields::kEvent == offsetof(Sync, cudaEventId));

using CudaEvent = CUpti_ActivityCudaEvent2;
static_assert(CudaEventFields::kCorrelation == offsetof(CudaEvent, correlationId));
static_assert(CudaEventFields::kContext == offsetof(CudaEvent, contextId));
static_assert(CudaEventFields::kStream == offsetof(CudaEvent, streamId));
static_assert(CudaEventFields::kEvent == offsetof(CudaEvent, eventId));
static_assert(CudaEventFields::kDevice == offsetof(CudaEvent, deviceId));
static_assert(CudaEventFields::kTime == offsetof(CudaEvent, deviceTimestamp));

using Overhead = CUpti_ActivityOverhead3;
static_assert(OverheadFields::kKind == offsetof(Overhead, overheadKind));
static_assert(OverheadFields::kObjectKind == offsetof(Overhead, objectKind));
static_assert(OverheadFields::kObjectThread ==
              offsetof(Overhead, objectId) + offsetof(CUpti_ActivityObjectKindId, pt.threadId));
static_assert(OverheadFields::kStart == offsetof(Overhead, start) && OverheadFields::kEnd == offsetof(Overhead, end));
static_assert(kObjectIsThread == CUPTI_ACTIVITY_OBJECT_THREAD);

using Graph = CUpti_ActivityGraphTrace2;
static_assert(GraphFields::kCorrelation == offsetof(Graph, correlationId) && GraphFields::kStart == offsetof(Graph, start));
static_assert(GraphFields::kEnd == offsetof(Graph, end) && GraphFields::kDevice == offsetof(Graph, deviceId));
static_assert(GraphFields::kGraph == offsetof(Graph, graphId) && GraphFields::kContext == offsetof(Graph, contextId));
static_assert(GraphFields::kStream == offsetof(Graph, streamId));

using Gpu = CUpti_ActivityDevice5;
static_assert(DeviceFields::kBandwidth == offsetof(Gpu, globalMemoryBandwidth));
static_assert(DeviceFields::kMemory == offsetof(Gpu, globalMemorySize) && DeviceFields::kL2 == offsetof(Gpu, l2CacheSize));
static_assert(DeviceFields::kClock == offsetof(Gpu, coreClockRate) &&
              DeviceFields::kSms == offsetof(Gpu, numMultiprocessors));
static_assert(DeviceFields::kMajor == offsetof(Gpu, computeCapabilityMajor));
static_assert(DeviceFields::kMinor == offsetof(Gpu, computeCapabilityMinor));
static_assert(DeviceFields::kId == offsetof(Gpu, id) && DeviceFields::kName == offsetof(Gpu, name));
static_assert(DeviceFields::kUuid == offsetof(Gpu, uuid));

static_assert(static_cast<int>(ActivityKind::kMemcpy) == CUPTI_ACTIVITY_KIND_MEMCPY);
static_assert(static_cast<int>(ActivityKind::kMemset) == CUPTI_ACTIVITY_KIND_MEMSET);
static_assert(static_cast<int>(ActivityKind::kDriver) == CUPTI_ACTIVITY_KIND_DRIVER);
static_assert(static_cast<int>(ActivityKind::kRuntime) == CUPTI_ACTIVITY_KIND_RUNTIME);
static_assert(static_cast<int>(ActivityKind::kDevice) == CUPTI_ACTIVITY_KIND_DEVICE);
static_assert(static_cast<int>(ActivityKind::kConcurrentKernel) == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
static_assert(static_cast<int>(ActivityKind::kOverhead) == CUPTI_ACTIVITY_KIND_OVERHEAD);
static_assert(static_cast<int>(ActivityKind::kPeerMemcpy) == CUPTI_ACTIVITY_KIND_MEMCPY2);
static_assert(static_cast<int>(ActivityKind::kSynchronization) == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
static_assert(static_cast<int>(ActivityKind::kCudaEvent) == CUPTI_ACTIVITY_KIND_CUDA_EVENT);
static_assert(static_cast<int>(ActivityKind::kGraphTrace) == CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
static_assert(kDriverProfilerStart == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
static_assert(kDriverProfilerStop == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
static_assert(kGraphNodeCreated == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
static_assert(kGraphNodeCloned == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
static_assert(static_cast<int>(CallbackDomain::kResource) == CUPTI_CB_DOMAIN_RESOURCE);
static_assert(ResourceFields::kDescriptor == offsetof(CUpti_ResourceData, resourceDescriptor));
static_assert(GraphDataFields::kNode == offsetof(CUpti_GraphData, node));
static_assert(GraphDataFields::kOriginalNode == offsetof(CUpti_GraphData, originalNode));
static_assert(kThreadIdSystem == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
static_assert(kMaxLimitReached == CUPTI_ERROR_MAX_LIMIT_REACHED);

TEST(CuptiAbiTest, OursIsTheHeaders) { SUCCEED() << "checked by the compiler against CUPTI " << CUPTI_API_VERSION; }

}  // namespace
}  // namespace warpsight::capture::cupti

#else

TEST(CuptiAbiTest, OursIsTheHeaders) { GTEST_SKIP() << "there is no cupti.h on this machine"; }

#endif
