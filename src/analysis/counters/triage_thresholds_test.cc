// Every threshold of data/counter_triage.toml at both sides of its border, with made reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/counters/made_counters.h"
#include "analysis/counters/triage.h"
#include "analysis/counters/triage_data.h"

namespace warpsight {
namespace {

using testing::MadeMetrics;

constexpr std::string_view kMadeCompute = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kMadeMemory = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kMadeDram = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kMadeL1 = "l1tex__throughput.avg.pct_of_peak_sustained_active";
constexpr std::string_view kMadeL2Hit = "lts__t_sector_op_read_hit_rate.pct";
constexpr std::string_view kMadeDuration = "gpu__time_duration.sum";
constexpr std::string_view kMadeWaves = "launch__waves_per_multiprocessor";
constexpr std::string_view kMadeIssue = "smsp__issue_active.avg.per_cycle_active";
constexpr std::string_view kMadeEligible = "smsp__warps_eligible.avg.per_cycle_active";
constexpr std::string_view kMadeTheoretical = "sm__maximum_warps_per_active_cycle_pct";
constexpr std::string_view kMadeLanes = "smsp__thread_inst_executed_per_inst_executed.ratio";
constexpr std::string_view kMadeLoadBytesPerSector = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view kMadeSectors = "memory_l2_theoretical_sectors_global";
constexpr std::string_view kMadeConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr std::string_view kMadeLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kMadeSharedLoads = "smsp__sass_inst_executed_op_shared_ld.sum";
constexpr std::string_view kMadeXu = "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kMadeSmLongest = "sm__cycles_active.max";
constexpr std::string_view kMadeSmMean = "sm__cycles_active.avg";
constexpr std::string_view kMadeUniform = "smsp__sass_average_branch_targets_threads_uniform.pct";

// A kernel that no rule has anything to say of, with all metrics that rules ask for.
MadeMetrics HealthyKernel() {
  return {{kMadeCompute, 40},
          {kMadeMemory, 45},
          {kMadeDram, 30},
          {kMadeL1, 25},
          {kMadeL2Hit, 80},
          {kMadeDuration, 1e6},
          {kMadeWaves, 4},
          {kMadeIssue, 0.9},
          {kMadeEligible, 3},
          {kMadeTheoretical, 100},
          {kMadeLanes, 32},
          {kMadeLoadBytesPerSector, 32},
          {kMadeSectors, 1000},
          {kMadeConflicts, 0},
          {kMadeLoadSectors, 1000},
          {kMadeSharedLoads, 10},
          {kMadeXu, 1},
          {kMadeSmLongest, 100},
          {kMadeSmMean, 95},
          {kMadeUniform, 100},
          {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 20},
          {"launch__grid_size", 800},
          {"launch__sm_count", 100},
          {"launch__block_size", 256},
          {"device__attribute_compute_capability_major", 9},
          {"device__attribute_compute_capability_minor", 0},
          {"smsp__warps_active.avg.per_cycle_active", 5},
          {"sm__warps_active.avg.pct_of_peak_sustained_active", 80},
          {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", 30},
          {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
          {"memory_l2_theoretical_sectors_global_ideal", 1000},
          {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1000},
          {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 0},
          {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 10},
          {"smsp__sass_inst_executed_op_global_ld.sum", 10},
          {"smsp__inst_executed_op_tma_ld.sum", 0},
          {"smsp__inst_executed_op_ldgsts.sum", 0},
          {"dram__bytes_read.sum", 32000},
          {"sm__cycles_elapsed.max", 100},
          {"smsp__sass_branch_targets_threads_divergent.sum", 5},
          {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 10},
          {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", 20},
          {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 20},
          {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", 0},
          {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 30},
          {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed", 0},
          {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed", 0},
          {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed", 0}};
}

MadeMetrics ChangedKernel(const MadeMetrics& changes) {
  MadeMetrics metrics = HealthyKernel();
  for (const auto& [name, value] : changes) {
    const auto known = std::ranges::find(metrics, name, &MadeMetrics::value_type::first);
    if (known == metrics.end()) {
      metrics.emplace_back(name, value);
    } else {
      known->second = value;
    }
  }
  return metrics;
}

// With the profiled time of a healthy kernel.
TriageGiven AllGiven() {
  TriageGiven given;
  given.unprofiled_ns = 1e6;
  given.hot_line = HotLine{"k.cu:1", 0.1, ""};
  return given;
}

Triage JudgeMade(const MadeMetrics& changes, const TriageGiven& given) {
  const CounterReport report = testing::ReportWith(ChangedKernel(changes));
  return TriageKernel(report, report.kernels().front(), given);
}

// Where the timeline has the profiled time.
Triage JudgeMade(const MadeMetrics& changes) {
  TriageGiven given = AllGiven();
  const CounterReport report = testing::ReportWith(ChangedKernel(changes));
  given.unprofiled_ns = report.Number(report.kernels().front(), kMadeDuration);
  return TriageKernel(report, report.kernels().front(), given);
}

const TriageFinding* FindingIn(const Triage& triage, std::string_view id) {
  const auto found = std::ranges::find(triage.findings, id, &TriageFinding::id);
  return found == triage.findings.end() ? nullptr : &*found;
}

using ShowsIt = std::function<bool(const Triage&)>;

ShowsIt ShowsFinding(std::string_view id) {
  return [id](const Triage& triage) { return FindingIn(triage, id) != nullptr; };
}
ShowsIt ShowsSeverity(std::string_view id, Severity severity) {
  return [id, severity](const Triage& triage) {
    const TriageFinding* const finding = FindingIn(triage, id);
    return finding != nullptr && finding->severity == severity;
  };
}
ShowsIt ShowsVerdict(std::string_view id) {
  return [id](const Triage& triage) { return triage.verdict_id == id; };
}

struct MadeBorder {
  std::string_view limit;
  ShowsIt shows;
  MadeMetrics beyond;  // shows it
  MadeMetrics within;  // does not
  std::optional<TriageGiven> given_beyond = std::nullopt;
  std::optional<TriageGiven> given_within = std::nullopt;
};

std::vector<MadeBorder> MadeBorders() {
  const MadeMetrics half_lanes = {{kMadeLanes, 16}};
  const auto with = [](MadeMetrics metrics, const MadeMetrics& more) {
    metrics.insert(metrics.end(), more.begin(), more.end());
    return metrics;
  };
  const MadeMetrics tiles = {{kMadeMemory, 88}, {kMadeDram, 88}, {kMadeL2Hit, 30}, {kMadeLoadSectors, 3000}};
  const MadeMetrics l1_full = {{kMadeMemory, 88}, {kMadeL1, 88}, {kMadeSharedLoads, 0}};
  std::vector<MadeBorder> borders = {
      {"high_gain", ShowsSeverity("divergence", Severity::kHigh), with(half_lanes, {{kMadeCompute, 61}}),
       with(half_lanes, {{kMadeCompute, 59}})},
      {"medium_gain", ShowsSeverity("divergence", Severity::kMedium),
       with(half_lanes, {{kMadeCompute, 21}, {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 1}}),
       with(half_lanes, {{kMadeCompute, 19}, {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 1}})},
      {"low", ShowsVerdict("memory_bound"), {{kMadeMemory, 60}}, {{kMadeMemory, 59.9}}},
      {"high", ShowsFinding("near_limit"), {{kMadeMemory, 80}}, {{kMadeMemory, 79.9}}},
      {"short_ns", ShowsVerdict("too_short"), {{kMadeDuration, 9999}}, {{kMadeDuration, 10000}}},
      {"starved", ShowsFinding("starved_schedulers"), {{kMadeIssue, 0.499}}, {{kMadeIssue, 0.5}}},
      {"severely_starved", ShowsSeverity("starved_schedulers", Severity::kHigh), {{kMadeIssue, 0.199}}, {{kMadeIssue, 0.2}}},
      {"lanes_limit", ShowsFinding("divergence"), {{kMadeLanes, 23.9}}, {{kMadeLanes, 24}}},
      {"bytes_per_sector",
       ShowsFinding("uncoalesced"),
       {{kMadeLoadBytesPerSector, 15.9}, {kMadeSectors, 2000}},
       {{kMadeLoadBytesPerSector, 16}, {kMadeSectors, 2000}}},
      {"excess_sectors",
       ShowsFinding("uncoalesced"),
       {{kMadeLoadBytesPerSector, 8}, {kMadeSectors, 1501}},
       {{kMadeLoadBytesPerSector, 8}, {kMadeSectors, 1500}}},
      {"bank_conflict_limit", ShowsFinding("bank_conflicts"), {{kMadeConflicts, 101}}, {{kMadeConflicts, 100}}},
      {"least_gain",
       ShowsFinding("bank_conflicts"),
       {{kMadeConflicts, 200}, {kMadeL1, 10.1}},
       {{kMadeConflicts, 200}, {kMadeL1, 9.9}}},
      {"imbalance_limit",
       ShowsFinding("imbalance"),
       {{kMadeSmLongest, 121}, {kMadeSmMean, 100}},
       {{kMadeSmLongest, 120}, {kMadeSmMean, 100}}},
      {"occupancy_limit",
       ShowsFinding("low_occupancy"),
       {{kMadeTheoretical, 49.9}, {kMadeIssue, 0.4}},
       {{kMadeTheoretical, 50}, {kMadeIssue, 0.4}}},
      {"reuse_hit_rate", ShowsFinding("tiles_read_again"), with(tiles, {{kMadeL2Hit, 69.9}}),
       with(tiles, {{kMadeL2Hit, 70}})},
      {"reads_limit", ShowsFinding("tiles_read_again"), with(tiles, {{kMadeLoadSectors, 2001}}),
       with(tiles, {{kMadeLoadSectors, 2000}})},
      {"product_compute", ShowsFinding("tiles_read_again"), with(tiles, {{kMadeCompute, 20.1}}),
       with(tiles, {{kMadeCompute, 20}})},
      {"reuse_limit", ShowsFinding("no_reuse"), with(l1_full, {{kMadeLoadSectors, 4001}}),
       with(l1_full, {{kMadeLoadSectors, 4000}})},
      {"pipe_limit", ShowsFinding("special_functions"), {{kMadeXu, 60}}, {{kMadeXu, 59.9}}},
      {"last_wave_limit", ShowsFinding("last_wave"), {{kMadeWaves, 1.59}}, {{kMadeWaves, 1.61}}},
      {"above_all", ShowsVerdict("measurement_suspect"), {{kMadeDram, 101.1}}, {{kMadeDram, 101}}},
      {"eligible_limit",
       ShowsFinding("few_eligible_warps"),
       {{kMadeIssue, 0.6}, {kMadeEligible, 2.4}},
       {{kMadeIssue, 0.6}, {kMadeEligible, 2.5}}},
      {"sm_active_limit",
       ShowsFinding("sms_idle"),
       {{kMadeSmMean, 49.9}, {kMadeSmLongest, 50}},
       {{kMadeSmMean, 50}, {kMadeSmLongest, 50}}},
      {"branch_limit",
       ShowsFinding("divergent_branches"),
       {{kMadeUniform, 94.9}, {kMadeLanes, 26}},
       {{kMadeUniform, 95}, {kMadeLanes, 26}}},
      {"hot_line_limit", ShowsFinding("hot_line"), {}, {}},
      {"time_ratio_limit", ShowsVerdict("measurement_suspect"), {}, {}}};
  for (MadeBorder& border : borders) {
    if (border.limit != "hot_line_limit" && border.limit != "time_ratio_limit") continue;
    border.given_beyond = border.given_within = AllGiven();
    if (border.limit == "hot_line_limit") {
      border.given_beyond->hot_line->share = 0.301;
      border.given_within->hot_line->share = 0.3;
    }
    if (border.limit == "time_ratio_limit") {
      border.given_beyond->unprofiled_ns = 500'000;
      border.given_within->unprofiled_ns = 500'001;
    }
  }
  return borders;
}

TEST(TriageThresholdsTest, AHealthyKernelHasNoFindingAndNothingIsUnevaluated) {
  const Triage triage = JudgeMade({});
  for (const TriageFinding& finding : triage.findings) ADD_FAILURE() << finding.title;
  for (const UnevaluatedRule& rule : triage.not_evaluated) {
    // A made report has no instances of opcodes.
    if (rule.id != "fp64_in_float_kernel") ADD_FAILURE() << rule.id << ": " << rule.reason;
  }
  EXPECT_EQ(triage.verdict_id, "latency_bound");
}

TEST(TriageThresholdsTest, EveryThresholdAtBothSidesOfItsBorder) {
  std::set<std::string_view> seen;
  for (const MadeBorder& border : MadeBorders()) {
    seen.insert(border.limit);
    ASSERT_NE(CounterTriageData().FindLimit(border.limit), nullptr) << border.limit;
    const Triage beyond = border.given_beyond ? JudgeMade(border.beyond, *border.given_beyond) : JudgeMade(border.beyond);
    EXPECT_TRUE(border.shows(beyond)) << border.limit << " is not seen beyond its border: " << beyond.verdict;
    const Triage within = border.given_within ? JudgeMade(border.within, *border.given_within) : JudgeMade(border.within);
    EXPECT_FALSE(border.shows(within)) << border.limit << " is seen within its border: " << within.verdict;
  }
  for (const TriageLimit& limit : CounterTriageData().limits) EXPECT_TRUE(seen.contains(limit.id)) << limit.id;
}

TEST(TriageThresholdsTest, FewerWavesThanOneAndOddBlocksAreTooSmall) {
  EXPECT_EQ(JudgeMade({{kMadeWaves, 0.99}}).verdict_id, "too_small");
  EXPECT_NE(JudgeMade({{kMadeWaves, 1}}).verdict_id, "too_small");
  EXPECT_NE(FindingIn(JudgeMade({{"launch__block_size", 240}}), "odd_block_size"), nullptr);
  EXPECT_EQ(FindingIn(JudgeMade({{"launch__block_size", 224}}), "odd_block_size"), nullptr);
  EXPECT_NE(FindingIn(JudgeMade({{"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 100}}), "spilling"), nullptr);
}

// One wave is not filled, but device memory is: the launch is not what limits.
TEST(TriageThresholdsTest, AKernelNearItsLimitIsNotTooSmallToJudge) {
  const MadeMetrics small = {
      {kMadeWaves, 0.5}, {kMadeDuration, 9000}, {kMadeIssue, 0.1}, {kMadeMemory, 85}, {kMadeDram, 85}};
  const Triage near = JudgeMade(small);
  EXPECT_EQ(near.verdict_id, "memory_bound");
  EXPECT_TRUE(near.verdict.starts_with("memory-bound, near the limit: device memory at 85.0 % of its peak")) << near.verdict;
  EXPECT_EQ(near.findings.front().id, "near_limit");
  EXPECT_NE(near.findings.front().advice.find("fewer bytes"), std::string::npos);
  for (const TriageFinding& finding : near.findings) {
    EXPECT_EQ(finding.severity, Severity::kLow) << finding.title;
    EXPECT_LE(finding.gain_share.value_or(0), 0.15 + 1e-9) << finding.title << ": tuning can't gain more than the rest";
  }
  const Triage far = JudgeMade({{kMadeWaves, 0.5}, {kMadeDuration, 9000}, {kMadeMemory, 79}, {kMadeDram, 79}});
  EXPECT_EQ(far.verdict_id, "too_small");
  const Triage brief = JudgeMade({{kMadeDuration, 9000}, {kMadeMemory, 79}, {kMadeDram, 79}});
  EXPECT_EQ(brief.verdict_id, "too_short");
}

// Near a limit the work that need not be done is still worth its share, unless another unit is as full.
TEST(TriageThresholdsTest, NeedlessWorkOfTheUnitAtItsLimitIsWorthItsShare) {
  const Triage conflicts = JudgeMade({{kMadeMemory, 90}, {kMadeL1, 90}, {kMadeConflicts, 800}});
  EXPECT_EQ(conflicts.findings.front().id, "bank_conflicts");
  EXPECT_EQ(conflicts.findings.front().severity, Severity::kHigh);
  const Triage elsewhere = JudgeMade({{kMadeMemory, 90}, {kMadeDram, 90}, {kMadeL1, 60}, {kMadeConflicts, 800}});
  ASSERT_NE(FindingIn(elsewhere, "bank_conflicts"), nullptr);
  EXPECT_NEAR(*FindingIn(elsewhere, "bank_conflicts")->gain_share, 0.1, 1e-9) << "device memory is the next limit";
}

TEST(TriageThresholdsTest, AProductWhoseTilesAreReadAgain) {
  // What the guide of the profiler's users has: 30 % of the arithmetic, memory and device memory 88 %, L2 hit rate 30 %.
  const CounterReport report = testing::ReportWith(
      {{kMadeCompute, 30}, {kMadeMemory, 88}, {kMadeDram, 88}, {kMadeL2Hit, 30}, {kMadeWaves, 4}, {kMadeDuration, 1e6}}, "",
      "ampere_sgemm_128x64_nn");
  const Triage triage = TriageKernel(report, report.kernels().front());
  EXPECT_EQ(triage.verdict_id, "memory_bound");
  EXPECT_NE(triage.verdict.find("device memory at 88.0 % of its peak"), std::string::npos) << triage.verdict;
  ASSERT_FALSE(triage.findings.empty());
  const TriageFinding& first = triage.findings.front();
  EXPECT_EQ(first.id, "tiles_read_again");
  EXPECT_EQ(first.severity, Severity::kHigh);
  EXPECT_NE(first.advice.find("Enlarge the tiles, or swizzle"), std::string::npos) << first.advice;
  // Of a kernel that need not reuse anything the counters do not say it.
  const CounterReport other = testing::ReportWith(
      {{kMadeCompute, 30}, {kMadeMemory, 88}, {kMadeDram, 88}, {kMadeL2Hit, 30}, {kMadeWaves, 4}, {kMadeDuration, 1e6}});
  const Triage unknown = TriageKernel(other, other.kernels().front());
  EXPECT_EQ(FindingIn(unknown, "tiles_read_again"), nullptr);
  EXPECT_TRUE(std::ranges::any_of(unknown.not_evaluated, [](const auto& rule) { return rule.id == "tiles_read_again"; }));
}

// cp.async counts among the loads of L1TEX, TMA does not.
TEST(TriageThresholdsTest, LoadsThroughTheTensorMemoryAcceleratorAreLoads) {
  const MadeMetrics product = {{kMadeMemory, 88}, {kMadeDram, 88}, {kMadeL2Hit, 30}, {kMadeLoadSectors, 10}};
  const auto with = [&](const MadeMetrics& more) {
    MadeMetrics metrics = product;
    metrics.insert(metrics.end(), more.begin(), more.end());
    return metrics;
  };
  EXPECT_EQ(FindingIn(JudgeMade(product), "tiles_read_again"), nullptr);
  const Triage tma = JudgeMade(with(
      {{"smsp__inst_executed_op_tma_ld.sum", 50}, {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", 100'000}}));
  EXPECT_NE(FindingIn(tma, "tiles_read_again"), nullptr);
  EXPECT_TRUE(std::ranges::any_of(tma.not_evaluated, [](const UnevaluatedRule& rule) {
    return rule.id == "uncoalesced" && rule.reason.find("TMA") != std::string::npos;
  })) << "coalescing is judged on the LSU path";
  const Triage unknown = JudgeMade(with({{"smsp__inst_executed_op_tma_ld.sum", 50}}));
  EXPECT_EQ(FindingIn(unknown, "tiles_read_again"), nullptr);
  EXPECT_TRUE(std::ranges::any_of(unknown.not_evaluated, [](const auto& rule) { return rule.id == "tiles_read_again"; }));
  const Triage copies = JudgeMade(with({{"sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum", 0},
                                        {"sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", 3000}}));
  EXPECT_NE(FindingIn(copies, "tiles_read_again"), nullptr);
}

TEST(TriageThresholdsTest, OnlyWhatCannotBeAboveItsPeakIsSuspect) {
  EXPECT_NE(JudgeMade({{"sm__warps_active.max.pct_of_peak_sustained_active", 412}}).verdict_id, "measurement_suspect");
  EXPECT_NE(JudgeMade({{"derived__pct_occupancy_per_block_size", 5485}}).verdict_id, "measurement_suspect");
  EXPECT_NE(JudgeMade({{"lts__t_sector_op_write_hit_rate.pct", 102.7}}).verdict_id, "measurement_suspect");
  const Triage suspect = JudgeMade({{"l1tex__t_sector_hit_rate.pct", 130}, {kMadeMemory, 70}});
  EXPECT_EQ(suspect.verdict_id, "measurement_suspect");
  EXPECT_EQ(suspect.findings.front().id, "measurement_suspect");
  EXPECT_NE(suspect.verdict.find("l1tex__t_sector_hit_rate.pct is 130.0 % of what it can be"), std::string::npos);
  EXPECT_NE(suspect.verdict.find("; by its counters memory-bound"), std::string::npos) << suspect.verdict;
  EXPECT_EQ(JudgeMade({{kMadeIssue, 1.02}}).verdict_id, "measurement_suspect");
}

TEST(TriageThresholdsTest, ProfiledTimeThatIsNotTheProgramsIsSuspect) {
  TriageGiven given = AllGiven();
  for (const double unprofiled_ns : {400'000.0, 2'500'000.0}) {
    given.unprofiled_ns = unprofiled_ns;
    const Triage triage = JudgeMade({}, given);
    EXPECT_EQ(triage.verdict_id, "measurement_suspect");
    EXPECT_EQ(triage.findings.front().id, "time_disagrees");
    EXPECT_EQ(triage.findings.front().title, "Profiled and unprofiled time differ 2.5 times");
    EXPECT_NE(triage.findings.front().evidence.back().find("locks clocks and flushes caches"), std::string::npos);
  }
  given.unprofiled_ns.reset();
  const Triage unknown = JudgeMade({}, given);
  const auto rule = std::ranges::find(unknown.not_evaluated, "time_disagrees", &UnevaluatedRule::id);
  ASSERT_NE(rule, unknown.not_evaluated.end());
  EXPECT_FALSE(rule->lacks_metrics);
}

// A full arithmetic pipe is good in a product and bad in a kernel of bandwidth.
TEST(TriageThresholdsTest, TheFullPipeIsJudgedByWhatTheKernelDoes) {
  const std::string_view math = "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio";
  const std::string_view selected = "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio";
  const Triage product = JudgeMade({{math, 6}, {selected, 1}, {kMadeIssue, 0.3}, {kMadeCompute, 75}});
  ASSERT_NE(FindingIn(product, "starved_schedulers"), nullptr);
  EXPECT_EQ(FindingIn(product, "starved_schedulers")->severity, Severity::kLow);
  EXPECT_NE(FindingIn(product, "starved_schedulers")->advice.find("is good"), std::string::npos);
  const Triage bandwidth = JudgeMade({{math, 6}, {selected, 1}, {kMadeIssue, 0.3}});
  ASSERT_NE(FindingIn(bandwidth, "starved_schedulers"), nullptr);
  EXPECT_EQ(FindingIn(bandwidth, "starved_schedulers")->severity, Severity::kMedium);
  EXPECT_NE(FindingIn(bandwidth, "starved_schedulers")->advice.find("is bad"), std::string::npos);
}

// With schedulers that issue nearly every cycle stalls are not brought up at all.
TEST(TriageThresholdsTest, StallsAreReadOnlyWhenSchedulersDoNotIssue) {
  const MadeMetrics waiting = {{kMadeIssue, 0.85}, {kMadeEligible, 1}};
  const Triage triage = JudgeMade(waiting);
  EXPECT_TRUE(triage.findings.empty()) << triage.findings.front().title;
}

TEST(TriageThresholdsTest, WhatSlowPipesCostIsThatOfTheDevice) {
  const MadeMetrics special = {{kMadeXu, 90}, {kMadeCompute, 90}};
  const auto on = [&](double major, double minor) {
    MadeMetrics metrics = special;
    metrics.insert(metrics.end(), {{"device__attribute_compute_capability_major", major},
                                   {"device__attribute_compute_capability_minor", minor},
                                   {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", 90.0}});
    return JudgeMade(metrics);
  };
  const auto says = [](const Triage& triage, std::string_view special_text, std::string_view fp64_text) {
    EXPECT_NE(FindingIn(triage, "special_functions")->evidence[1].find(special_text), std::string::npos) << special_text;
    EXPECT_NE(FindingIn(triage, "fp64_used")->advice.find(fp64_text), std::string::npos) << fp64_text;
  };
  says(on(7, 5), "16 lanes a cycle and SM on this device, against 64 for FP32",
       "FP64 has 2 lanes an SM on this device, FP32 64");
  says(on(8, 0), "against 64 for FP32", "FP64 has 32 lanes an SM on this device, FP32 64");
  says(on(9, 0), "against 128 for FP32", "FP64 has 64 lanes an SM on this device, FP32 128");
  says(on(5, 2), "16 or 32 lanes", "at half the FP32 rate at best");
}

}  // namespace
}  // namespace warpsight
