#include "analysis/gpu_peaks.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

Device Named(std::string name, int32_t sms = -1, int64_t memory_bytes = -1) {
  Device device;
  device.name = std::move(name);
  device.sm_count = sms;
  device.total_memory_bytes = memory_bytes;
  return device;
}

const GpuEntry* Found(const Device& device) { return FindGpu(device).entry; }

TEST(GpuPeaksTest, EveryEntryIsCompleteAndFindsItsExamples) {
  std::set<std::string> names;
  ASSERT_GT(AllGpus().size(), 90u);
  for (const GpuEntry& gpu : AllGpus()) {
    EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name << " stands twice";
    EXPECT_FALSE(gpu.source.empty()) << gpu.name;
    // From an embedded board to HBM3e; a slip of the unit would leave this range.
    EXPECT_GE(gpu.memory_bytes_per_s, 100e9) << gpu.name;
    EXPECT_LE(gpu.memory_bytes_per_s, 10e12) << gpu.name;
    const auto& fp32 = gpu.flops_per_s[static_cast<size_t>(Arithmetic::kFp32)];
    ASSERT_TRUE(fp32.has_value()) << gpu.name << ": every other type falls back to it";
    for (const auto& rate : gpu.flops_per_s) EXPECT_LE(rate.value_or(0), 6e15) << gpu.name << ": with sparsity?";
    for (const std::string& example : gpu.examples) {
      const Device device =
          Named(example, static_cast<int32_t>(gpu.sms.value_or(-1)), static_cast<int64_t>(gpu.memory_bytes.value_or(-1)));
      EXPECT_EQ(Found(device), &gpu) << example << ": " << (Found(device) == nullptr ? "none" : Found(device)->name);
    }
  }
}

struct Known {
  const char* name;
  double gb_per_s;
  double half;  // TFLOP/s
  double fp8;
  double tf32;
  double fp32;
  double fp64;
  int sms;
  double nvlink;
};

// The table that the bounds of a report are judged by, value by value; 0 = not in it.
TEST(GpuPeaksTest, HoldsTheKnownDevices) {
  constexpr Known kKnown[] = {
      {"Tesla T4", 320, 65, 0, 0, 8.1, 0.25, 40, 0},
      {"Tesla V100-SXM2-32GB", 900, 125, 0, 0, 15.7, 7.8, 80, 150},
      {"NVIDIA A10", 600, 125, 0, 62.5, 31.2, 0, 72, 0},
      {"NVIDIA A10G", 600, 70, 0, 35, 31.5, 0, 80, 0},
      {"NVIDIA A100-SXM4-40GB", 1555, 312, 0, 156, 19.5, 9.7, 108, 300},
      {"NVIDIA A100-SXM4-80GB", 2039, 312, 0, 156, 19.5, 9.7, 108, 300},
      {"NVIDIA L4", 300, 121, 242, 60, 30.3, 0, 58, 0},
      {"NVIDIA L40S", 864, 362, 733, 183, 91.6, 0, 142, 0},
      {"NVIDIA GeForce RTX 3090", 936, 71, 0, 35.6, 35.6, 0, 82, 0},
      {"NVIDIA GeForce RTX 4090", 1008, 165, 330, 82.6, 82.6, 0, 128, 0},
      {"NVIDIA GeForce RTX 5090", 1792, 210, 419, 105, 105, 0, 170, 0},
      {"NVIDIA H100 PCIe", 2000, 756, 1513, 378, 51, 26, 114, 300},
      {"NVIDIA H100 80GB HBM3", 3350, 989, 1979, 495, 67, 34, 132, 450},
      {"NVIDIA H100 NVL", 3900, 835, 1671, 418, 60, 30, 132, 300},
      {"NVIDIA H20", 4000, 148, 296, 74, 44, 1, 78, 450},
      {"NVIDIA H200", 4800, 989, 1979, 495, 67, 34, 132, 450},
      {"NVIDIA GH200 144G HBM3e", 4900, 990, 1979, 495, 67, 34, 132, 450},
      {"NVIDIA B200", 8000, 2250, 4500, 1100, 80, 40, 148, 900},
      {"AMD Instinct MI250X", 3277, 383, 0, 0, 48, 48, 220, 0},
      {"AMD Instinct MI300X", 5300, 1307, 2615, 654, 163, 82, 304, 0},
      {"AMD Instinct MI325X", 6000, 1307, 2615, 654, 163, 82, 304, 0},
      {"AMD Instinct MI355X", 8000, 2517, 5033, 0, 157, 79, 256, 0},
  };
  for (const Known& known : kKnown) {
    const GpuEntry* gpu = Found(Named(known.name, known.sms));
    ASSERT_NE(gpu, nullptr) << known.name;
    const auto rate = [&](Arithmetic arithmetic) {
      return gpu->flops_per_s[static_cast<size_t>(arithmetic)].value_or(0) / 1e12;
    };
    EXPECT_DOUBLE_EQ(gpu->memory_bytes_per_s / 1e9, known.gb_per_s) << known.name;
    EXPECT_DOUBLE_EQ(rate(Arithmetic::kFp16), known.half) << known.name;
    EXPECT_EQ(gpu->sms, known.sms) << known.name;
    EXPECT_DOUBLE_EQ(rate(Arithmetic::kFp32), known.fp32) << known.name;
    if (known.fp8 > 0) {
      EXPECT_DOUBLE_EQ(rate(Arithmetic::kFp8), known.fp8) << known.name;
    }
    if (known.tf32 > 0) {
      EXPECT_DOUBLE_EQ(rate(Arithmetic::kTf32), known.tf32) << known.name;
    }
    if (known.fp64 > 0) {
      EXPECT_DOUBLE_EQ(rate(Arithmetic::kFp64), known.fp64) << known.name;
    }
    if (known.nvlink > 0) {
      EXPECT_DOUBLE_EQ(gpu->nvlink_bytes_per_s.value_or(0) / 1e9, known.nvlink) << known.name;
    }
  }
}

