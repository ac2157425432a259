// Every instruction of real reports has the address, the counters and the opcode that ncu's source page has for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/source_page.h"
#include "analysis/counters/source_view.h"
#include "csv_rows.h"
#include "formats/cubin/kernel_code.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_source_page_test {
namespace {

// One kernel of ncu's source page.
struct PageBlock {
  std::string kernel;
  std::vector<std::string> columns;
  CsvRows rows;
};

std::vector<PageBlock> ReadSourcePage(const std::string& path) {
  std::vector<PageBlock> blocks;
  for (std::vector<std::string>& row : ReadCsv(path)) {
    if (row.empty() || row[0].empty()) continue;
    if (row[0] == "Kernel Name") {
      blocks.push_back({row[1], {}, {}});
    } else if (row[0] == "Address") {
      blocks.back().columns = std::move(row);
    } else {
      blocks.back().rows.push_back(std::move(row));
    }
  }
  return blocks;
}

// "FFMA" of "@!P0  FFMA.FTZ R1, R2, R3, R4".
std::string OpcodeOf(const std::string& sass) {
  size_t begin = sass.find_first_not_of(' ');
  if (begin != std::string::npos && sass[begin] == '@') begin = sass.find_first_not_of(' ', sass.find(' ', begin));
  return begin == std::string::npos ? "" : sass.substr(begin, sass.find_first_of(" .", begin) - begin);
}

struct PageComparison {
  int64_t equal = 0;
  int64_t different = 0;

