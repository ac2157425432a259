#include "analysis/step_detection.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

std::optional<Repetition> Find(std::string_view text, double coverage = 0.9) {
  std::vector<uint64_t> symbols(text.begin(), text.end());
  return FindRepetition(symbols, coverage);
}

TEST(FindRepetitionTest, TheSmallestPeriodOfTheWhole) {
  const auto found = Find("abcabcabc");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, 3u);
  EXPECT_EQ(found->first, 0u);
  EXPECT_EQ(found->end, 9u);
}

TEST(FindRepetitionTest, AnInnerRepetitionIsNotTheStep) {
  // Layers "xy" repeat inside of each step.
  const auto found = Find("exyxyxyhexyxyxyhexyxyxyh");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, 8u);
}

TEST(FindRepetitionTest, PrefixAndSuffixAreAllowed) {
  const auto found = Find("12abcdeabcdeabcdeabcdeabcdeabcde3");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, 5u);
  EXPECT_EQ(found->first, 2u);
  EXPECT_EQ(found->end, 32u);
}

TEST(FindRepetitionTest, NothingRepeats) {
  EXPECT_FALSE(Find(""));
  EXPECT_FALSE(Find("a"));
  EXPECT_FALSE(Find("abcdef"));
  EXPECT_FALSE(Find("abcdabc")) << "not two whole periods";
  EXPECT_FALSE(Find("abcabc123456")) << "covers half only";
}

TEST(FindRepetitionTest, LongSequencesAreFast) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> step(50'000);
  for (uint64_t& symbol : step) symbol = random() % 3;
  std::vector<uint64_t> symbols;
  for (int i = 0; i < 20; ++i) symbols.insert(symbols.end(), step.begin(), step.end());
  const auto found = FindRepetition(symbols, 0.9);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, step.size());
}

void AddLaunch(HandMadeTrace& make, const char* name, Ns start, uint32_t& id) {
  ++id;
  make.Api("cudaLaunchKernel", {start, start + 5}, id);
  make.Kernel(name, {start + 10, start + 12}, id);
}

TEST(DetectStepsTest, StepsRunFromFirstLaunchToFirstLaunch) {
  HandMadeTrace make;
  uint32_t id = 0;
  for (Ns start : {0, 1000, 2000}) {
    AddLaunch(make, "embed", start, id);
    AddLaunch(make, "gemm", start + 20, id);
    AddLaunch(make, "argmax", start + 40, id);
  }
  const Trace trace = make.Seal();
  const std::vector<StepWindow> steps = DetectSteps(trace);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].time, (Interval{0, 1000}));
  EXPECT_EQ(steps[1].time, (Interval{1000, 2000}));
  EXPECT_EQ(steps[2].time, (Interval{2000, 2052})) << "to the end of its last work";
  EXPECT_EQ(steps[1].name, "step (detected)");
  EXPECT_EQ(steps[1].index, 1);
}

TEST(DetectStepsTest, LibraryCallsAroundLaunchesChangeNothing) {
  HandMadeTrace make;
  HostEventRow call;
  call.kind = HostKind::kOther;
  call.types = make.builder().Intern("cuBLAS");
  uint32_t id = 0;
  for (Ns start : {0, 1000, 2000}) {
    AddLaunch(make, "embed", start, id);
    make.Host(call, "cublasGemmEx", {start + 18, start + 30});
    AddLaunch(make, "gemm", start + 20, id);
    AddLaunch(make, "argmax", start + 40, id);
  }
  EXPECT_EQ(DetectSteps(make.Seal()).size(), 3u);
}

TEST(DetectStepsTest, BordersLieWhereTheHostPauses) {
  // The recording starts and ends inside of a step: c | a b c | a b c | a b
  HandMadeTrace make;
  uint32_t id = 0;
  AddLaunch(make, "c", 40, id);
  for (Ns start : {1000, 2000, 3000, 4000}) {
    AddLaunch(make, "a", start, id);
    AddLaunch(make, "b", start + 20, id);
    if (start < 4000) AddLaunch(make, "c", start + 40, id);
  }
  const Trace trace = make.Seal();
  const std::vector<StepWindow> steps = DetectSteps(trace);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].time.start, 1000);
  EXPECT_EQ(steps[2].time.start, 3000);
}

TEST(DetectStepsTest, EveryGraphLaunchIsAStep) {
  HandMadeTrace make;
  for (uint32_t id = 1; id <= 3; ++id) {
    const Ns start = static_cast<Ns>(id) * 100;
    make.Api("cudaGraphLaunch", {start, start + 5}, id);
    for (Ns i = 0; i < 4; ++i) make.Kernel(i % 2 == 0 ? "a" : "b", {start + 10 + i * 5, start + 13 + i * 5}, id);
  }
  const Trace trace = make.Seal();
  ASSERT_EQ(DetectSteps(trace).size(), 3u);
}

TEST(DetectStepsTest, OneKernelOverAndOverIsNoStep) {
  HandMadeTrace make;
  uint32_t id = 0;
  for (Ns i = 0; i < 20; ++i) AddLaunch(make, "axpy", i * 100, id);
  const Trace trace = make.Seal();
  EXPECT_TRUE(DetectSteps(trace).empty());
}

TEST(DetectStepsTest, LayersOfOneStepAreNoSteps) {
  HandMadeTrace make;
  uint32_t id = 0;
  AddLaunch(make, "embed", 0, id);
  for (Ns layer = 1; layer <= 12; ++layer) {
    for (Ns i = 0; i < 10; ++i) AddLaunch(make, ("k" + std::to_string(i)).c_str(), layer * 1000 + i * 20, id);
  }
  const size_t layers = 12;
  {
    HandMadeTrace without_head = make;
    EXPECT_EQ(DetectSteps(without_head.Seal()).size(), layers) << "a prologue alone is allowed";
  }
  AddLaunch(make, "head", 20'000, id);
  EXPECT_TRUE(DetectSteps(make.Seal()).empty());
}

TEST(DetectStepsTest, WithoutCallsTheWorkItselfIsTaken) {
  HandMadeTrace make;
  for (Ns start : {0, 100, 200}) {
    make.Kernel("a", {start, start + 10});
    make.Kernel("b", {start + 20, start + 30});
  }
  const Trace trace = make.Seal();
  const std::vector<StepWindow> steps = DetectSteps(trace);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].time, (Interval{200, 230}));
}

TEST(DetectStepsTest, AnEmptyTraceHasNone) {
  HandMadeTrace make;
  const Trace trace = make.Seal();
  EXPECT_TRUE(DetectSteps(trace).empty());
}

}  // namespace
}  // namespace warpsight
