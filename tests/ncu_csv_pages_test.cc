// The CSV pages that ncu prints for real reports, read back: every value and unit is the one that was printed, and the same
// kernel is judged alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "analysis/counters/source_page.h"
#include "analysis/counters/source_view.h"
#include "counters/metric_unit.h"
#include "counters/raw_page.h"
#include "csv_rows.h"
#include "formats/cubin/kernel_code.h"
#include "formats/ncu_csv/printed_value.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_csv_pages_test {
namespace {

std::string SourcePageBeside(const NcuTruth& truth) {
  const std::filesystem::path page = truth.raw_page;
  const std::filesystem::path path =
      page.parent_path() / (std::filesystem::path(truth.report).stem().string() + ".source_sass.csv");
  return std::filesystem::exists(path) ? path.string() : "";
}

// What was nearly whole was printed as "1.00", and is 1 now; what was nearly nothing as "0.000000".
bool IsSameNumber(const std::string& ours, const std::string& printed) {
  const std::optional<double> number = NumberOf(ReadPrintedValue(ours, {}));
  return number && number == NumberOf(ReadPrintedValue(printed, {}));
}

TEST(NcuCsvPagesTest, RawPagesComeBackAsTheyWere) {
  int64_t equal = 0;
  int64_t different = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.raw_page.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.raw_page);
    ASSERT_TRUE(report.ok()) << report.status().message();
    EXPECT_EQ(report->log().repaired(), 0) << truth.raw_page;
    const RawPage page = MakeRawPage(*report);
    const CsvRows rows = ReadCsv(truth.raw_page);
    ASSERT_EQ(page.rows.size() + 2, rows.size()) << truth.raw_page;
    std::map<std::string, size_t> column_of;
    for (size_t i = 0; i < page.columns.size(); ++i) column_of.emplace(page.columns[i], i);
    for (size_t i = 0; i < rows[0].size(); ++i) {
      const auto column = column_of.find(rows[0][i]);
      if (column == column_of.end()) {
        // Columns without one value, and the open ranges.
        for (size_t k = 2; k < rows.size(); ++k)
          EXPECT_TRUE(rows[k][i].empty() || rows[0][i].find("Domain:") != std::string::npos) << rows[0][i];
        continue;
      }
      for (size_t k = 1; k < rows.size(); ++k) {
        const std::string& ours = k == 1 ? page.units[column->second] : page.rows[k - 2][column->second];
        // A column that ncu could not scale has lost its values.
        const bool is_lost = rows[k][i] == "-nan" && ours == "0";
        if (ours == rows[k][i] || IsSameNumber(ours, rows[k][i]) || is_lost) {
          ++equal;
        } else if (++different <= 20) {
          ADD_FAILURE() << truth.raw_page << ": " << rows[0][i] << ": \"" << ours << "\", printed was \"" << rows[k][i]
                        << '"';
        }
      }
    }
  }
  if (equal + different == 0) GTEST_SKIP() << "0 of 23 raw pages: no shared data";
  EXPECT_EQ(different, 0);
  std::printf("%lld cells equal\n", static_cast<long long>(equal));
}

