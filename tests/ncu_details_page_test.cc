// The sections that `warpsight counters` shows hold every row of the details page that ncu prints, with its value and unit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "analysis/counters/counter_sections.h"
#include "csv_rows.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_details_page_test {
namespace {

// "kernel id / label" -> values with units. A label may stand in several sections.
using Printed = std::multimap<std::string, std::string>;

Printed PrintedRows(const CounterReport& report) {
  Printed printed;
  const UnitContext units = MakeUnitContext(report);
  for (const ProfiledKernel& kernel : report.kernels()) {
    for (const SectionResult& section : MakeSections(report, kernel, units)) {
      for (const SectionRow& row : section.rows) {
        const PrintedValue value = PrintRow(row);
        printed.emplace(std::to_string(kernel.id) + " / " + section.title + " / " + row.label,
                        value.value + " " + value.unit);
      }
    }
  }
  return printed;
}

// The name of a section in old reports.
std::string TitleNow(const std::string& title) {
  return title == "GPU Speed Of Light" ? "GPU Speed Of Light Throughput" : title;
}

TEST(NcuDetailsPageTest, EveryRowIsThere) {
  int64_t equal = 0;
  int64_t different = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.details_page.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const Printed printed = PrintedRows(*report);
    const CsvRows rows = ReadCsv(truth.details_page);
    const auto section = static_cast<size_t>(std::ranges::find(rows[0], "Section Name") - rows[0].begin());
    for (size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].size() < section + 4 || rows[i][section + 1].empty()) continue;
      const std::string key = rows[i][0] + " / " + TitleNow(rows[i][section]) + " / " + rows[i][section + 1];
      const std::string value = rows[i][section + 3] + " " + rows[i][section + 2];
      const auto [first, last] = printed.equal_range(key);
      if (rows[i][section + 3] == "n/a") {
        EXPECT_EQ(first, last) << truth.report << ": " << key << ": ncu has no value";
        continue;
      }
      if (std::any_of(first, last, [&](const auto& entry) { return entry.second == value; })) {
        ++equal;
        continue;
      }
      if (++different <= 40)
        ADD_FAILURE() << truth.report << ": " << key << ": " << (first == last ? "missing" : first->second) << ", ncu has "
                      << value;
    }
  }
  if (equal == 0) GTEST_SKIP() << "no shared data";
  EXPECT_EQ(different, 0);
  std::printf("%ld rows equal, %ld different\n", static_cast<long>(equal), static_cast<long>(different));
}

std::string_view PrintedKind(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kInfo:
      return "INF";
    case AdviceKind::kWarning:
      return "WRN";
    case AdviceKind::kError:
      return "ERR";
    case AdviceKind::kOptimisation:
      return "OPT";
    case AdviceKind::kUnknown:
      break;
  }
  return "";
}

// "kernel id / rule / kind / scope / speed-up to four digits"
std::multiset<std::string> RecordedRules(const CounterReport& report) {
  std::multiset<std::string> rules;
  for (const ProfiledKernel& kernel : report.kernels()) {
    for (const RuleResult& rule : kernel.rules) {
      for (const RuleAdvice& advice : rule.advice) {
        if (advice.text.empty()) continue;
        std::string speedup;
        if (advice.speedup_scope != SpeedupScope::kNone) speedup = fmt::format("{:.4g}", advice.speedup_percent);
        const std::string_view scope = advice.speedup_scope == SpeedupScope::kGlobal  ? "global"
                                       : advice.speedup_scope == SpeedupScope::kLocal ? "local"
                                                                                      : "";
        rules.insert(std::to_string(kernel.id) + " / " + std::string(rule.id) + " / " +
                     std::string(PrintedKind(advice.kind)) + " / " + std::string(scope) + " / " + speedup);
      }
    }
  }
  return rules;
}

TEST(NcuDetailsPageTest, RulesSayWhatNcuPrints) {
  size_t equal = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.details_page.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const CsvRows rows = ReadCsv(truth.details_page);
    const auto rule = static_cast<size_t>(std::ranges::find(rows[0], "Rule Name") - rows[0].begin());
    std::multiset<std::string> printed;
    for (size_t i = 1; i < rows.size(); ++i) {
      const std::vector<std::string>& row = rows[i];
      // A rule without a text prints nothing but its name.
      if (row.size() < rule + 5 || row[rule].empty() || row[rule + 2].empty()) continue;
      printed.insert(row[0] + " / " + row[rule] + " / " + row[rule + 1] + " / " + row[rule + 3] + " / " + row[rule + 4]);
    }
    EXPECT_EQ(RecordedRules(*report), printed) << truth.report;
    equal += printed.size();
  }
  if (equal == 0) GTEST_SKIP() << "no shared data";
  std::printf("%zu rule results\n", equal);
}

// A metric that no report of any version has is a typing error in the data.
TEST(NcuDetailsPageTest, EveryMetricOfTheSectionsExists) {
  std::set<std::string, std::less<>> known = MetricsOfTruths();
  if (known.empty()) GTEST_SKIP() << "no shared data";
  // Of devices that none of the reports is from.
  known.insert({"mcc__cycles_active.avg", "mcc__cycles_elapsed.sum"});
  for (const std::string& name : AllSectionMetrics()) EXPECT_TRUE(known.contains(name)) << name;
}

// The breakdowns of the speed of light have the labels of ncu's own, which only its text page prints.
TEST(NcuDetailsPageTest, BreakdownsHaveTheirLabels) {
  const std::filesystem::path page = SharedData() / "h200/ncu/kernels.details.txt";
  if (!std::filesystem::exists(page)) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters((SharedData() / "h200/ncu/kernels.ncu-rep").string());
  ASSERT_TRUE(report.ok());
  std::set<std::string> labels;
  for (const SectionResult& section : MakeSections(*report, report->kernels().front(), MakeUnitContext(*report))) {
    if (section.id != "speed_of_light") continue;
    for (const SectionList& list : section.lists) {
      for (const SectionRow& row : list.rows) labels.insert(row.label);
    }
  }
  std::set<std::string> printed;
  std::ifstream file(page);
  const std::regex row("^ +((SM|L1|L2|DRAM|GPU|IDC): .*?)  +%.*");
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 200 && std::regex_match(line, match, row)) printed.insert(match[1]);
  }
  EXPECT_GT(printed.size(), 40u);
  EXPECT_EQ(labels, printed);
}

}  // namespace
}  // namespace warpsight::testing::ncu_details_page_test
