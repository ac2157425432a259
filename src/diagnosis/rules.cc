#include "diagnosis/rule.h"

namespace warpsight {
namespace {

constexpr Needs kIdleNeeds = Needs::kGpuWork | Needs::kApiCalls;

// In the order in which gains are granted: the special before the general.
constexpr Rule kRules[] = {
    // Time that another rank costs.
    {"slow_rank", "Do the ranks wait for one of them?", Needs::kGpuWork, RunSlowRank, LacksRanks},
    // Idle time.
    {"allocator_traffic", "Is memory allocated and freed inside of the step?", kIdleNeeds, RunAllocatorTraffic},
    {"data_loading", "Does the step wait for its data?", kIdleNeeds, RunDataLoading},
    {"blocking_copies", "Do copies between host and device block the step?", Needs::kGpuWork, RunBlockingCopies},
    {"synchronisation", "Does the host sleep in a synchronising call while the GPU runs dry?", kIdleNeeds,
     RunSynchronisation},
    {"round_trip", "Does a value travel through the host before the next launch?", kIdleNeeds, RunRoundTrip},
    {"device_wait", "Does queued work wait for another stream or a copy?", kIdleNeeds, RunDeviceWait},
    {"serial_dispatch", "Does the GPU wait for the host to launch its work?", kIdleNeeds, RunSerialDispatch},
    // GPU time.
    {"optimizer", "Does the optimizer read and write its tensors more than once?", Needs::kGpuWork, RunOptimizer},
    {"unfused_attention", "Does attention write its scores to memory?", Needs::kGpuWork, RunUnfusedAttention},
    {"unfused_norm", "Does normalisation run op by op?", Needs::kGpuWork, RunUnfusedNorm},
    {"cat_kv_cache", "Is the KV cache copied whole to append to it?", Needs::kGpuWork | Needs::kShapes, RunCatKvCache},
    {"tensor_cores_unused", "Are there GEMMs that do not use the tensor cores?", Needs::kGpuWork, RunTensorCoresUnused},
    {"wide_types", "Are there FP32 or FP64 kernels in a half-precision model?", Needs::kGpuWork, RunWideTypes},
    {"one_stream", "Does work that could run beside the kernels stand in line with them?", Needs::kGpuWork, RunOneStream},
    {"exposed_collectives", "Do collectives run with nothing beside them?", Needs::kGpuWork, RunExposedCollectives},
    {"elementwise_fusion", "Are there many elementwise kernels in a row?", Needs::kGpuWork, RunElementwiseFusion},
    {"small_kernels", "Is the GPU's time in many tiny kernels?", Needs::kGpuWork, RunSmallKernels},
    {"clocks", "Are the GPU's clocks low or throttled?", Needs::kNothing, RunClocks, LacksClocks},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace warpsight