// Against the report itself: the same metrics, with the same units and, as far as they were printed, the same values.
TEST(NcuCsvPagesTest, RawPageHasTheCountersOfTheReport) {
  const std::filesystem::path folder = SharedData() / "h200/ncu";
  if (!std::filesystem::exists(folder / "kernels.raw.csv")) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters((folder / "kernels.ncu-rep").string());
  const Result<CounterReport> page = OpenCounters((folder / "kernels.raw.csv").string());
  ASSERT_TRUE(report.ok() && page.ok());
  const CsvRows rows = ReadCsv((folder / "kernels.raw.csv").string());
  ASSERT_EQ(page->kernels().size(), report->kernels().size());
  const UnitContext report_units = MakeUnitContext(*report);
  const UnitContext page_units = MakeUnitContext(*page);
  int64_t compared = 0;
  for (size_t k = 0; k < page->kernels().size(); ++k) {
    const ProfiledKernel& printed = page->kernels()[k];
    const ProfiledKernel& recorded = report->kernels()[k];
    EXPECT_EQ(printed.grid, recorded.grid);
    EXPECT_EQ(printed.block, recorded.block);
    EXPECT_EQ(ComputeCapability(*page, printed), ComputeCapability(*report, recorded));
    for (const Metric& metric : printed.metrics) {
      const std::string_view name = page->MetricName(metric.name);
      const Metric* truth = report->Find(recorded, name);
      ASSERT_NE(truth, nullptr) << name;
      EXPECT_EQ(MetricUnit(name, page_units), MetricUnit(name, report_units)) << name;
      const std::optional<double> value = NumberOf(metric.value);
      const std::optional<double> expected = NumberOf(truth->value);
      if (!value || !expected || !(*expected == *expected)) continue;
      // Two decimals without a unit, six with one, in the unit of the column.
      const auto column = static_cast<size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
      const double decimals = rows[1][column].empty() ? 0.0051 : 0.51e-6;
      const double tolerance =
          decimals * std::pow(10, ReadPrintedUnit(rows[1][column]).exponent) + std::abs(*expected) * 1e-12;
      EXPECT_NEAR(*value, *expected, tolerance) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 15'000);
}

TEST(NcuCsvPagesTest, SourcePagesHaveTheInstructionsOfTheReport) {
  int64_t cells = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const std::string path = SourcePageBeside(truth);
    if (path.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.report);
    const Result<CounterReport> page = OpenCounters(path);
    ASSERT_TRUE(report.ok() && page.ok());
    ASSERT_EQ(page->kernels().size(), report->kernels().size()) << path;
    for (size_t k = 0; k < page->kernels().size(); ++k) {
      const KernelCode code = ReadKernelCode(*report, report->kernels()[k], {.disassemble = false});
      const SourceView recorded(*report, report->kernels()[k], code);
      const KernelCode no_code = ReadKernelCode(*page, page->kernels()[k], {.disassemble = false});
      const SourceView printed(*page, page->kernels()[k], no_code);
      ASSERT_EQ(printed.instructions().size(), recorded.instructions().size());
      EXPECT_EQ(printed.total_samples(), recorded.total_samples());
      for (const SourceColumn& column : printed.columns()) {
        const auto same = std::ranges::find(recorded.columns(), column.metric, &SourceColumn::metric);
        ASSERT_NE(same, recorded.columns().end()) << column.metric;
        for (uint32_t i = 0; i < printed.instructions().size(); ++i) {
          ASSERT_EQ(PrintedSourceCell(printed, column, i), PrintedSourceCell(recorded, *same, i))
              << column.metric << " at " << AddressText(printed.instructions()[i].address);
          ++cells;
        }
      }
    }
  }
  if (cells == 0) GTEST_SKIP() << "0 of 2 source pages: no shared data";
  EXPECT_GT(cells, 250'000);
}

// A details page has the same metrics as the report, where its sections are known, rounded to two decimals.
TEST(NcuCsvPagesTest, DetailsPagesHaveTheMetricsOfTheReport) {
  int64_t equal = 0;
  int64_t own = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    if (truth.details_page.empty()) continue;
    const Result<CounterReport> report = OpenCounters(truth.report);
    const Result<CounterReport> page = OpenCounters(truth.details_page);
    ASSERT_TRUE(report.ok());
    if (!page.ok()) {
      EXPECT_EQ(page.status().kind(), StatusKind::kLacks) << page.status().message();
      continue;
    }
    for (const ProfiledKernel& kernel : page->kernels()) {
      ASSERT_LT(static_cast<size_t>(kernel.id), report->kernels().size()) << truth.details_page;
      const ProfiledKernel& recorded = report->kernels()[static_cast<size_t>(kernel.id)];
      for (const Metric& metric : kernel.metrics) {
        const std::string_view name = page->MetricName(metric.name);
        const std::optional<double> expected = report->Number(recorded, name);
        const std::optional<double> value = NumberOf(metric.value);
        if (!expected || !value) {
          ++own;
          continue;
        }
        EXPECT_NEAR(*value, *expected, std::max(0.0051, std::abs(*expected) * 0.006)) << truth.details_page << ": " << name;
        ++equal;
      }
    }
  }
  if (equal == 0) GTEST_SKIP() << "no shared data";
  std::printf("%lld metrics equal, %lld under labels of their own\n", static_cast<long long>(equal),
              static_cast<long long>(own));
  EXPECT_GT(equal, 2000);
}

}  // namespace
}  // namespace warpsight::testing::ncu_csv_pages_test
