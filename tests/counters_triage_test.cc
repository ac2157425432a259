// Kernels that were written with one fault each: triage names it from the counters alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "analysis/counters/hot_line.h"
#include "analysis/counters/stall_reasons.h"
#include "analysis/counters/triage.h"
#include "analysis/counters/triage_data.h"
#include "cli/kernel_code_lines.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::counters_triage_test {
namespace {

struct Expected {
  std::string verdict;
  std::string first_finding;
};

TEST(CountersTriageTest, NamesThePlantedFaults) {
  const std::string path = (SharedData() / "h200/ncu/kernels.ncu-rep").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const std::map<std::string, Expected, std::less<>> expected = {
      {"gemm_naive", {"memory_bound", "no_reuse"}},      {"transpose_conflict", {"memory_bound", "bank_conflicts"}},
      {"strided_copy", {"memory_bound", "uncoalesced"}}, {"stream_copy", {"too_short", "too_short"}},
      {"divergent", {"compute_bound", "divergence"}},    {"fp64_accident", {"latency_bound", "fp64_in_float_kernel"}},
      {"tiny_grid", {"too_small", "grid_too_small"}},    {"spill", {"memory_bound", "spilling"}},
      {"mufu", {"compute_bound", "special_functions"}}};
  const Result<CounterReport> report = OpenCounters(path);
  ASSERT_TRUE(report.ok());
  for (const ProfiledKernel& kernel : report->kernels()) {
    const auto found = expected.find(kernel.function_name);
    ASSERT_NE(found, expected.end());
    const Triage triage = TriageKernel(*report, kernel, GivenOfReport(*report, kernel, ReadLinesOf));
    EXPECT_EQ(triage.verdict_id, found->second.verdict) << kernel.function_name << ": " << triage.verdict;
    ASSERT_FALSE(triage.findings.empty()) << kernel.function_name;
    EXPECT_EQ(triage.findings.front().id, found->second.first_finding) << kernel.function_name << ": " << triage.verdict;
    EXPECT_LE(triage.findings.size(), 5u);
    for (const UnevaluatedRule& rule : triage.not_evaluated)
      EXPECT_EQ(rule.id, "time_disagrees") << kernel.function_name << ": " << rule.reason;
    // The fault of one kernel is not found in another.
    for (const TriageFinding& finding : triage.findings) {
      for (const auto& [other, fault] : expected) {
        if (other == kernel.function_name || fault.first_finding != finding.id) continue;
        ADD_FAILURE() << kernel.function_name << " also has " << finding.id << ": " << finding.title;
      }
      EXPECT_FALSE(finding.metrics.empty()) << finding.id;
      if (triage.verdict_id == "too_short") EXPECT_NE(finding.severity, Severity::kHigh) << finding.title;
    }
    // The array of the kernel named spill is indexed at run time, and ncu counts no spilling.
    if (kernel.function_name == "spill") EXPECT_NE(triage.findings.front().title.find("an array"), std::string::npos);
  }
}

// A kernel near its limit is told to stop, and nothing but needless work is of more than low severity.
TEST(CountersTriageTest, KernelsNearTheirLimitAreToldToStop) {
  int64_t near = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok());
    for (const ProfiledKernel& kernel : report->kernels()) {
      const double compute = report->Number(kernel, "sm__throughput.avg.pct_of_peak_sustained_elapsed").value_or(0);
      const double memory =
          report->Number(kernel, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0);
      if (std::max(compute, memory) < 80) continue;
      ++near;
      const Triage triage = TriageKernel(*report, kernel);
      EXPECT_NE(triage.verdict.find("near"), std::string::npos) << truth.report << kernel.id << ": " << triage.verdict;
      for (const TriageFinding& finding : triage.findings) {
        const auto node = std::ranges::find(CounterTriageData().nodes, finding.id, &TriageNode::id);
        if (node->kind != "waiting") continue;
        EXPECT_EQ(finding.severity, Severity::kLow) << truth.report << kernel.id << ": " << finding.title;
        EXPECT_LE(finding.gain_share.value_or(0), 0.2 + 1e-9) << truth.report << kernel.id << ": " << finding.title;
      }
    }
  }
  if (near == 0) GTEST_SKIP() << "no shared data";
}

// L1TEX counts cp.async among the loads: a kernel without another load has as many sectors of both.
TEST(CountersTriageTest, CpAsyncIsAmongTheLoads) {
  const std::string path = (SharedData() / "public/ncu/cutlass_report-s8-persist.ncu-rep").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters(path);
  ASSERT_TRUE(report.ok());
  const ProfiledKernel& gemm = report->kernels().front();
  EXPECT_EQ(report->Number(gemm, "smsp__sass_inst_executed_op_global_ld.sum"), 0);
  const std::optional<double> copied =
      report->Number(gemm, "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum");
  EXPECT_GT(copied, 0);
  EXPECT_EQ(report->Number(gemm, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), copied);
}

TEST(CountersTriageTest, EveryReportIsJudgedOrSaysWhyNot) {
  int64_t kernels = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok());
    for (const ProfiledKernel& kernel : report->kernels()) {
      ++kernels;
      const Triage triage = TriageKernel(*report, kernel);
      EXPECT_FALSE(triage.verdict.empty());
      EXPECT_TRUE(!triage.verdict_id.empty() || !triage.not_evaluated.empty());
      bool seen_part = false;
      for (const TriageFinding& finding : triage.findings) {
        EXPECT_FALSE(seen_part && finding.of_whole_kernel) << "gains of two kinds are mixed";
        seen_part = seen_part || !finding.of_whole_kernel;
        EXPECT_EQ(finding.title.find('{'), std::string::npos) << finding.title;
      }
    }
  }
  if (kernels == 0) GTEST_SKIP() << "no shared data";
}

