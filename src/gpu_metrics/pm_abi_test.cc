// Our declarations, against NVIDIA's headers where they are installed.
#include "gpu_metrics/pm_abi.h"

#include <gtest/gtest.h>

#if __has_include(<cupti_pmsampling.h>)
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

namespace warpsight::gpu_metrics {
namespace {

#define SAME_FIELD(ours, field, theirs, name) \
  static_assert(offsetof(ours, field) == offsetof(theirs, name) && sizeof(ours::field) == sizeof(theirs::name))

static_assert(Initialize::Size() == CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
static_assert(GetChipName::Size() == CUpti_Device_GetChipName_Params_STRUCT_SIZE);
SAME_FIELD(GetChipName, device, CUpti_Device_GetChipName_Params, deviceIndex);
static_assert(GetCounterAvailability::Size() == CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE);
SAME_FIELD(GetCounterAvailability, device, CUpti_PmSampling_GetCounterAvailability_Params, deviceIndex);
SAME_FIELD(GetCounterAvailability, image_bytes, CUpti_PmSampling_GetCounterAvailability_Params,
           counterAvailabilityImageSize);
static_assert(HostInitialize::Size() == CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
SAME_FIELD(HostInitialize, type, CUpti_Profiler_Host_Initialize_Params, profilerType);
SAME_FIELD(HostInitialize, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
SAME_FIELD(HostInitialize, availability, CUpti_Profiler_Host_Initialize_Params, pCounterAvailabilityImage);
static_assert(HostDeinitialize::Size() == CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
static_assert(AddMetrics::Size() == CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
SAME_FIELD(AddMetrics, metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
static_assert(GetConfigSize::Size() == CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
static_assert(GetConfig::Size() == CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
SAME_FIELD(GetConfig, bytes, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
static_assert(GetPasses::Size() == CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
SAME_FIELD(GetPasses, config, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
static_assert(Evaluate::Size() == CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
SAME_FIELD(Evaluate, sample, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
SAME_FIELD(Evaluate, metrics, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
SAME_FIELD(Evaluate, count, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics);
static_assert(Enable::Size() == CUpti_PmSampling_Enable_Params_STRUCT_SIZE);
SAME_FIELD(Enable, device, CUpti_PmSampling_Enable_Params, deviceIndex);
static_assert(OfSampling::Size() == CUpti_PmSampling_Start_Params_STRUCT_SIZE);
static_assert(OfSampling::Size() == CUpti_PmSampling_Stop_Params_STRUCT_SIZE);
static_assert(OfSampling::Size() == CUpti_PmSampling_Disable_Params_STRUCT_SIZE);
static_assert(SetConfig::Size() == CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE);
SAME_FIELD(SetConfig, config, CUpti_PmSampling_SetConfig_Params, pConfig);
SAME_FIELD(SetConfig, hardware_buffer_bytes, CUpti_PmSampling_SetConfig_Params, hardwareBufferSize);
SAME_FIELD(SetConfig, interval, CUpti_PmSampling_SetConfig_Params, samplingInterval);
SAME_FIELD(SetConfig, trigger, CUpti_PmSampling_SetConfig_Params, triggerMode);
static_assert(GetDataSize::Size() == CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE);
SAME_FIELD(GetDataSize, most_samples, CUpti_PmSampling_GetCounterDataSize_Params, maxSamples);
static_assert(InitializeData::Size() == CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE);
SAME_FIELD(InitializeData, bytes, CUpti_PmSampling_CounterDataImage_Initialize_Params, counterDataSize);
static_assert(Decode::Size() == CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE);
SAME_FIELD(Decode, bytes, CUpti_PmSampling_DecodeData_Params, counterDataImageSize);
SAME_FIELD(Decode, stopped_at, CUpti_PmSampling_DecodeData_Params, decodeStopReason);
static_assert(GetDataInfo::Size() == CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE);
SAME_FIELD(GetDataInfo, completed, CUpti_PmSampling_GetCounterDataInfo_Params, numCompletedSamples);
static_assert(GetSampleInfo::Size() == CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE);
SAME_FIELD(GetSampleInfo, sample, CUpti_PmSampling_CounterData_GetSampleInfo_Params, sampleIndex);
SAME_FIELD(GetSampleInfo, start_ns, CUpti_PmSampling_CounterData_GetSampleInfo_Params, startTimestamp);

static_assert(kOutOfMemory == CUPTI_ERROR_OUT_OF_MEMORY && kMissingPrivileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
static_assert(kPmSamplingProfiler == CUPTI_PROFILER_TYPE_PM_SAMPLING);
static_assert(kEveryNs == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL);
static_assert(kEveryCycles == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL);
static_assert(kStoppedAtFullData == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL);

TEST(PmAbiTest, IsThatOfTheHeaders) { SUCCEED(); }

}  // namespace
}  // namespace warpsight::gpu_metrics
#else
TEST(PmAbiTest, IsThatOfTheHeaders) { GTEST_SKIP() << "NVIDIA's headers are not installed"; }
#endif
