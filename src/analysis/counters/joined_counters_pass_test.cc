#include "analysis/counters/joined_counters_pass.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/joined_document.h"
#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

using Three = std::array<int32_t, 3>;

// A report with these kernels, without metrics but the duration.
struct MadeProfile {
  std::string_view full_name;
  std::string_view function_name;
  Extent grid = {4, 1, 1};
  Extent block = {64, 1, 1};
  double duration_ns = 0;  // 0: not recorded
};

CounterReport ReportOf(const std::vector<MadeProfile>& profiles) {
  CounterReportParts parts;
  parts.session.file = "k.ncu-rep";
  parts.metric_names = {"gpu__time_duration.sum"};
  for (const MadeProfile& profile : profiles) {
    ProfiledKernel kernel;
    kernel.id = static_cast<int64_t>(parts.kernels.size());
    kernel.full_name = profile.full_name;
    kernel.function_name = profile.function_name;
    kernel.grid = profile.grid;
    kernel.block = profile.block;
    if (profile.duration_ns > 0) {
      Metric duration;
      duration.value = profile.duration_ns;
      kernel.metrics.push_back(duration);
    }
    parts.kernels.push_back(kernel);
  }
  return CounterReport(std::move(parts));
}

class StepsOfKernels {
 public:
  // Steps #first_index and on, of 1000 ns each.
  explicit StepsOfKernels(int steps, int first_index = 0) {
    for (int i = 0; i < steps; ++i)
      make_.Range("ProfilerStep#" + std::to_string(first_index + i), {i * 1000, i * 1000 + 1000});
  }
  // Launched and run in that step.
  void Launch(int step, std::string_view name, Ns gpu_ns, Three grid = {4, 1, 1}, Three block = {64, 1, 1}) {
    const Ns at = step * 1000 + 10 + 2 * launched_;
    make_.Api("cudaLaunchKernel", {at, at + 1}, ++launched_);
    GpuWorkRow row;
    row.kind = GpuKind::kKernel;
    LaunchConfig config;
    config.grid = grid;
    config.block = block;
    row.launch_config = make_.builder().names().InternLaunchConfig(config);
    const Ns start = step * 1000 + 200 + used_;
    used_ += gpu_ns;
    make_.Work(row, name, {start, start + gpu_ns}, launched_);
  }
  Trace Seal() { return make_.Seal(); }

 private:
  HandMadeTrace make_;
  uint32_t launched_ = 0;
  Ns used_ = 0;
};

JoinedCounters Join(const Trace& trace, const CounterReport& report, Selection selection = {}) {
  Given given;
  given.counter_reports = {&report};
  Analysis analysis(trace, selection, given);
  const Result<JoinedCounters>& joined = analysis.Get<JoinedCountersPass>();
  EXPECT_TRUE(joined.ok()) << joined.status().message();
  return *joined;
}

// Two calls of 40 ns on average, in the whole window and where a window cuts the second.
TEST(JoinedCountersPassTest, ProfiledTimeIsComparedWithTheMeanOfTheTimeline) {
  StepsOfKernels make(1);
  make.Launch(0, "k(int)", 30);
  make.Launch(0, "k(int)", 50);
  const Trace trace = make.Seal();
  const Interval cut = {0, 240};
  for (const double profiled_ns : {80.0, 79.0, 20.0, 21.0}) {
    const CounterReport report = ReportOf({{"k(int)", "k", {4, 1, 1}, {64, 1, 1}, profiled_ns}});
    for (const std::optional<Interval>& range : {std::optional<Interval>(), std::optional<Interval>(cut)}) {
      Selection selection;
      selection.range = range;
      const JoinedCounters joined = Join(trace, report, selection);
      ASSERT_EQ(joined.matched.size(), 1u);
      EXPECT_EQ(joined.matched[0].mean_ns, 40);
      const bool is_suspect = profiled_ns == 80 || profiled_ns == 20;
      EXPECT_EQ(joined.matched[0].triage.verdict_id == "measurement_suspect", is_suspect) << profiled_ns;
      ASSERT_FALSE(joined.matched[0].triage.findings.empty() && is_suspect);
      if (is_suspect) EXPECT_EQ(joined.matched[0].triage.findings.front().id, "time_disagrees");
    }
  }
}

