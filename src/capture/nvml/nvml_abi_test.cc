// What we declare of NVML ourselves, against NVIDIA's header where it is installed.
#include "capture/nvml/nvml_abi.h"

#include <gtest/gtest.h>

#if __has_include(<nvml.h>)
#include <nvml.h>

#include <cstddef>

#include "base/gpu_counter_names.h"

namespace warpsight::capture::nvml {
namespace {

static_assert(sizeof(Utilisation) == sizeof(nvmlUtilization_t));
static_assert(offsetof(Utilisation, memory) == offsetof(nvmlUtilization_t, memory));
static_assert(sizeof(Memory) == sizeof(nvmlMemory_t));
static_assert(offsetof(Memory, used) == offsetof(nvmlMemory_t, used));
static_assert(sizeof(FieldValue) == sizeof(nvmlFieldValue_t));
static_assert(offsetof(FieldValue, scope) == offsetof(nvmlFieldValue_t, scopeId));
static_assert(offsetof(FieldValue, type) == offsetof(nvmlFieldValue_t, valueType));
static_assert(offsetof(FieldValue, result) == offsetof(nvmlFieldValue_t, nvmlReturn));
static_assert(offsetof(FieldValue, value) == offsetof(nvmlFieldValue_t, value));

TEST(NvmlAbiTest, NumbersAreThoseOfTheHeader) {
  EXPECT_EQ(kNotSupported, NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(kNoPermission, NVML_ERROR_NO_PERMISSION);
  EXPECT_EQ(kInvalidArgument, NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(kFunctionNotFound, NVML_ERROR_FUNCTION_NOT_FOUND);
  EXPECT_EQ(kClockSm, NVML_CLOCK_SM);
  EXPECT_EQ(kClockMemory, NVML_CLOCK_MEM);
  EXPECT_EQ(kSensorGpu, NVML_TEMPERATURE_GPU);
  EXPECT_EQ(kPcieSent, NVML_PCIE_UTIL_TX_BYTES);
  EXPECT_EQ(kPcieReceived, NVML_PCIE_UTIL_RX_BYTES);
  EXPECT_EQ(kFieldNvlinkSent, static_cast<unsigned>(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX));
  EXPECT_EQ(kFieldNvlinkReceived, static_cast<unsigned>(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX));
  EXPECT_EQ(static_cast<int>(ValueType::kDouble), NVML_VALUE_TYPE_DOUBLE);
  EXPECT_EQ(static_cast<int>(ValueType::kSignedLongLong), NVML_VALUE_TYPE_SIGNED_LONG_LONG);
  const unsigned long long bits[] = {nvmlClocksThrottleReasonApplicationsClocksSetting,
                                     nvmlClocksThrottleReasonSwPowerCap,
                                     nvmlClocksThrottleReasonHwSlowdown,
                                     nvmlClocksThrottleReasonSyncBoost,
                                     nvmlClocksThrottleReasonSwThermalSlowdown,
                                     nvmlClocksThrottleReasonHwThermalSlowdown,
                                     nvmlClocksThrottleReasonHwPowerBrakeSlowdown};
  for (size_t i = 0; i < kThrottleReasons.size(); ++i) EXPECT_EQ(kThrottleReasons[i].bit, bits[i]) << i;
  EXPECT_EQ(kThrottleIdle, nvmlClocksThrottleReasonGpuIdle);
}

}  // namespace
}  // namespace warpsight::capture::nvml
#else
TEST(NvmlAbiTest, NumbersAreThoseOfTheHeader) { GTEST_SKIP() << "nvml.h is not installed"; }
#endif
