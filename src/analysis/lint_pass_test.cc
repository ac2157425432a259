#include "analysis/lint_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/hand_made_trace.h"
#include "analysis/lint_document.h"

namespace warpsight {
namespace {

LintResult Lint(const Trace& trace) {
  Analysis analysis(trace, {});
  return *analysis.Get<LintPass>();
}

const LintFinding* Find(const LintResult& lint, std::string_view id) {
  const auto found = std::ranges::find(lint.findings, id, &LintFinding::id);
  return found == lint.findings.end() ? nullptr : &*found;
}

// A recording with nothing to complain about: ops with shapes, steps, every launch with its work.
HandMadeTrace Clean() {
  HandMadeTrace make;
  make.builder().header().recording.has_shapes = true;
  make.builder().header().recording.has_clock_base = true;
  for (Ns step = 0; step < 3; ++step) {
    const Ns start = step * 100'000;
    make.Range("ProfilerStep#" + std::to_string(step), {start, start + 100'000});
    make.Op("aten::mm", {start + 1'000, start + 9'000});
    make.Api("cudaLaunchKernel", {start + 2'000, start + 5'000}, static_cast<uint32_t>(step + 1));
    make.Kernel("gemm", {start + 10'000, start + 90'000}, static_cast<uint32_t>(step + 1));
  }
  return make;
}

TEST(LintPassTest, ACleanRecordingHasNoFindings) {
  const LintResult lint = Lint(Clean().Seal());
  for (const LintFinding& finding : lint.findings) ADD_FAILURE() << finding.id << ": " << finding.symptom;
  EXPECT_FALSE(lint.condition_holds());
  EXPECT_EQ(lint.checks, AllLintChecks().size());
}

TEST(LintPassTest, EveryCheckDescribesItself) {
  std::set<std::string_view> ids;
  for (const LintCheck& check : AllLintChecks()) {
    EXPECT_TRUE(ids.insert(check.id).second) << check.id;
    EXPECT_TRUE(check.asks.ends_with("?")) << check.id;
    EXPECT_NE(check.run, nullptr);
  }
}

TEST(LintPassTest, ARecordingThatNeverBecameActive) {
  HandMadeTrace make;
  make.Host(HostKind::kRecording, "PyTorch Profiler (0)", {0, 100});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "no_events"), nullptr);
  EXPECT_EQ(Find(lint, "no_events")->severity, LintSeverity::kError);
  EXPECT_NE(Find(lint, "no_events")->advice.find("prof.step()"), std::string::npos);
  EXPECT_TRUE(lint.condition_holds());
}

TEST(LintPassTest, CallsWithoutGpuWork) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 10});
  make.Api("cudaLaunchKernel", {1, 5}, 1);
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "gpu_not_recorded"), nullptr);
  EXPECT_EQ(Find(lint, "gpu_not_recorded")->severity, LintSeverity::kError);
  EXPECT_EQ(Find(lint, "launch_without_work"), nullptr) << "one finding is enough";
}

TEST(LintPassTest, AHostOnlyRecordingIsNoMistake) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 10});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "gpu_not_recorded"), nullptr);
  EXPECT_EQ(Find(lint, "gpu_not_recorded")->severity, LintSeverity::kInfo);
}

TEST(LintPassTest, WorkWithoutOpsOrLaunches) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 10});
  const LintResult lint = Lint(make.Seal());
  EXPECT_NE(Find(lint, "ops_not_recorded"), nullptr);
  ASSERT_NE(Find(lint, "work_without_launch"), nullptr);
  EXPECT_EQ(Find(lint, "work_without_launch")->severity, LintSeverity::kWarning);
  EXPECT_EQ(Find(lint, "work_without_launch")->examples.size(), 1u);
}

// A program without a framework has no ops to record; PyTorch has them, unless it replays a graph.
TEST(LintPassTest, OpsThatNobodyCouldRecord) {
  const auto lint = [](std::string_view producer, std::string_view launch) {
    HandMadeTrace make;
    make.builder().header().recording.producer = producer;
    make.Api(launch, {0, 10}, 1);
    make.Kernel("gemm", {20, 30}, 1);
    return *Find(Lint(make.Seal()), "ops_not_recorded");
  };
  EXPECT_EQ(lint("nsys", "cudaLaunchKernel").severity, LintSeverity::kInfo);
  EXPECT_EQ(lint("warpsight", "cudaLaunchKernel").severity, LintSeverity::kInfo);
  EXPECT_NE(lint("warpsight", "cudaLaunchKernel").advice.find("--pytorch"), std::string::npos);
  EXPECT_EQ(lint("pytorch-profiler", "cudaLaunchKernel").severity, LintSeverity::kWarning);
  EXPECT_TRUE(lint("pytorch-profiler", "cudaLaunchKernel").advice.starts_with("Record with ProfilerActivity.CPU"));
  EXPECT_TRUE(lint("pytorch-profiler", "cudaGraphLaunch").advice.starts_with("A replay of a CUDA graph runs no ops"));
}

