#include "capture/nvml/device_readings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warpsight::capture::nvml {
namespace {

constexpr uint64_t kTenthNs = 100'000'000;

// A device whose answers a test sets; functions of NVML take no pointer of ours.
struct FakeDevice {
  int power_result = kSuccess;
  int power_calls = 0;
  unsigned long long kib = 0;
  int field_result = kSuccess;
  int pcie_calls = 0;
  uint64_t now_ns = 0;
};
FakeDevice fake;

NvmlLibrary MakeFakeNvml() {
  fake = {};
  NvmlLibrary nvml;
  nvml.DeviceGetPowerUsage = [](Device, unsigned* milliwatts) {
    ++fake.power_calls;
    *milliwatts = 500;
    return fake.power_result;
  };
  nvml.DeviceGetMaxClockInfo = [](Device, int, unsigned* mhz) {
    *mhz = 1980;
    return kSuccess;
  };
  nvml.DeviceGetFieldValues = [](Device, int count, FieldValue* values) {
    for (int i = 0; i < count; ++i) {
      values[i].type = ValueType::kUnsignedLongLong;
      values[i].result = fake.field_result;
      values[i].value.as_unsigned_long_long = fake.kib * static_cast<unsigned>(i + 1);
    }
    return kSuccess;
  };
  nvml.DeviceGetPcieThroughput = [](Device, int, unsigned* kb_per_s) {
    ++fake.pcie_calls;
    *kb_per_s = 7;
    return kSuccess;
  };
  return nvml;
}

std::vector<std::string> Taken(SampleRing& ring) {
  std::vector<std::string> lines;
  ring.TakeAll([&](const Sample& sample) {
    lines.push_back(std::string(NameOf(sample.counter).name) + "=" + std::to_string(sample.value));
  });
  return lines;
}

int CountOf(const std::vector<std::string>& lines, const std::string& line) {
  return static_cast<int>(std::count(lines.begin(), lines.end(), line));
}

TEST(DeviceReadingsTest, WhatIsNotSupportedIsAskedOnce) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(100);
  DeviceReadings readings(nvml, nullptr, 3);
  fake.power_result = kNotSupported;
  for (uint64_t i = 1; i < 5; ++i) readings.Read(i * kTenthNs, ring);
  EXPECT_EQ(fake.power_calls, 1);
}

TEST(DeviceReadingsTest, AnAnswerMayFailForAWhile) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(1000);
  DeviceReadings readings(nvml, nullptr, 3);
  constexpr int kUnknownError = 999;
  fake.power_result = kUnknownError;
  for (uint64_t i = 1; i < 5; ++i) readings.Read(i * kTenthNs, ring);
  fake.power_result = kSuccess;
  readings.Read(5 * kTenthNs, ring);
  EXPECT_EQ(CountOf(Taken(ring), "power=500"), 1);
  fake.power_result = kUnknownError;
  for (uint64_t i = 6; i < 50; ++i) readings.Read(i * kTenthNs, ring);
  EXPECT_EQ(fake.power_calls, 5 + 10);
}

TEST(DeviceReadingsTest, LimitsAreReadOnceASecond) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(1000);
  DeviceReadings readings(nvml, nullptr, 3);
  for (uint64_t i = 1; i <= 21; ++i) readings.Read(i * kTenthNs, ring);
  EXPECT_EQ(CountOf(Taken(ring), "SM clock limit=1980"), 3);
}

TEST(DeviceReadingsTest, BytesOfNvlinkBecomeRates) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(1000);
  DeviceReadings readings(nvml, nullptr, 3);
  fake.kib = 1'000'000;
  readings.Read(1 * kTenthNs, ring);  // what was sent before is not of this recording
  EXPECT_EQ(CountOf(Taken(ring), "NVLink sent=0"), 0);
  fake.kib += 1000;
  readings.Read(2 * kTenthNs, ring);
  const std::vector<std::string> lines = Taken(ring);
  EXPECT_EQ(CountOf(lines, "NVLink sent=10240000"), 1);
  EXPECT_EQ(CountOf(lines, "NVLink received=20480000"), 1);
  fake.kib = 5;  // the device was reset
  readings.Read(3 * kTenthNs, ring);
  fake.kib = 6;
  readings.Read(4 * kTenthNs, ring);
  EXPECT_EQ(CountOf(Taken(ring), "NVLink sent=10240"), 1);
}

TEST(DeviceReadingsTest, WithoutNvlinkThereIsNone) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(1000);
  DeviceReadings readings(nvml, nullptr, 3);
  fake.field_result = kNotSupported;
  for (uint64_t i = 1; i < 5; ++i) readings.Read(i * kTenthNs, ring);
  for (const std::string& line : Taken(ring)) EXPECT_EQ(line.find("NVLink"), std::string::npos) << line;
}

TEST(DeviceReadingsTest, PcieIsAskedOnceASecondAndDirection) {
  const NvmlLibrary nvml = MakeFakeNvml();
  SampleRing ring(1000);
  DeviceReadings readings(nvml, nullptr, 3);
  for (int i = 1; i <= 30; ++i) {
    fake.now_ns += kTenthNs;
    readings.ReadPcie([] { return fake.now_ns; }, ring);
  }
  EXPECT_EQ(fake.pcie_calls, 6);
  EXPECT_EQ(CountOf(Taken(ring), "PCIe sent=7"), 3);
}

TEST(SampleRingTest, WhatHasNoRoomIsCounted) {
  SampleRing ring(4);
  for (int i = 0; i < 6; ++i) ring.Put({0, i, 0, GpuCounter::kPower});
  EXPECT_EQ(ring.dropped(), 2u);
  EXPECT_EQ(Taken(ring), (std::vector<std::string>{"power=0", "power=1", "power=2", "power=3"}));
  ring.Put({0, 9, 0, GpuCounter::kPower});
  EXPECT_EQ(Taken(ring), std::vector<std::string>{"power=9"});
}

}  // namespace
}  // namespace warpsight::capture::nvml
