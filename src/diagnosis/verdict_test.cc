#include "diagnosis/verdict.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"
#include "diagnosis/launched_trace.h"

namespace warpsight::testing {
namespace {

std::string VerdictOf(const Trace& trace, Selection selection = {}, Given given = {}) {
  Analysis analysis(trace, selection, given);
  return Verdict(analysis);
}

TEST(VerdictTest, StepsThatTheHostHoldsUp) {
  LaunchedTrace trace;
  for (int step = 0; step < 3; ++step) {
    const int64_t at = step * 1000;
    trace.Step(step, {at, at + 1000})
        .Launch("k", {at, at + 10}, {at + 10, at + 60})
        .Launch("l", {at + 500, at + 510}, {at + 510, at + 560});
  }
  EXPECT_EQ(VerdictOf(trace.Seal()),
            "3 steps of 1.000 ms; the GPU worked 100.0 us (10.0 %): overhead-bound, 2 launches per step");
}

// The profiler's inflation can make a busy step look idle.
TEST(VerdictTest, TheMeasuredStepDecides) {
  const Trace trace = LaunchedTrace().Step(1, {0, 1000}).Launch("k", {0, 10}, {10, 410}).Seal();
  EXPECT_NE(VerdictOf(trace).find("overhead-bound"), std::string::npos);
  Given given;
  given.measured_step_ns = 500 * kUs;
  const std::string verdict = VerdictOf(trace, {}, given);
  EXPECT_EQ(
      verdict.rfind("1 step of 1.000 ms, 500.0 us measured without the profiler; the GPU worked 400.0 us (80.0 % of the "
                    "measured step): busy most of the time",
                    0),
      0u)
      << verdict;
  given.measured_step_ns = 300 * kUs;
  EXPECT_EQ(VerdictOf(trace, {}, given), VerdictOf(trace)) << "a contradiction changes nothing";
}

TEST(VerdictTest, BusyStep) {
  const Trace trace = LaunchedTrace().Step(1, {0, 1000}).Launch("k", {0, 10}, {10, 1000}).Seal();
  const std::string verdict = VerdictOf(trace);
  EXPECT_EQ(verdict.rfind("1 step of 1.000 ms; the GPU worked 990.0 us (99.0 %): busy most of the time", 0), 0u) << verdict;
}

TEST(VerdictTest, TheRooflineSaysMemoryBound) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 1'000'000});
  GpuWorkRow fill;
  fill.kind = GpuKind::kMemset;
  fill.name = make.builder().Intern("Memset (Device)");
  fill.stream = make.builder().names().InternStream(0, 7, kAbsent);
  fill.duration_ns = 900'000;
  fill.bytes = 800'000'000;
  make.builder().Add(fill);
  const Trace trace = make.Seal();
  Given given;
  given.peak_bytes_per_s = 1e12;
  Analysis analysis(trace, {}, given);
  EXPECT_NE(Verdict(analysis).find("(90.0 %): memory-bound"), std::string::npos) << Verdict(analysis);
}

TEST(VerdictTest, SmallKernels) {
  LaunchedTrace trace;
  trace.Step(1, {0, 100});
  for (int64_t at = 0; at < 100; at += 4) trace.Launch("k", {at, at + 1}, {at + 1, at + 4});
  EXPECT_NE(VerdictOf(trace.Seal()).find("latency-bound by small kernels, 25 launches per step"), std::string::npos);
}

TEST(VerdictTest, WithoutSteps) {
  const Trace idle =
      LaunchedTrace().Op("a", {0, 5000}).Launch("k", {10, 20}, {20, 70}).Launch("l", {900, 910}, {970, 1020}).Seal();
  EXPECT_EQ(VerdictOf(idle),
            "no steps found; in 1.000 ms from the first to the last GPU work the GPU worked 100.0 us (10.0 %): "
            "overhead-bound, 2 launches");
  // Whoever selects a range asks about all of it.
  Selection selection;
  selection.range = Interval{0, 2000 * kUs};
  EXPECT_EQ(VerdictOf(idle, selection),
            "no steps found; in 2.000 ms the GPU worked 100.0 us (5.0 %): overhead-bound, 2 launches");
  const Trace busy = LaunchedTrace().Op("a", {0, 1000}).Launch("k", {10, 20}, {20, 900}).Seal();
  EXPECT_NE(VerdictOf(busy).find("busy most of the time"), std::string::npos);
}

TEST(VerdictTest, DeviceIsNamedWhenThereAreMany) {
  WorkOptions second;
  second.device = 3;
  const Trace trace = LaunchedTrace().Work("a", {0, 10}).Work("b", {0, 100}, second).Seal();
  EXPECT_NE(VerdictOf(trace).find("GPU 3 worked"), std::string::npos);
  Selection selection;
  selection.device = 5;
  EXPECT_EQ(VerdictOf(trace, selection), "no GPU work on the selected device");
}

TEST(VerdictTest, NothingToJudge) {
  EXPECT_EQ(VerdictOf(LaunchedTrace().Seal()), "the recording is empty: lint says why");
  EXPECT_EQ(VerdictOf(LaunchedTrace().Op("a", {0, 2000}).Seal()),
            "no GPU work in this recording of 2.000 ms: only the host's time can be judged (lint says why)");
}

}  // namespace
}  // namespace warpsight::testing