TEST(LintPassTest, AnEmptyRecordingOfAnotherRecorder) {
  HandMadeTrace make;
  make.builder().header().recording.producer = "warpsight";
  make.Host(HostKind::kOther, "mark", {0, 100});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "no_events"), nullptr);
  EXPECT_NE(Find(lint, "no_events")->advice.find("while warpsight recorded"), std::string::npos);
}

TEST(LintPassTest, LostAndCapturedLaunches) {
  HandMadeTrace make = Clean();
  make.Api("cudaStreamBeginCapture", {300'000, 300'010});
  make.Api("cudaLaunchKernel", {300'020, 300'030}, 50);
  make.Api("cudaStreamEndCapture", {300'040, 300'050});
  make.Api("cudaLaunchKernel", {300'060, 300'070}, 51);
  const LintResult lint = Lint(make.Seal());
  ASSERT_EQ(std::ranges::count(lint.findings, "launch_without_work", &LintFinding::id), 2);
  EXPECT_EQ(Find(lint, "launch_without_work")->severity, LintSeverity::kWarning) << "worst first: the lost one";
  EXPECT_EQ(Find(lint, "launch_without_work")->count, 1);
}

TEST(LintPassTest, MissingShapesAndClock) {
  HandMadeTrace make = Clean();
  make.builder().header().recording.has_shapes = false;
  make.builder().header().recording.has_clock_base = false;
  make.builder().header().recording.world_size = 8;
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "shapes_not_recorded"), nullptr);
  EXPECT_NE(Find(lint, "shapes_not_recorded")->advice.find("record_shapes=True"), std::string::npos);
  ASSERT_NE(Find(lint, "clock_base_unknown"), nullptr);
  EXPECT_EQ(Find(lint, "clock_base_unknown")->severity, LintSeverity::kWarning) << "one rank of several";
}

TEST(LintPassTest, ClocksThatDisagree) {
  HandMadeTrace make = Clean();
  make.Api("cudaLaunchKernel", {320'000, 321'000}, 9);
  make.Kernel("early", {310'000, 311'000}, 9);
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "launch_after_start"), nullptr);
  EXPECT_EQ(Find(lint, "launch_after_start")->count, 1);
}

TEST(LintPassTest, DurationsThatCannotBe) {
  HandMadeTrace make = Clean();
  for (int i = 0; i < 10; ++i) make.OnStream(8).Kernel("none", {i * 1'000, i * 1'000});
  make.OnStream(9).Kernel("endless", {0, 90'000'000});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "zero_duration"), nullptr);
  EXPECT_EQ(Find(lint, "zero_duration")->count, 10);
  ASSERT_NE(Find(lint, "absurd_duration"), nullptr);
  EXPECT_EQ(Find(lint, "absurd_duration")->severity, LintSeverity::kError);
}

TEST(LintPassTest, OverlapOnOneStream) {
  HandMadeTrace make = Clean();
  make.Kernel("inside", {20'000, 30'000}, 1);  // inside of the first gemm, another launch
  make.Kernel("copy", {120'000, 130'000}, 77);
  const LintResult lint = Lint(make.Seal());
  EXPECT_NE(Find(lint, "stream_overlap_swallowed"), nullptr);
}

// One damaged record among many can hold most of the GPU's time.
TEST(LintPassTest, ADamagedDurationThatMattersIsAnError) {
  HandMadeTrace make = Clean();
  for (Ns i = 0; i < 20; ++i) make.OnStream(8).Kernel("short", {i * 2'000, i * 2'000 + 1'500});
  make.Kernel("overrun", {1'600, 280'000});
  const LintResult lint = Lint(make.Seal());
  const LintFinding* finding = Find(lint, "stream_overlap_swallowed");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, LintSeverity::kError);
  EXPECT_EQ(finding->count, 19);
  EXPECT_NE(finding->effect.find("are 1 and take 278.4 us"), std::string::npos) << finding->effect;
  EXPECT_NE(finding->effect.find("would be 270.4 us instead of 548.4 us"), std::string::npos) << finding->effect;
}

// A negative or zero time stamp, a broken event: what the importer mended or left out is said with what it did.
TEST(LintPassTest, MendedEventsAreTold) {
  HandMadeTrace make = Clean();
  make.builder().shard().log.CountRead(1);
  make.builder().shard().log.Add("negative_duration", ImportSeverity::kWarning, Effect::kRepaired, "a duration below 0", 99,
                                 1);
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "negative_duration"), nullptr);
  EXPECT_EQ(Find(lint, "negative_duration")->effect, "1 event kept with a mended field.");
}

