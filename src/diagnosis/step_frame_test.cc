#include "diagnosis/step_frame.h"

#include <gtest/gtest.h>

#include "diagnosis/launched_trace.h"
#include "diagnosis/step_host_time.h"

namespace warpsight::testing {
namespace {

// Two steps of 100 us, each with one launch: 30 us of host work, 10 us of launching, 20 us of kernel, 40 us of nothing
// known.
Trace TwoNamedSteps() {
  LaunchedTrace trace;
  for (int step = 0; step < 2; ++step) {
    const int64_t at = step * 100;
    trace.Step(step, {at, at + 100})
        .Op("aten::mm", {at + 5, at + 45})
        .Launch("gemm", {at + 30, at + 40}, {at + 40, at + 60});
  }
  return trace.Seal();
}

TEST(StepFrameTest, SumsOverTheStepsAndMeansPerStep) {
  const Trace trace = TwoNamedSteps();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_TRUE(frame->has_steps);
  EXPECT_EQ(frame->steps, 2);
  EXPECT_EQ(frame->wall_ns, 200 * kUs);
  EXPECT_EQ(frame->busy_ns, 40 * kUs);
  EXPECT_EQ(frame->idle_ns(), 160 * kUs);
  EXPECT_EQ(frame->work_ns, 40 * kUs);
  EXPECT_EQ(frame->kernels, 2);
  EXPECT_EQ(frame->launches, 2);
  EXPECT_EQ(frame->PerStep(frame->wall_ns), 100 * kUs);
  EXPECT_DOUBLE_EQ(frame->PerStepCount(frame->launches), 1);
  EXPECT_EQ(frame->Unit(), "a step");
  EXPECT_EQ(frame->bound, StepBound::kOverhead);
}

TEST(StepFrameTest, IdleClassesSumToIdle) {
  const Trace trace = TwoNamedSteps();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(Sum(frame->idle), frame->idle_ns());
  EXPECT_EQ(PartOf(frame->idle, IdleClass::kLaunch), 20 * kUs);
  EXPECT_EQ(PartOf(frame->idle, IdleClass::kHostWork),
            (30 + 40 + 30) * kUs);  // the rest of step 0 waits for step 1's launch
  EXPECT_EQ(PartOf(frame->idle, IdleClass::kEdge), 40 * kUs);
}

TEST(StepFrameTest, OneStepOfTheSelection) {
  const Trace trace = TwoNamedSteps();
  Selection selection;
  selection.range = Interval{100 * kUs, 200 * kUs};
  Analysis analysis(trace, selection);
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->steps, 1);
  EXPECT_EQ(frame->wall_ns, 100 * kUs);
  EXPECT_EQ(frame->windows, (std::vector<Interval>{{100 * kUs, 200 * kUs}}));
}

// A range is judged as it was selected.
TEST(StepFrameTest, WithoutStepsTheWindowIsOne) {
  const Trace trace =
      LaunchedTrace().Op("a", {0, 100}).Launch("k", {10, 20}, {20, 50}).Launch("l", {60, 65}, {65, 70}).Seal();
  Analysis analysis(trace, {Interval{0, 100 * kUs}, std::nullopt});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_FALSE(frame->has_steps);
  EXPECT_EQ(frame->steps, 1);
  EXPECT_EQ(frame->wall_ns, 100 * kUs);
  EXPECT_EQ(frame->busy_ns, 35 * kUs);
  EXPECT_EQ(frame->launches, 2);
  EXPECT_EQ(frame->Unit(), "the window");
  EXPECT_EQ(Sum(frame->idle), frame->idle_ns());
  EXPECT_EQ(frame->bound, StepBound::kOverhead);
}

// The start of the process is no cost of the work that comes after it.
TEST(StepFrameTest, WithoutStepsAndRangeTheGpusOwnSpanIsJudged) {
  WorkOptions other;
  other.device = 1;
  const Trace trace = LaunchedTrace()
                          .Op("start_up", {0, 1000})
                          .Work("other device", {500, 510}, other)
                          .Launch("k", {1000, 1010}, {1010, 1040})
                          .Op("between", {1040, 1060})
                          .Launch("l", {1060, 1080}, {1080, 1100})
                          .Op("tear_down", {1100, 3000})
                          .Seal();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_TRUE(frame->is_gpu_span);
  EXPECT_EQ(frame->windows, (std::vector<Interval>{{1010 * kUs, 1100 * kUs}}));
  EXPECT_EQ(frame->wall_ns, 90 * kUs);
  EXPECT_EQ(frame->busy_ns, 50 * kUs);
  EXPECT_EQ(frame->launches, 2) << "the first call lies before the first work";
  EXPECT_EQ(Sum(frame->idle), frame->idle_ns());
  EXPECT_EQ(PartOf(frame->idle, IdleClass::kHostWork), 20 * kUs);
  EXPECT_EQ(PartOf(frame->idle, IdleClass::kLaunch), 20 * kUs);
  EXPECT_EQ(HostNames(analysis, *frame, IdleClass::kHostWork, 5), "over the window: between 20.00 us");
}

TEST(StepFrameTest, OneLaunchOfManyKernelsIsOneLaunch) {
  LaunchedTrace made;
  made.Host("cudaGraphLaunch", HostKind::kApi, {0, 10}, 900);
  for (int64_t at : {20, 30, 40}) made.Work("k", {at, at + 5}, {}, 900);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->kernels, 3);
  EXPECT_EQ(frame->launches, 1);
}