// ncu's details page has fewer metrics: what is found there has its words and its advice all the same.
TEST(CountersTriageTest, FindingsOfADetailsPageAreWhole) {
  const std::string path = (SharedData() / "h200/ncu/kernels.details.csv").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters(path);
  ASSERT_TRUE(report.ok());
  size_t findings = 0;
  for (const ProfiledKernel& kernel : report->kernels()) {
    for (const TriageFinding& finding : TriageKernel(*report, kernel).findings) {
      ++findings;
      EXPECT_NE(finding.title, finding.id);
      EXPECT_FALSE(finding.advice.empty()) << finding.id;
    }
  }
  EXPECT_GT(findings, 5u);
}

// The metrics that a name rests on.
void AddMetricsOf(const std::string& name, std::set<std::string>& metrics) {
  if (CounterTriageData().FindLimit(name) != nullptr) return;
  const TriageValue* const value = CounterTriageData().FindValue(name);
  if (value == nullptr) {
    metrics.insert(name);
    return;
  }
  for (const std::string& inner : value->names()) AddMetricsOf(inner, metrics);
}

// Whether every {name} can be filled in when `known` metrics are there: by them, or by words that have a last resort.
bool CanBeFilled(const std::string& text, const std::set<std::string>& known) {
  const TriageData& data = CounterTriageData();
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const std::string quoted = text.substr(open + 1, text.find('}', open) - open - 1);
    const std::string name = quoted.substr(0, quoted.find(':'));
    if (name == "hot_line" || name == "largest_metric") continue;  // words that come with the facts of conditions
    const bool has_words = std::ranges::any_of(data.texts, [&](const TriageText& words) {
      return words.id == name && words.when.empty() && CanBeFilled(words.text, known);
    });
    std::set<std::string> metrics;
    AddMetricsOf(name, metrics);
    if (!has_words && !std::ranges::includes(known, metrics)) return false;
  }
  return true;
}

// A finding that holds has its title and advice, whatever else the report lacks.
TEST(CountersTriageTest, TitlesAndAdviceNeedNoMoreThanTheConditions) {
  for (const TriageNode& node : CounterTriageData().nodes) {
    std::set<std::string> known;
    for (const Comparison& condition : node.when) {
      for (const Formula* side : {&condition.left(), &condition.right()}) {
        for (const std::string& name : side->names()) AddMetricsOf(name, known);
      }
    }
    EXPECT_TRUE(CanBeFilled(node.title, known)) << node.id << ": " << node.title;
    EXPECT_TRUE(CanBeFilled(node.advice, known)) << node.id << ": " << node.advice;
  }
}

// What a kernel, its device and what stands beside the report tell, which is no metric (triage_values.h).
bool IsFact(const std::string& name) {
  static const std::set<std::string> facts = {"top_stall_share", "largest_share", "capability",
                                              "fp32_lanes",      "fp64_lanes",    "special_lanes",
                                              "is_gemm",         "unprofiled_ns", "hot_line_share"};
  return facts.contains(name) || (name.starts_with("stall_") && FindStallReason(name.substr(6)) != nullptr);
}

// Names in formulas are limits, values above, facts, or metrics (which have two underscores).
TEST(CountersTriageTest, EveryNameOfTheDataMeansSomething) {
  const TriageData& data = CounterTriageData();
  const auto check = [&](const Formula& formula) {
    for (const std::string& name : formula.names()) {
      EXPECT_TRUE(name.find("__") != std::string::npos || data.FindValue(name) != nullptr ||
                  data.FindLimit(name) != nullptr || name.starts_with("memory_l2_") || IsFact(name))
          << name << " in " << formula.text();
    }
  };
  const auto check_all = [&](const std::vector<Comparison>& conditions) {
    for (const Comparison& condition : conditions) {
      check(condition.left());
      check(condition.right());
    }
  };
  for (const TriageValue& value : data.values) {
    EXPECT_EQ(data.FindLimit(value.id), nullptr) << value.id << " is a limit as well";
    EXPECT_FALSE(IsFact(value.id)) << value.id << " is a fact as well";
    for (const TriageValue::Alternative& alternative : value.alternatives) {
      check(alternative.formula);
      check_all(alternative.when);
    }
  }
  for (const TriageKind& kind : data.kinds) {
    if (kind.most_gain) check(*kind.most_gain);
    for (const TriageMinor& minor : kind.minor) check_all(minor.when);
    EXPECT_TRUE(std::ranges::any_of(data.nodes, [&](const TriageNode& node) { return node.kind == kind.id; })) << kind.id;
  }
  for (const TriageNode& node : data.nodes) {
    check_all(node.when);
    check_all(node.not_evaluated_when);
    check_all(node.severe_when);
    EXPECT_EQ(node.not_evaluated_when.empty(), node.not_evaluated.empty()) << node.id;
    EXPECT_TRUE(node.needs.empty() || node.needs == "timeline" || node.needs == "lines") << node.id;
    if (node.gain) check(*node.gain);
    for (const TriageMinor& minor : node.minor) {
      EXPECT_FALSE(minor.reason.empty());
      check_all(minor.when);
    }
  }
  for (const TriageText& verdict : data.verdicts) check_all(verdict.when);
  for (const TriageText& text : data.texts) check_all(text.when);
}

}  // namespace
}  // namespace warpsight::testing::counters_triage_test