// Recorders write events in any order; nothing depends on it.
TEST(LintPassTest, TheOrderInTheFileDoesNotMatter) {
  HandMadeTrace make;
  make.builder().header().recording.has_shapes = true;
  make.builder().header().recording.has_clock_base = true;
  for (Ns step = 2; step >= 0; --step) {
    const Ns start = step * 100'000;
    make.Kernel("gemm", {start + 10'000, start + 90'000}, static_cast<uint32_t>(step + 1));
    make.Api("cudaLaunchKernel", {start + 2'000, start + 5'000}, static_cast<uint32_t>(step + 1));
    make.Op("aten::mm", {start + 1'000, start + 9'000});
    make.Range("ProfilerStep#" + std::to_string(step), {start, start + 100'000});
  }
  EXPECT_TRUE(Lint(make.Seal()).findings.empty());
}

TEST(LintPassTest, CpuTimeThatIsFarFromGpuTime) {
  HandMadeTrace make = Clean();
  make.Op("aten::slow_on_the_host", {300'000, 900'000});
  make.Op("aten::inner", {300'000, 800'000});
  const LintResult lint = Lint(make.Seal());
  const LintFinding* finding = Find(lint, "cpu_time_is_not_gpu_time");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, LintSeverity::kInfo);
  EXPECT_EQ(finding->symptom, "The ops take 624.0 us of CPU time in all; the GPU worked 240.0 us.");
}

TEST(LintPassTest, WithoutStepsItIsSaidWhatStandsForThem) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 10});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "no_steps"), nullptr);
  EXPECT_NE(Find(lint, "no_steps")->advice.find("prof.step()"), std::string::npos);
}

TEST(LintPassTest, StepsThatAreNotSynchronised) {
  HandMadeTrace make;
  for (Ns step = 0; step < 3; ++step) {
    const Ns start = step * 1'000;
    make.Range("ProfilerStep#" + std::to_string(step), {start, start + 1'000});
    make.Api("cudaLaunchKernel", {start, start + 5}, static_cast<uint32_t>(step + 1));
    make.Kernel("late", {start + 900, start + 1'900}, static_cast<uint32_t>(step + 1));
  }
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "steps_not_synchronised"), nullptr);
  EXPECT_EQ(Find(lint, "steps_not_synchronised")->count, 3);
}

TEST(LintPassTest, WarmUpAndProfilerOverheadInsideTheSteps) {
  HandMadeTrace make;
  make.Range("ProfilerStep#0", {0, 5'000});
  make.Range("ProfilerStep#1", {5'000, 6'000});
  make.Range("ProfilerStep#2", {6'000, 7'000});
  make.Op("aten::mm", {100, 4'900});
  make.Host(HostKind::kOverhead, "Activity Buffer Request", {1'000, 4'000});
  const LintResult lint = Lint(make.Seal());
  EXPECT_NE(Find(lint, "first_step_slow"), nullptr);
  ASSERT_NE(Find(lint, "profiler_overhead"), nullptr);
  EXPECT_EQ(Find(lint, "profiler_overhead")->count, 1);
}

TEST(LintPassTest, TheImportsCausesAreFindings) {
  HandMadeTrace make = Clean();
  make.builder().shard().log.CountRead(2);
  make.builder().shard().log.Add("truncated", ImportSeverity::kError, Effect::kExcluded, "the file ends inside an event",
                                 1234, 2);
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "truncated"), nullptr);
  EXPECT_EQ(Find(lint, "truncated")->severity, LintSeverity::kError);
  EXPECT_EQ(Find(lint, "truncated")->count, 2);
  EXPECT_EQ(Find(lint, "truncated")->examples.at(0), "first at byte 1234");
}

TEST(LintPassTest, WhatMakesAFileBig) {
  HandMadeTrace make = Clean();
  make.builder().header().recording.inflated_bytes = 1'000'000'000;
  for (int i = 0; i < 50; ++i) make.Frame("model.py(1): forward", {i, i + 1});
  const LintResult lint = Lint(make.Seal());
  ASSERT_NE(Find(lint, "large_file"), nullptr);
  EXPECT_NE(Find(lint, "large_file")->symptom.find("Python frames"), std::string::npos);
}

TEST(LintDocumentTest, JsonAndText) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 10});
  const Document document = MakeLintDocument(Lint(make.Seal()));
  EXPECT_EQ(document.verb, "lint");
  EXPECT_EQ(document.data["condition_holds"], true);
  ASSERT_FALSE(document.data["findings"].empty());
  const auto& finding = document.data["findings"][0];
  for (const char* key : {"id", "severity", "count", "symptom", "effect", "advice", "examples"}) {
    EXPECT_TRUE(finding.contains(key)) << key;
  }
  EXPECT_EQ(document.data["counts"]["error"].get<int64_t>() + document.data["counts"]["warning"].get<int64_t>() +
                document.data["counts"]["info"].get<int64_t>(),
            static_cast<int64_t>(document.data["findings"].size()));
}

}  // namespace
}  // namespace warpsight
