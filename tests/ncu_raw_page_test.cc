// Every metric of every kernel of real Nsight Compute reports has the value and the unit that ncu itself prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "counters/raw_page.h"
#include "csv_rows.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_raw_page_test {
namespace {

struct Comparison {
  int64_t equal = 0;
  int64_t different = 0;
};

// Names of C++ types in kernel names are shortened by ncu in ways that depend on its settings.
bool IsCompared(const std::string& column) { return column != "Kernel Name"; }

void Compare(const std::string& what, const std::string& ours, const std::string& truth, Comparison& comparison) {
  if (ours == truth) {
    ++comparison.equal;
    return;
  }
  constexpr int64_t kShown = 20;
  if (++comparison.different <= kShown) ADD_FAILURE() << what << ": \"" << ours << "\", ncu has \"" << truth << '"';
}

TEST(NcuRawPageTest, EqualsWhatNcuPrints) {
  int64_t reports = 0;
  Comparison units;
  Comparison values;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.raw_page.empty()) continue;
    ++reports;
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const RawPage page = MakeRawPage(*report);
    const CsvRows rows = ReadCsv(truth.raw_page);
    ASSERT_EQ(page.rows.size() + 2, rows.size()) << truth.report;
    EXPECT_EQ(page.columns, rows[0]) << truth.report;
    std::map<std::string, size_t> column_of;
    for (size_t i = 0; i < page.columns.size(); ++i) column_of.emplace(page.columns[i], i);
    for (size_t i = 0; i < rows[0].size(); ++i) {
      const auto column = column_of.find(rows[0][i]);
      if (column == column_of.end() || !IsCompared(rows[0][i])) continue;
      const std::string where = truth.report + ": " + rows[0][i];
      Compare(where + ": unit", page.units[column->second], rows[1][i], units);
      for (size_t k = 0; k < page.rows.size(); ++k) Compare(where, page.rows[k][column->second], rows[k + 2][i], values);
    }
  }
  if (reports == 0) GTEST_SKIP() << "0 of 23 reports: no shared data";
  EXPECT_EQ(units.different, 0);
  EXPECT_EQ(values.different, 0);
  std::printf("%ld reports: %ld units and %ld values equal, %ld and %ld different\n", static_cast<long>(reports),
              static_cast<long>(units.equal), static_cast<long>(values.equal), static_cast<long>(units.different),
              static_cast<long>(values.different));
}

// ncu shortens names with namespaces in a way that its settings change; other names are compared.
TEST(NcuRawPageTest, PlainKernelNamesAreThoseOfNcu) {
  int64_t equal = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.raw_page.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const CsvRows rows = ReadCsv(truth.raw_page);
    const auto column = static_cast<size_t>(std::ranges::find(rows[0], "Kernel Name") - rows[0].begin());
    for (size_t k = 0; k < report->kernels().size(); ++k) {
      const std::string name = PrintedKernelName(report->kernels()[k]);
      if (name.find("::") != std::string::npos) continue;
      EXPECT_EQ(name, rows[k + 2][column]) << truth.report;
      ++equal;
    }
  }
  if (equal == 0) GTEST_SKIP() << "no shared data";
}

// Opening is fast: no blob is copied, and nothing is read twice.
TEST(NcuRawPageTest, LargeReportOpensFast) {
  const std::string path = (SharedData() / "h200/ncu/kernels.ncu-rep").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const auto start = std::chrono::steady_clock::now();
  const Result<CounterReport> report = OpenCounters(path);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->kernels().size(), 9u);
  ASSERT_EQ(report->modules().size(), 1u);
  EXPECT_EQ(report->modules()[0].cubin.size(), 160128u);
  EXPECT_EQ(report->modules()[0].sources.size(), 1u);
  EXPECT_LT(took.count(), 2.0) << "0.03 s is usual; the limit leaves room for sanitizers and busy machines";
}

}  // namespace
}  // namespace warpsight::testing::ncu_raw_page_test