TEST(GpuPeaksTest, SizeTellsDevicesOfOneNameApart) {
  EXPECT_EQ(Found(Named("NVIDIA A100-PG509-200", 108, 42'505'273'344))->name, "A100 SXM 40 GB");
  EXPECT_EQ(Found(Named("NVIDIA A100-PG509-200", 108, 85'095'874'560))->name, "A100 SXM 80 GB");
  EXPECT_EQ(Found(Named("NVIDIA H100", 114, 85'018'279'936))->name, "H100 PCIe");
  EXPECT_EQ(Found(Named("NVIDIA H100", 132, 85'018'279'936))->name, "H100 SXM");
  EXPECT_EQ(Found(Named("AMD Instinct MI250X", 110, 68'702'699'520))->name, "MI250X, one of two dies");
  EXPECT_EQ(Found(Named("NVIDIA GeForce RTX 3080", 70, 12'884'901'888))->name, "GeForce RTX 3080 12 GB");
}

TEST(GpuPeaksTest, AnotherDeviceOfTheFamilyIsNotTakenForIt) {
  for (const char* name : {"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA H200X",
                           "Quadro T4000", "NVIDIA GeForce RTX 5090 D", "ARTEMIS", "CPU"}) {
    EXPECT_EQ(Found(Named(name)), nullptr) << name;
  }
  EXPECT_EQ(Found(Named("AMD Instinct MI300X", 38)), nullptr) << "a compute partition";
}

TEST(GpuPeaksTest, AnUndescribedDeviceIsTakenForOneLikeTheOthers) {
  HandMadeTrace make;
  make.builder().header().devices = {Named("NVIDIA H200", 132)};
  make.OnStream(7, 2).Kernel("k", {0, 10});
  const Trace alike = make.Seal();
  EXPECT_EQ(PeaksOf(alike, *alike.FindDevice(2), {}).entry->name, "H200 SXM");
  EXPECT_EQ(PeaksOf(alike, *alike.FindDevice(2), {}).device, 2);
  HandMadeTrace mixed;
  mixed.builder().header().devices = {Named("NVIDIA H200", 132), Named("NVIDIA L4", 58)};
  mixed.builder().header().devices[1].id = 1;
  mixed.OnStream(7, 2).Kernel("k", {0, 10});
  const Trace two = mixed.Seal();
  EXPECT_EQ(PeaksOf(two, *two.FindDevice(2), {}).entry, nullptr);
}

TEST(GpuPeaksTest, WithoutANameOnlyAnUnmistakableSizeWillDo) {
  EXPECT_EQ(Found(Named("", 304, 206'141'652'992))->name, "MI300X");
  EXPECT_EQ(Found(Named("", 108, 85'095'874'560)), nullptr) << "SXM or PCIe";
  EXPECT_EQ(Found(Named("")), nullptr);
}

TEST(GpuPeaksTest, AProductFallsBackToAWiderType) {
  const GpuPeaks t4 = PeaksOf(Named("Tesla T4"), {});
  EXPECT_DOUBLE_EQ(*t4.FlopsPerS(Arithmetic::kFp16), 65e12);
  EXPECT_DOUBLE_EQ(*t4.FlopsPerS(Arithmetic::kBf16), 8.1e12);
  EXPECT_DOUBLE_EQ(*t4.FlopsPerS(Arithmetic::kTf32), 8.1e12);
  const GpuPeaks mi250 = PeaksOf(Named("AMD Instinct MI250X", 220), {});
  EXPECT_DOUBLE_EQ(*mi250.FlopsPerS(Arithmetic::kFp32Matrix), 95.7e12);
  EXPECT_DOUBLE_EQ(*mi250.FlopsPerS(Arithmetic::kFp32), 48e12);
}

TEST(GpuPeaksTest, GivenPeaksStandInTheirPlace) {
  Given given;
  given.peak_bytes_per_s = 4.3e12;
  GpuPeaks peaks = PeaksOf(Named("NVIDIA H200"), given);
  EXPECT_EQ(peaks.source(), "datasheet and given");
  EXPECT_EQ(peaks.memory_bytes_per_s, 4.3e12);
  EXPECT_EQ(peaks.FlopsPerS(Arithmetic::kFp16), 989e12);
  given.peak_flops_per_s = 780e12;
  peaks = PeaksOf(Named("NVIDIA H200"), given);
  EXPECT_EQ(peaks.source(), "given");
  EXPECT_EQ(peaks.FlopsPerS(Arithmetic::kFp16), 780e12);
  EXPECT_EQ(PeaksOf(Named("NVIDIA H200"), {}).source(), "datasheet");
}

TEST(GpuPeaksTest, AnUnknownDeviceSaysWhatToGive) {
  const Device unknown = Named("Acme 1");
  EXPECT_EQ(PeaksOf(unknown, {}).reason,
            "peaks of \"Acme 1\" are not known: give --peak-bandwidth GB/s and --peak-flops TFLOP/s");
  EXPECT_FALSE(PeaksOf(unknown, {}).memory_bytes_per_s.has_value());
  Given given;
  given.peak_bytes_per_s = 1e12;
  EXPECT_EQ(PeaksOf(unknown, given).reason, "peaks of \"Acme 1\" are not known: give --peak-flops TFLOP/s");
  given.peak_flops_per_s = 1e14;
  EXPECT_TRUE(PeaksOf(unknown, given).complete());
  EXPECT_EQ(PeaksOf(unknown, given).source(), "given");
}

}  // namespace
}  // namespace warpsight
