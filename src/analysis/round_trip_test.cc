#include "analysis/round_trip.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

uint32_t FindCall(const Trace& trace, std::string_view name) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.Text(trace.host().name[row]) == name) return row;
  }
  return kNoRow;
}

bool WaitedForCopy(HandMadeTrace& make, std::string_view call) {
  const Trace trace = make.Seal();
  const ApiCallKinds kinds(trace);
  return RoundTrips(trace, kinds, trace.devices()[0]).WaitedForCopyToHost(FindCall(trace, call));
}

TEST(RoundTripTest, TheWorkThatEndedLastDecides) {
  HandMadeTrace make;
  make.Api("cudaLaunchKernel", {0, 5}, 1);
  make.Api("cudaMemcpyAsync", {6, 9}, 2);
  make.Kernel("k", {10, 20}, 1);
  make.Copy(CopyKind::kDeviceToHost, {20, 30}, 2);
  make.Api("cudaStreamSynchronize", {10, 35});
  EXPECT_TRUE(WaitedForCopy(make, "cudaStreamSynchronize"));
}

TEST(RoundTripTest, AKernelAfterTheCopyMakesItAPlainSync) {
  HandMadeTrace make;
  make.Api("cudaMemcpyAsync", {0, 3}, 1);
  make.Api("cudaLaunchKernel", {3, 6}, 2);
  make.Copy(CopyKind::kDeviceToHost, {10, 20}, 1);
  make.Kernel("k", {20, 30}, 2);
  make.Api("cudaStreamSynchronize", {7, 35});
  EXPECT_FALSE(WaitedForCopy(make, "cudaStreamSynchronize"));
}

TEST(RoundTripTest, WorkLaunchedMeanwhileOrEndedLaterDoesNotCount) {
  HandMadeTrace make;
  make.Api("cudaMemcpyAsync", {0, 3}, 1);
  make.Copy(CopyKind::kDeviceToHost, {10, 20}, 1);
  make.Api("cudaEventSynchronize", {5, 40});
  make.OnThread(2).Api("cudaLaunchKernel", {6, 7}, 2);  // another thread, while the first one sleeps
  make.Kernel("meanwhile", {20, 30}, 2);
  make.OnThread(2).Api("cudaLaunchKernel", {2, 3}, 3);
  make.Kernel("later", {35, 50}, 3);
  EXPECT_TRUE(WaitedForCopy(make, "cudaEventSynchronize"));
}

TEST(RoundTripTest, ABlockingCopyIsJudgedByItsOwnWork) {
  HandMadeTrace to_host;
  to_host.Api("cudaMemcpy", {0, 30}, 1);
  to_host.Copy(CopyKind::kDeviceToHost, {10, 20}, 1);
  EXPECT_TRUE(WaitedForCopy(to_host, "cudaMemcpy"));

  HandMadeTrace to_device;
  to_device.Api("cudaMemcpyAsync", {0, 3}, 1);
  to_device.Copy(CopyKind::kDeviceToHost, {4, 6}, 1);
  to_device.Api("cudaMemcpy", {5, 30}, 2);
  to_device.Copy(CopyKind::kHostToDevice, {10, 20}, 2);
  EXPECT_FALSE(WaitedForCopy(to_device, "cudaMemcpy"));
}

TEST(RoundTripTest, NothingLaunchedBeforeIsNoRoundTrip) {
  HandMadeTrace make;
  make.Api("cudaDeviceSynchronize", {0, 10});
  make.Api("cudaLaunchKernel", {20, 25}, 1);
  make.Kernel("k", {30, 40}, 1);
  EXPECT_FALSE(WaitedForCopy(make, "cudaDeviceSynchronize"));
}

TEST(RoundTripTest, ManyLaunchesAreSearchedRightly) {
  // Every number of launches from 1 to 20, so that the search tree has all shapes; only the first work is a copy.
  for (int launches = 1; launches <= 20; ++launches) {
    HandMadeTrace make;
    make.Api("cudaMemcpyAsync", {0, 1}, 1);
    make.Copy(CopyKind::kDeviceToHost, {2, 3}, 1);
    make.Api("cudaStreamSynchronize", {1, 1000});
    make.OnThread(2);
    for (int i = 1; i < launches; ++i) {
      make.Api("cudaLaunchKernel", {10 * i, 10 * i + 5}, static_cast<uint32_t>(i + 1));
      make.Kernel("k", {10 * i + 6, 10 * i + 9}, static_cast<uint32_t>(i + 1));
    }
    EXPECT_TRUE(WaitedForCopy(make, "cudaStreamSynchronize")) << launches;
  }
}

}  // namespace
}  // namespace warpsight
