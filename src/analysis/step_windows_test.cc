#include "analysis/step_windows.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

void AddLaunches(HandMadeTrace& make, Ns from, Ns to, uint32_t& id) {
  for (Ns start = from; start + 10 <= to; start += 10) {
    ++id;
    make.Api("cudaLaunchKernel", {start, start + 5}, id);
    make.Kernel("k" + std::to_string(id), {start + 5, start + 8}, id);  // no two alike: nothing to detect
  }
}

TEST(StepWindowsTest, ProfilerStepsComeFirst) {
  HandMadeTrace make;
  make.Range("ProfilerStep#7", {0, 100});
  make.Range("ProfilerStep#8", {100, 250});
  make.Range("train", {0, 90});
  make.Range("train", {100, 240});
  make.Range("ProfilerStep#9x", {300, 310});  // no number
  const Trace trace = make.Seal();
  const StepWindows windows = FindSteps(trace);
  EXPECT_EQ(windows.source, StepSource::kProfilerStep);
  ASSERT_EQ(windows.steps.size(), 2u);
  EXPECT_EQ(windows.steps[0].name, "ProfilerStep#7");
  EXPECT_EQ(windows.steps[0].index, 7);
  EXPECT_EQ(windows.steps[1].time, (Interval{100, 250}));
}

TEST(StepWindowsTest, TheThreadWithMostProfilerStepsCounts) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 10});
  make.OnThread(2).Range("ProfilerStep#1", {0, 20});
  make.OnThread(2).Range("ProfilerStep#2", {20, 40});
  const Trace trace = make.Seal();
  const std::vector<StepWindow> steps = FindProfilerSteps(trace);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].time, (Interval{0, 20}));
}

TEST(StepWindowsTest, OneProfilerStepIsEnough) {
  HandMadeTrace make;
  make.Range("ProfilerStep#551", {0, 10});
  const Trace trace = make.Seal();
  EXPECT_EQ(FindSteps(trace).steps.size(), 1u);
}

TEST(StepWindowsTest, TheRepeatingRangeThatHoldsMostLaunches) {
  HandMadeTrace make;
  uint32_t id = 0;
  for (Ns start : {0, 1000, 2000}) {
    make.Range("decode", {start, start + 900});
    for (Ns layer = 0; layer < 4; ++layer) make.Range("layer", {start + layer * 200, start + layer * 200 + 150});
    AddLaunches(make, start, start + 800, id);
  }
  const Trace trace = make.Seal();
  const StepWindows windows = FindSteps(trace);
  EXPECT_EQ(windows.source, StepSource::kRange);
  ASSERT_EQ(windows.steps.size(), 3u);
  EXPECT_EQ(windows.steps[2].name, "decode");
  EXPECT_EQ(windows.steps[2].index, 2);
}

TEST(StepWindowsTest, NumberedNamesAreOneRange) {
  HandMadeTrace make;
  uint32_t id = 0;
  for (Ns i = 0; i < 3; ++i) {
    make.Range("iter#" + std::to_string(i + 40), {i * 100, i * 100 + 90});
    AddLaunches(make, i * 100, i * 100 + 90, id);
  }
  const Trace trace = make.Seal();
  const StepWindows windows = FindSteps(trace);
  EXPECT_EQ(windows.source, StepSource::kRange);
  ASSERT_EQ(windows.steps.size(), 3u);
  EXPECT_EQ(windows.steps[1].index, 41);
}

TEST(StepWindowsTest, ARangeThatHoldsFewLaunchesIsNoStep) {
  HandMadeTrace make;
  uint32_t id = 0;
  make.Range("optimizer", {0, 50});
  make.Range("optimizer", {500, 550});
  AddLaunches(make, 0, 1000, id);
  const Trace trace = make.Seal();
  EXPECT_TRUE(FindRepeatingRange(trace).empty());
}

// One call replays as much as a hundred launch: warm-up and capture around the steps have more calls.
TEST(StepWindowsTest, AReplayCountsForEachOfItsKernels) {
  HandMadeTrace make;
  uint32_t id = 0;
  AddLaunches(make, 0, 400, id);
  for (Ns start = 1000; start < 1300; start += 100) {
    make.Range("step", {start, start + 90});
    make.Api("cudaGraphLaunch", {start, start + 5}, ++id);
    for (Ns kernel = 0; kernel < 40; ++kernel) make.Kernel("node", {start + 5 + kernel, start + 6 + kernel}, id);
  }
  const Trace trace = make.Seal();
  const StepWindows windows = FindSteps(trace);
  EXPECT_EQ(windows.source, StepSource::kRange);
  EXPECT_EQ(windows.steps.size(), 3u);
}

TEST(StepWindowsTest, WithoutGpuWorkTheRangeMustHoldMostOfTheTime) {
  HandMadeTrace make;
  make.Range("step", {0, 90});
  make.Range("step", {100, 190});
  make.Range("data", {0, 10});
  make.Range("data", {100, 110});
  const Trace trace = make.Seal();
  const StepWindows windows = FindSteps(trace);
  EXPECT_EQ(windows.source, StepSource::kRange);
  EXPECT_EQ(windows.steps[0].name, "step");
}

TEST(StepWindowsTest, AnEmptyTraceHasNone) {
  HandMadeTrace make;
  const Trace trace = make.Seal();
  EXPECT_EQ(FindSteps(trace).source, StepSource::kNone);
}

}  // namespace
}  // namespace warpsight
