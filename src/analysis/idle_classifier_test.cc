// Every class by a trace that has it, and the borders between them. Sums and large cases: tests/busy_idle_reference_test.cc.
#include "analysis/idle_classifier.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

IdleTimeline Classify(const Trace& trace) {
  const ApiCallKinds kinds(trace);
  const SyncCalls syncs(trace, kinds);
  return IdleClassifier(trace, kinds, syncs, trace.devices()[0]).Run();
}

// A first kernel [0, 100) launched by a call [-20, -10), so that the gap of interest starts at 100.
struct Fixture : HandMadeTrace {
  Fixture() {
    Api("cudaLaunchKernel", {-20, -10}, 1);
    Kernel("first", {0, 100}, 1);
  }
  IdleParts GapParts(Interval gap) {
    const Trace trace = Seal();
    const IdleTimeline timeline = Classify(trace);
    for (const IdleInterval& interval : timeline.gaps()) {
      if (interval.time != gap) continue;
      wait = interval.wait;
      launch_after_start = timeline.launch_after_start;
      return timeline.Cut(gap);
    }
    ADD_FAILURE() << "no such gap";
    return {};
  }
  DeviceWait wait = DeviceWait::kNone;
  int64_t launch_after_start = 0;
};

IdleParts Parts(std::initializer_list<std::pair<IdleClass, Ns>> list) {
  IdleParts parts = {};
  for (const auto& [kind, time] : list) PartOf(parts, kind) = time;
  return parts;
}

TEST(IdleClassifierTest, HostWorkThenLaunch) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {150, 160}, 2);
  trace.Kernel("second", {170, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 170}), Parts({{IdleClass::kHostWork, 50}, {IdleClass::kLaunch, 20}}));
}

TEST(IdleClassifierTest, SyncIsCutOutOfHostWork) {
  Fixture trace;
  trace.Api("cudaDeviceSynchronize", {50, 120});
  trace.Api("cudaStreamSynchronize", {130, 135});
  trace.Api("cudaLaunchKernel", {150, 160}, 2);
  trace.Kernel("second", {170, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 170}),
            Parts({{IdleClass::kSync, 25}, {IdleClass::kHostWork, 25}, {IdleClass::kLaunch, 20}}));
}

TEST(IdleClassifierTest, SyncOfAnotherThreadIsNotTheLaunchersSleep) {
  Fixture trace;
  trace.OnThread(2).Api("cudaDeviceSynchronize", {50, 140});
  trace.OnThread(1).Api("cudaLaunchKernel", {150, 160}, 2);
  trace.Kernel("second", {170, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 170}), Parts({{IdleClass::kHostWork, 50}, {IdleClass::kLaunch, 20}}));
}

TEST(IdleClassifierTest, WaitingForAValueIsARoundTrip) {
  Fixture trace;
  trace.Api("cudaMemcpyAsync", {-10, -5}, 2);
  trace.Copy(CopyKind::kDeviceToHost, {100, 110}, 2);
  trace.Api("cudaStreamSynchronize", {0, 125});
  trace.Api("cudaLaunchKernel", {150, 160}, 3);
  trace.Kernel("second", {160, 200}, 3);
  EXPECT_EQ(trace.GapParts({110, 160}),
            Parts({{IdleClass::kRoundTrip, 15}, {IdleClass::kHostWork, 25}, {IdleClass::kLaunch, 10}}));
}

TEST(IdleClassifierTest, LaunchThatBeganBeforeTheGapIsAllLaunch) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {90, 100}, 2);  // returns just where the gap starts
  trace.Kernel("second", {130, 140}, 2);
  EXPECT_EQ(trace.GapParts({100, 130}), Parts({{IdleClass::kLaunch, 30}}));
}

TEST(IdleClassifierTest, QueuedInTimeIsBackToBackUpToTwoMicroseconds) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {10, 20}, 2);
  trace.Kernel("second", {2100, 2200}, 2);
  EXPECT_EQ(trace.GapParts({100, 2100}), Parts({{IdleClass::kBackToBack, 2000}}));
}