TEST(JoinedCountersPassTest, CountersBelongToNameGridAndBlock) {
  StepsOfKernels make(1);
  make.Launch(0, "void k<8, (anonymous namespace)::A>(int)", 30);
  make.Launch(0, "void k<8, (anonymous namespace)::A>(int)", 10, {9, 1, 1});
  make.Launch(0, "exact(float*)", 20);
  make.Launch(0, "short_name", 40);
  const Trace trace = make.Seal();
  const CounterReport report = ReportOf({{"void k<(int)8, <unnamed>::A>(int)", "k"},
                                         {"exact(float*)", "exact"},
                                         {"void a::short_name<float>(T1)", "short_name"},
                                         {"void k<(int)8, <unnamed>::A>(int)", "k", {5, 1, 1}},
                                         {"void k<(int)16, <unnamed>::A>(int)", "k"},
                                         {"other(int)", "other"},
                                         {"exact(float*)", "exact"}});
  const JoinedCounters joined = Join(trace, report);
  ASSERT_EQ(joined.matched.size(), 3u);
  EXPECT_EQ(joined.matched[0].name, "short_name");
  EXPECT_EQ(joined.matched[0].match, NameMatch::kFunction);
  EXPECT_EQ(joined.matched[0].gpu_ns, 40);
  EXPECT_DOUBLE_EQ(joined.matched[0].gpu_share, 0.4);
  EXPECT_EQ(joined.matched[1].match, NameMatch::kComparable);
  EXPECT_EQ(joined.matched[1].gpu_ns, 30);  // not the 10 of the other grid
  EXPECT_EQ(joined.matched[1].grid, (Extent{4, 1, 1}));
  EXPECT_EQ(joined.matched[2].match, NameMatch::kExact);
  ASSERT_EQ(joined.matched[2].launches.size(), 2u);
  EXPECT_EQ(joined.matched[2].launches[1].kernel->id, 6);
  ASSERT_EQ(joined.unmatched.size(), 3u);
  EXPECT_EQ(joined.unmatched[0].launch.kernel->id, 3);
  EXPECT_EQ(joined.unmatched[0].reason,
            "another grid or block: the timeline has (4, 1, 1) x (64, 1, 1), (9, 1, 1) x (64, 1, 1)");
  EXPECT_EQ(joined.unmatched[1].reason, "no kernel of this name");
  EXPECT_EQ(joined.unmatched[2].launch.kernel->full_name, "other(int)");
  // The form without counters has a tenth of the time.
  ASSERT_EQ(joined.missing.size(), 1u);
  EXPECT_EQ(joined.missing[0].gpu_ns, 10);
  EXPECT_EQ(joined.missing[0].calls, 1);
}

TEST(JoinedCountersPassTest, LaunchesOfTheMedianStepAreCounted) {
  StepsOfKernels make(3, 5);
  for (int step = 0; step < 3; ++step) {
    make.Launch(step, "void k<Add>(int)", 10);
    for (int i = 0; i < 4; ++i) make.Launch(step, "gemm", 10);
    make.Launch(step, "void k<Mul>(int)", 10);
    make.Launch(step, "tiny", 1);
  }
  const Trace trace = make.Seal();
  const CounterReport report = ReportOf({{"other", "other"}});
  const JoinedCounters joined = Join(trace, report, {.range = Interval{1000, 3000}});
  // The lower median of two steps of equal length is the first.
  EXPECT_EQ(joined.step, "ProfilerStep#6");
  EXPECT_EQ(joined.steps_before, 5);
  ASSERT_EQ(joined.missing.size(), 3u);
  EXPECT_EQ(joined.missing[0].name, "gemm");
  EXPECT_EQ(joined.missing[0].launch_skip, 4);
  EXPECT_EQ(joined.missing[0].launch_count, 4);
  EXPECT_EQ(joined.missing[0].filter, "--kernel-name gemm");
  // Five steps of four launches ran before the recording.
  EXPECT_EQ(joined.missing[0].launch_skip_from_first_step, 24);
  EXPECT_EQ(joined.missing[1].name, "void k<Add>(int)");
  EXPECT_EQ(joined.missing[1].launch_skip, 1);
  EXPECT_EQ(joined.missing[1].launch_count, 1);
  EXPECT_EQ(joined.missing[1].filter, "--kernel-name-base demangled --kernel-name 'regex:\\bk\\b.*\\bAdd\\b'");
  const nlohmann::ordered_json data = JoinedCountersData(joined);
  EXPECT_EQ(data["missing"][0]["ncu_command"],
            "ncu --set full --import-source yes --kernel-name gemm --launch-skip 4 --launch-count 4 -o counters COMMAND");
  EXPECT_EQ(data["missing"][0]["command"],
            "warpsight profile --kernel-name gemm --launch-skip 4 --launch-count 4 -o counters.ncu-rep -- COMMAND");
  EXPECT_EQ(data["missing"][0]["launch_skip_from_first_step"], 24);
  // ncu first, each in one piece.
  std::vector<std::string> commands;
  for (const Block& block : JoinedCountersBlocks(joined, {})) {
    if (const auto* command = std::get_if<CommandBlock>(&block)) commands.push_back(command->text);
  }
  ASSERT_GE(commands.size(), 2u);
  EXPECT_EQ(commands[0], data["missing"][0]["ncu_command"]);
  EXPECT_EQ(commands[1], data["missing"][0]["command"]);
  EXPECT_EQ(data["matched"].size(), 0u);
  EXPECT_EQ(data["unmatched_counters"][0]["reason"], "no kernel of this name");
}