TEST(StepFrameTest, TheBusiestDeviceIsJudged) {
  WorkOptions second;
  second.device = 1;
  const Trace trace = LaunchedTrace().Work("short", {0, 10}).Work("long", {0, 30}, second).Seal();
  Analysis both(trace, {});
  EXPECT_EQ(MakeStepFrame(both)->device, 1);
  Selection selection;
  selection.device = 0;
  Analysis chosen(trace, selection);
  EXPECT_EQ(MakeStepFrame(chosen)->device, 0);
  selection.device = 7;
  Analysis missing(trace, selection);
  EXPECT_FALSE(MakeStepFrame(missing).has_value());
}

TEST(StepFrameTest, NothingWithoutGpuWork) {
  const Trace trace = LaunchedTrace().Op("a", {0, 100}).Seal();
  Analysis analysis(trace, {});
  EXPECT_FALSE(MakeStepFrame(analysis).has_value());
}

TEST(SeverityOfGainTest, ByShareOfTheStep) {
  EXPECT_EQ(SeverityOfGain(200, 1000), Severity::kHigh);
  EXPECT_EQ(SeverityOfGain(199, 1000), Severity::kMedium);
  EXPECT_EQ(SeverityOfGain(50, 1000), Severity::kMedium);
  EXPECT_EQ(SeverityOfGain(49, 1000), Severity::kLow);
  EXPECT_EQ(SeverityOfGain(5, 0), Severity::kLow);
}

// Set-up before the first step is not the steps' doing.
TEST(HostNamesTest, OnlyTheStepsCount) {
  const Trace trace = LaunchedTrace()
                          .Op("set_up", {0, 90000})
                          .Step(1, {90000, 90100})
                          .Op("aten::mm", {90000, 90050})
                          .Launch("k", {90050, 90060}, {90060, 90100})
                          .Step(2, {90100, 90200})
                          .Op("aten::mm", {90100, 90150})
                          .Launch("l", {90150, 90160}, {90160, 90200})
                          .Seal();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(HostNames(analysis, *frame, IdleClass::kHostWork, 5), "over the 2 steps: aten::mm 100.0 us");
}

// A range that ends in mid-step holds no part of that step.
TEST(StepFrameTest, APartOfAStepIsNoStep) {
  const Trace trace = TwoNamedSteps();
  for (const auto& [range, steps] : {std::pair{Interval{0, 150 * kUs}, 1}, {Interval{50 * kUs, 200 * kUs}, 1}}) {
    Analysis analysis(trace, {range, std::nullopt});
    const std::optional<StepFrame> frame = MakeStepFrame(analysis);
    ASSERT_TRUE(frame.has_value());
    EXPECT_TRUE(frame->has_steps);
    EXPECT_EQ(frame->steps, steps);
    EXPECT_LE(frame->wall_ns, range.duration());
  }
}

// The verdict is that of all steps together: a long idle step outweighs a short busy one.
TEST(StepFrameTest, BoundIsOfTheSum) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("k", {0, 10}, {900, 950})
                          .Step(2, {1000, 1100})
                          .Launch("l", {1000, 1001}, {1001, 1100})
                          .Seal();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->bound, StepBound::kOverhead);
}

TEST(HostNamesTest, MostTimeFirst) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 200})
                          .Launch("k", {0, 10}, {10, 20})
                          .Op("aten::short", {30, 50})
                          .Op("aten::long", {60, 110})
                          .Launch("l", {120, 130}, {130, 200})
                          .Seal();
  Analysis analysis(trace, {});
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(HostNames(analysis, *frame, IdleClass::kHostWork, 5),
            "over the window: aten::long 50.00 us, Python code outside of any op 30.00 us, aten::short 20.00 us");
  EXPECT_EQ(HostNames(analysis, *frame, IdleClass::kHostWork, 1), "over the window: aten::long 50.00 us");
  EXPECT_EQ(HostNames(analysis, *frame, IdleClass::kSync, 5), "");
}

}  // namespace
}  // namespace warpsight::testing