TEST(IdleClassifierTest, QueuedInTimeButLateIsADeviceWait) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {10, 20}, 2);
  trace.Kernel("second", {2101, 2200}, 2);
  EXPECT_EQ(trace.GapParts({100, 2101}), Parts({{IdleClass::kDeviceWait, 2001}}));
  EXPECT_EQ(trace.wait, DeviceWait::kUnknown);
}

TEST(IdleClassifierTest, ACopyAheadOnTheStreamIsADeviceWait) {
  Fixture trace;
  trace.Api("cudaMemcpyAsync", {-8, -5}, 2);
  trace.Copy(CopyKind::kHostToDevice, {100, 120}, 2);
  trace.Api("cudaLaunchKernel", {10, 20}, 3);
  trace.Kernel("second", {121, 140}, 3);
  EXPECT_EQ(trace.GapParts({120, 121}), Parts({{IdleClass::kDeviceWait, 1}}));
  EXPECT_EQ(trace.wait, DeviceWait::kStreamCopy);
}

TEST(IdleClassifierTest, TheEventOfAnotherStreamIsADeviceWait) {
  Fixture trace;
  trace.Api("cudaStreamWaitEvent", {5, 8});
  trace.Api("cudaLaunchKernel", {10, 20}, 2);
  trace.OnStream(8).Kernel("second", {110, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 110}), Parts({{IdleClass::kDeviceWait, 10}}));
  EXPECT_EQ(trace.wait, DeviceWait::kOtherStreamEvent);
}

TEST(IdleClassifierTest, AWaitForAnEarlierLaunchDoesNotCount) {
  Fixture trace;
  trace.Api("cudaStreamWaitEvent", {-5, -4});
  trace.Api("cudaLaunchKernel", {-3, -1}, 2);
  trace.OnStream(8).Kernel("side", {0, 50}, 2);
  trace.Api("cudaLaunchKernel", {10, 20}, 3);
  trace.Kernel("second", {110, 200}, 3);
  EXPECT_EQ(trace.GapParts({100, 110}), Parts({{IdleClass::kBackToBack, 10}}));
}

TEST(IdleClassifierTest, NoLaunchAndTheEndAreEdge) {
  Fixture trace;
  trace.Kernel("orphan", {150, 160});
  trace.Api("cudaDeviceSynchronize", {150, 300});
  const Trace sealed = trace.Seal();
  const IdleTimeline timeline = Classify(sealed);
  ASSERT_EQ(timeline.gaps().size(), 3u);  // from the first launch call, before the orphan, after it
  EXPECT_EQ(timeline.Cut(Interval{100, 150}), Parts({{IdleClass::kEdge, 50}}));
  EXPECT_EQ(timeline.Cut(Interval{160, 300}), Parts({{IdleClass::kEdge, 140}}));
  EXPECT_EQ(timeline.Cut(Interval{250, 900}), Parts({{IdleClass::kEdge, 650}})) << "beyond the capture";
}

TEST(IdleClassifierTest, WorkBeforeItsLaunchCallIsCountedAndNeverNegative) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {190, 195}, 2);
  trace.Kernel("second", {170, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 170}), Parts({{IdleClass::kHostWork, 70}}));
  EXPECT_EQ(trace.launch_after_start, 1);
}

TEST(IdleClassifierTest, OfWorkThatStartsTogetherTheFirstLaunchedCounts) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {150, 160}, 2);
  trace.Api("cudaLaunchKernel", {165, 168}, 3);
  trace.Kernel("orphan", {170, 171});
  trace.Kernel("late", {170, 172}, 3);
  trace.OnStream(8).Kernel("early", {170, 200}, 2);
  EXPECT_EQ(trace.GapParts({100, 170}), Parts({{IdleClass::kHostWork, 50}, {IdleClass::kLaunch, 20}}));
}

TEST(IdleClassifierTest, WorkWithoutDurationEndsAGap) {
  Fixture trace;
  trace.Api("cudaLaunchKernel", {110, 115}, 2);
  trace.Kernel("short", {120, 120}, 2);
  trace.Api("cudaLaunchKernel", {150, 160}, 3);
  trace.Kernel("second", {170, 200}, 3);
  EXPECT_EQ(trace.GapParts({120, 170}), Parts({{IdleClass::kHostWork, 30}, {IdleClass::kLaunch, 20}}));
}

}  // namespace
}  // namespace warpsight
