#include "analysis/counters/hot_line.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/counters/made_counters.h"
#include "formats/cubin/kernel_code.h"
#include "formats/open_counters.h"

namespace warpsight {
namespace {

KernelCode ReadLines(const CounterReport& report, const ProfiledKernel& kernel) {
  return ReadKernelCode(report, kernel, {.disassemble = false});
}

TEST(HotLineTest, IsTheLineWithMostSamples) {
  const Result<CounterReport> report = OpenCounters("tests/data/source_lines.ncu-rep.gz");
  ASSERT_TRUE(report.ok());
  ASSERT_FALSE(report->kernels().empty());
  for (const ProfiledKernel& kernel : report->kernels()) {
    const TriageGiven given = GivenOfReport(*report, kernel, ReadLines);
    ASSERT_TRUE(given.hot_line) << given.no_hot_line;
    EXPECT_NE(given.hot_line->place.find(".cu:"), std::string::npos) << given.hot_line->place;
    EXPECT_GT(given.hot_line->share, 0);
    EXPECT_LE(given.hot_line->share, 1);
    EXPECT_FALSE(given.hot_line->wait.empty());
    const Triage triage = TriageKernel(*report, kernel, given);
    const bool is_found = std::ranges::any_of(triage.findings, [](const auto& finding) { return finding.id == "hot_line"; });
    if (triage.further_findings == 0) EXPECT_EQ(is_found, given.hot_line->share > 0.3);
  }
}

TEST(HotLineTest, SaysWhyThereIsNone) {
  const Result<CounterReport> report = OpenCounters("tests/data/source_lines.ncu-rep.gz");
  ASSERT_TRUE(report.ok());
  const ProfiledKernel& kernel = report->kernels().front();
  EXPECT_EQ(GivenOfReport(*report, kernel, {}).no_hot_line, "");
  const auto without_code = [](const CounterReport&, const ProfiledKernel&) { return KernelCode(); };
  EXPECT_EQ(GivenOfReport(*report, kernel, without_code).no_hot_line, "the report does not hold the program of this kernel");
  const auto without_lines = [](const CounterReport& of, const ProfiledKernel& one) {
    KernelCode code = ReadLines(of, one);
    for (KernelCode::Function& function : code.functions) {
      for (CodeInstruction& instruction : function.code.instructions) instruction.place = 0;
    }
    return code;
  };
  EXPECT_NE(GivenOfReport(*report, kernel, without_lines).no_hot_line.find("-lineinfo"), std::string::npos);
  const CounterReport made = testing::ReportWith({{"gpu__time_duration.sum", 1}});
  EXPECT_NE(GivenOfReport(made, made.kernels().front(), ReadLines).no_hot_line.find("SourceCounters"), std::string::npos);
}

}  // namespace
}  // namespace warpsight
