#include "diagnosis/rule.h"

namespace warpsight {
namespace {

constexpr Rule kRules[] = {
    {"serial_dispatch", "Does the GPU wait for the host to launch its work?", Needs::kGpuWork | Needs::kApiCalls,
     RunSerialDispatch},
    {"synchronisation", "Does the host sleep in a synchronising call while the GPU runs dry?",
     Needs::kGpuWork | Needs::kApiCalls, RunSynchronisation},
    {"round_trip", "Does a value travel through the host before the next launch?", Needs::kGpuWork | Needs::kApiCalls,
     RunRoundTrip},
    {"device_wait", "Does queued work wait for another stream or a copy?", Needs::kGpuWork | Needs::kApiCalls,
     RunDeviceWait},
    {"exposed_collectives", "Do collectives run with nothing beside them?", Needs::kGpuWork, RunExposedCollectives},
    {"slow_rank", "Do the ranks wait for one of them?", Needs::kGpuWork, RunSlowRank},
    {"small_kernels", "Is the GPU's time in many tiny kernels?", Needs::kGpuWork, RunSmallKernels},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace warpsight
