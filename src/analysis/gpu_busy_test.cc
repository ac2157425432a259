#include "analysis/gpu_busy.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

TEST(GpuBusyTest, OverlapsCountOnceInBusyAndTwiceInWork) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10});
  make.OnStream(8).Kernel("b", {5, 20});
  make.Copy(CopyKind::kHostToDevice, {30, 40});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  ASSERT_TRUE(busy.ok());
  ASSERT_EQ(busy->devices.size(), 1u);
  const DeviceBusy& device = busy->devices[0];
  EXPECT_EQ(device.Busy({0, 100}), 30);
  EXPECT_EQ(device.Work({0, 100}), 35);
  EXPECT_EQ(device.Busy({8, 35}), 17);
  EXPECT_EQ(device.Work({8, 35}), 2 + 12 + 5);
  EXPECT_EQ(device.Work({35, 8}), 0) << "an empty window";
}

TEST(GpuBusyTest, CountsCountWhereWorkStarts) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10});
  make.Kernel("b", {10, 20});
  make.Copy(CopyKind::kDeviceToHost, {20, 25});
  make.Work(GpuKind::kMemset, "set", {25, 26}, 0);
  const Trace trace = make.Seal();
  const DeviceBusy device(trace, trace.devices()[0]);
  EXPECT_EQ(device.Counts({5, 25}).kernels, 1);
  EXPECT_EQ(device.Counts({5, 25}).memcpys, 1);
  EXPECT_EQ(device.Counts({5, 25}).memsets, 0);
  EXPECT_EQ(device.Counts({0, 100}).memsets, 1);
  EXPECT_EQ(device.Counts({7, 7}).kernels, 0);
}

TEST(GpuBusyTest, DevicesAreApart) {
  HandMadeTrace make;
  make.OnStream(7, 0).Kernel("a", {0, 10});
  make.OnStream(7, 3).Kernel("b", {5, 8});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  ASSERT_TRUE(busy.ok());
  ASSERT_NE(busy->Find(3), nullptr);
  EXPECT_EQ(busy->Find(3)->Busy({0, 10}), 3);
  EXPECT_EQ(busy->Find(0)->Busy({0, 10}), 10);
  EXPECT_EQ(busy->Find(1), nullptr);
}

TEST(GpuBusyTest, AbsoluteTimesDoNotOverflowTheSums) {
  constexpr Ns kEpoch = 1'700'000'000'000'000'000;
  HandMadeTrace make;
  for (int i = 0; i < 20; ++i) make.Kernel("a", {kEpoch + i * 10, kEpoch + i * 10 + 4});
  const Trace trace = make.Seal();
  const DeviceBusy device(trace, trace.devices()[0]);
  EXPECT_EQ(device.Work({kEpoch, kEpoch + 1000}), 80);
  EXPECT_EQ(device.Work({kEpoch + 1, kEpoch + 11}), 4);
}

}  // namespace
}  // namespace warpsight
