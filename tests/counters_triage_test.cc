// Kernels that were written with one fault each: triage names it from the counters alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "analysis/counters/triage.h"
#include "analysis/counters/triage_data.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing {
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
    const Triage triage = TriageKernel(*report, kernel);
    EXPECT_EQ(triage.verdict_id, found->second.verdict) << kernel.function_name << ": " << triage.verdict;
    ASSERT_FALSE(triage.findings.empty()) << kernel.function_name;
    EXPECT_EQ(triage.findings.front().id, found->second.first_finding) << kernel.function_name << ": " << triage.verdict;
    EXPECT_LE(triage.findings.size(), 5u);
    EXPECT_TRUE(triage.not_evaluated.empty()) << triage.not_evaluated.front().id << triage.not_evaluated.front().reason;
    // The fault of one kernel is not found in another.
    for (const TriageFinding& finding : triage.findings) {
      for (const auto& [other, fault] : expected) {
        if (other == kernel.function_name || fault.first_finding != finding.id) continue;
        ADD_FAILURE() << kernel.function_name << " also has " << finding.id << ": " << finding.title;
      }
      EXPECT_FALSE(finding.metrics.empty()) << finding.id;
    }
  }
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

// Names in formulas are limits, values above, or metrics (which have two underscores).
TEST(CountersTriageTest, EveryNameOfTheDataMeansSomething) {
  const TriageData& data = CounterTriageData();
  const auto check = [&](const Formula& formula) {
    for (const std::string& name : formula.names()) {
      EXPECT_TRUE(name.find("__") != std::string::npos || data.FindValue(name) != nullptr ||
                  data.FindLimit(name) != nullptr || name.starts_with("memory_l2_"))
          << name << " in " << formula.text();
    }
  };
  for (const auto& [name, formula] : data.values) {
    check(formula);
    EXPECT_EQ(data.FindLimit(name), nullptr) << name << " is a limit as well";
  }
  for (const TriageNode& node : data.nodes) {
    for (const Comparison& condition : node.when) {
      check(condition.left());
      check(condition.right());
    }
    if (node.gain) check(*node.gain);
  }
  for (const TriageText& verdict : data.verdicts) {
    for (const Comparison& condition : verdict.when) {
      check(condition.left());
      check(condition.right());
    }
  }
}

}  // namespace
}  // namespace warpsight::testing