TEST(JoinedCountersPassTest, WithoutStepsEveryFormIsProfiledOnce) {
  StepsOfKernels make(0);
  make.Launch(0, "covered", 10);
  make.Launch(0, "gemm", 10);
  make.Launch(0, "gemm", 10, {8, 1, 1});
  make.Launch(0, "gemm", 10);
  make.Launch(0, "gemm", 10, {16, 1, 1});
  make.Launch(0, "gemm", 10, {8, 1, 1});
  const Trace trace = make.Seal();
  const CounterReport report = ReportOf({{"covered", "covered"}, {"gemm", "gemm"}});
  const JoinedCounters joined = Join(trace, report);
  EXPECT_EQ(joined.step, "");
  ASSERT_EQ(joined.missing.size(), 1u);
  EXPECT_EQ(joined.missing[0].gpu_ns, 30);
  EXPECT_FALSE(joined.missing[0].launch_skip_from_first_step);
  EXPECT_EQ(joined.missing[0].launch_skip, 1);   // the covered form comes first
  EXPECT_EQ(joined.missing[0].launch_count, 3);  // up to the last new form
}

TEST(JoinedCountersPassTest, WithoutGridTheNameAloneIsCompared) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 10});
  const Trace trace = make.Seal();
  const CounterReport report = ReportOf({{"gemm", "gemm"}});
  const JoinedCounters joined = Join(trace, report);
  ASSERT_EQ(joined.matched.size(), 1u);
  EXPECT_FALSE(joined.matched[0].has_launch);
  EXPECT_EQ(JoinedCountersData(joined)["matched"][0]["matched_by"], "name alone: one of the files has no grid and block");
  EXPECT_EQ(JoinedCountersData(joined)["matched"][0]["grid"], nlohmann::ordered_json({4, 1, 1}));
}

// Nsight Compute replays a kernel; its partners do not.
TEST(JoinedCountersPassTest, CollectivesAreNotToBeProfiled) {
  HandMadeTrace make;
  make.Kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {0, 10});
  const Trace trace = make.Seal();
  const CounterReport report = ReportOf({{"gemm", "gemm"}});
  const JoinedCounters joined = Join(trace, report);
  ASSERT_EQ(joined.missing.size(), 1u);
  EXPECT_FALSE(joined.missing[0].not_profiled.empty());
  EXPECT_TRUE(JoinedCountersData(joined)["missing"][0]["ncu_command"].is_null());
  for (const Block& block : JoinedCountersBlocks(joined, {})) EXPECT_FALSE(std::holds_alternative<CommandBlock>(block));
}

TEST(JoinedCountersPassTest, WithoutReportsItIsNotEvaluated) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 10});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<JoinedCountersPass>().status().kind(), StatusKind::kLacks);
}

}  // namespace
}  // namespace warpsight
