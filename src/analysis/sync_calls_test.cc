#include "analysis/sync_calls.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

TEST(SyncCallsTest, NestedCallsBelongToTheOuterOne) {
  HandMadeTrace make;
  make.Api("cudaMemcpy", {0, 100});
  make.Api("cuStreamSynchronize", {20, 90});
  make.Api("cudaLaunchKernel", {100, 110});
  make.Api("cudaDeviceSynchronize", {110, 130});
  const Trace trace = make.Seal();
  const ApiCallKinds kinds(trace);
  const SyncCalls syncs(trace, kinds);
  const auto spans = syncs.of_thread(0);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].time, (Interval{0, 100}));
  EXPECT_EQ(trace.Text(trace.host().name[spans[0].call]), "cudaMemcpy");
  EXPECT_EQ(spans[1].time, (Interval{110, 130}));
}

TEST(SyncCallsTest, WhatSticksOutOfAnEarlierCallIsItsOwn) {
  HandMadeTrace make;
  make.Api("cudaStreamSynchronize", {0, 10});
  make.Api("cudaEventSynchronize", {5, 20});
  const Trace trace = make.Seal();
  const ApiCallKinds kinds(trace);
  const SyncCalls syncs(trace, kinds);
  const auto spans = syncs.of_thread(0);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[1].time, (Interval{10, 20}));
}

TEST(SyncCallsTest, ThreadsAreApart) {
  HandMadeTrace make;
  make.Api("cudaDeviceSynchronize", {0, 10});
  make.OnThread(2).Api("cudaDeviceSynchronize", {5, 20});
  const Trace trace = make.Seal();
  const ApiCallKinds kinds(trace);
  const SyncCalls syncs(trace, kinds);
  EXPECT_EQ(syncs.of_thread(0).size(), 1u);
  EXPECT_EQ(syncs.of_thread(1).size(), 1u);
}

}  // namespace
}  // namespace warpsight