  void Compare(const std::string& what, const std::string& ours, const std::string& truth) {
    if (ours == truth) {
      ++equal;
    } else if (++different <= 20) {
      ADD_FAILURE() << what << ": \"" << ours << "\", ncu has \"" << truth << '"';
    }
  }
};

std::string StallSum(const SourceView& view, uint32_t instruction, bool not_issued) {
  double sum = 0;
  for (const StallShare& stall : view.Stalls({instruction}, not_issued)) sum += stall.samples;
  return std::to_string(static_cast<int64_t>(sum));
}

std::optional<std::string> OurCell(const SourceView& view, const std::string& label, uint32_t instruction) {
  if (label == "Warp Stall Sampling (All Samples)") return StallSum(view, instruction, false);
  if (label == "Warp Stall Sampling (Not-issued Samples)") return StallSum(view, instruction, true);
  const auto column = std::ranges::find(view.columns(), label, &SourceColumn::label);
  if (column == view.columns().end()) return std::nullopt;
  return PrintedSourceCell(view, *column, instruction);
}

void CompareBlock(const std::string& report, const SourceView& view, const PageBlock& block, PageComparison& comparison) {
  const std::string where = report + ": " + block.kernel.substr(0, 60);
  ASSERT_EQ(view.instructions().size(), block.rows.size()) << where;
  for (uint32_t i = 0; i < block.rows.size(); ++i) {
    const std::vector<std::string>& row = block.rows[i];
    ASSERT_EQ(AddressText(view.instructions()[i].address), row[0]) << where;
    comparison.Compare(where + ": opcode at " + row[0], std::string(view.instructions()[i].opcode), OpcodeOf(row[1]));
    for (size_t column = 2; column < block.columns.size(); ++column) {
      const std::optional<std::string> ours = OurCell(view, block.columns[column], i);
      ASSERT_TRUE(ours) << where << ": no counter for " << block.columns[column];
      comparison.Compare(where + ": " + block.columns[column] + " at " + row[0], *ours, row[column]);
    }
  }
}

std::string SourcePageOf(const NcuTruth& truth) {
  const std::filesystem::path page = truth.raw_page;
  const std::string name = std::filesystem::path(truth.report).stem().string() + ".source_sass.csv";
  const std::filesystem::path path = page.parent_path() / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

TEST(NcuSourcePageTest, EqualsWhatNcuPrints) {
  PageComparison comparison;
  int64_t pages = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const std::string path = SourcePageOf(truth);
    if (path.empty()) continue;
    ++pages;
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const std::vector<PageBlock> blocks = ReadSourcePage(path);
    // ncu prints a kernel once for each view that was asked for.
    const size_t kernels = report->kernels().size();
    ASSERT_EQ(blocks.size() % kernels, 0u) << path;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const ProfiledKernel& kernel = report->kernels()[i / (blocks.size() / kernels)];
      const KernelCode code = ReadKernelCode(*report, kernel, {.disassemble = false});
      EXPECT_TRUE(code.problems.empty()) << code.problems.front();
      CompareBlock(truth.report, SourceView(*report, kernel, code), blocks[i], comparison);
    }
  }
  if (pages == 0) GTEST_SKIP() << "0 of 2 source pages: no shared data";
  EXPECT_EQ(comparison.different, 0);
  EXPECT_GT(comparison.equal, 500'000);
  std::printf("%lld cells of %lld source pages equal\n", static_cast<long long>(comparison.equal),
              static_cast<long long>(pages));
}

// Executed instructions by opcode, from the bits of each instruction, are the recorder's own counts by opcode.
TEST(NcuSourcePageTest, OpcodesAddUpToTheCountsOfTheRecorder) {
  int64_t checked = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    if (!report.ok()) continue;
    for (const ProfiledKernel& kernel : report->kernels()) {
      const Metric* by_opcode = report->Find(kernel, "sass__inst_executed_per_opcode");
      if (by_opcode == nullptr || ComputeCapability(*report, kernel).value_or(0) < 70) continue;
      const KernelCode code = ReadKernelCode(*report, kernel, {.disassemble = false});
      const SourceView view(*report, kernel, code);
      const auto executed = std::ranges::find(view.columns(), "inst_executed", &SourceColumn::metric);
      if (code.functions.empty() || executed == view.columns().end()) continue;
      std::map<std::string, double> ours;
      std::map<std::string, double> recorded;
      for (uint32_t i = 0; i < view.instructions().size(); ++i)
        ours[std::string(view.instructions()[i].opcode)] += view.Sum(*executed, {i});
      for (uint32_t i = 0; i < by_opcode->instance_count; ++i) {
        const MetricInstance& instance = kernel.instances[by_opcode->first_instance + i];
        const std::string name(TextOf(instance.key).value_or(""));
        recorded[name.substr(0, name.find('.'))] += NumberOf(instance.value).value_or(0);
      }
      for (const auto& [opcode, count] : recorded) {
        EXPECT_EQ(ours[opcode], count) << truth.report << ": " << opcode << " of " << kernel.function_name;
        ++checked;
      }
    }
  }
  if (checked == 0) GTEST_SKIP() << "no shared data";
  EXPECT_GT(checked, 300);
}

TEST(NcuSourcePageTest, HotLineOfTheNaiveProductIsTheMultiplyAdd) {
  const std::string path = (SharedData() / "h200/ncu/kernels.ncu-rep").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters(path);
  ASSERT_TRUE(report.ok());
  const KernelCode code = ReadKernelCode(*report, report->kernels()[0], {.disassemble = false});
  const SourceView view(*report, report->kernels()[0], code);
  ASSERT_FALSE(view.lines().empty());
  const SourceLine& hot = view.lines().front();
  EXPECT_EQ(hot.line, 10u);
  EXPECT_EQ(view.LineText(hot), "sum+=A[i*K+k]*B[k*N+j];");
  EXPECT_EQ(view.files()[hot.file]->origin, SourceText::Origin::kReport);
  EXPECT_GT(*view.Counts(hot.instructions).samples / *view.total_samples(), 0.9);
  double samples = 0;
  for (const SourceLine& line : view.lines()) samples += *view.Counts(line.instructions).samples;
  EXPECT_EQ(samples, *view.total_samples()) << "every sample has a line";
}

}  // namespace
}  // namespace warpsight::testing::ncu_source_page_test
