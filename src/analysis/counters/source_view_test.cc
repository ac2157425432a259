#include "analysis/counters/source_view.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/counters/source_document.h"
#include "analysis/counters/source_page.h"

namespace warpsight {
namespace {

// A report of one kernel at address 0x1000 with these counters of single instructions.
struct MadeCounter {
  std::string name;
  std::vector<std::pair<uint64_t, uint64_t>> values;  // address, value
};

CounterReport ReportOf(const std::vector<MadeCounter>& counters) {
  CounterReportParts parts;
  ProfiledKernel kernel;
  kernel.full_name = "k(float *)";
  for (const MadeCounter& counter : counters) {
    Metric metric;
    metric.name = static_cast<uint32_t>(parts.metric_names.size());
    metric.first_instance = static_cast<uint32_t>(kernel.instances.size());
    metric.instance_count = static_cast<uint32_t>(counter.values.size());
    parts.metric_names.push_back(parts.made_texts.emplace_back(counter.name));
    for (const auto& [address, value] : counter.values) kernel.instances.push_back({address, value});
    kernel.metrics.push_back(metric);
  }
  parts.kernels.push_back(std::move(kernel));
  return CounterReport(std::move(parts));
}

// Four instructions: lines 3, 7, 7 of a.cu, the second inlined at line 3, and one without a line.
KernelCode CodeOfTwoLines() {
  KernelCode code;
  KernelCode::Function& function = code.functions.emplace_back();
  function.base_address = 0x1000;
  function.code.name = "k";
  function.code.size_bytes = 64;
  function.code.files = {{"/src/a.cu", 0}};
  function.code.places = {{0, 3, 0, 0}, {0, 7, 1, 0}, {0, 7, 0, 0}};
  function.code.inlined_names = "inner";
  function.code.instructions = {
      {0, 1, "MOV", ""}, {16, 2, "FFMA", ""}, {32, 3, "LDG", "LDG.E R1, [R2]"}, {48, 0, "NOP", ""}};
  SourceText& text = function.texts.emplace_back();
  text.origin = SourceText::Origin::kReport;
  text.path = "/src/a.cu";
  text.lines = {"", "", "  call(x);", "", "", "", "\ta += b;"};
  return code;
}

TEST(SourceViewTest, LinesAreSumsOfTheirInstructions) {
  const CounterReport report = ReportOf({{"inst_executed", {{0x1000, 4}, {0x1010, 4}, {0x1020, 2}}},
                                         {"thread_inst_executed", {{0x1000, 128}, {0x1010, 64}, {0x1020, 32}}},
                                         {"smsp__pcsamp_sample_count", {{0x1000, 1}, {0x1020, 9}}},
                                         {"smsp__pcsamp_warps_issue_stalled_long_scoreboard", {{0x1020, 8}}},
                                         {"smsp__pcsamp_warps_issue_stalled_wait", {{0x1000, 1}, {0x1020, 1}}},
                                         {"smsp__pcsamp_warps_issue_stalled_wait_not_issued", {{0x1020, 1}}},
                                         {"launch__grid_size", {{0, 5}}}});
  const KernelCode code = CodeOfTwoLines();
  const SourceView view(report, report.kernels()[0], code);
  ASSERT_EQ(view.instructions().size(), 4u);
  EXPECT_EQ(view.columns().size(), 6u) << "the grid is no counter of an instruction";
  ASSERT_EQ(view.lines().size(), 2u);
  const SourceLine& hot = view.lines()[0];
  EXPECT_EQ(hot.line, 7u);
  EXPECT_EQ(view.LineText(hot), "a += b;");
  const SourceCounts counts = view.Counts(hot.instructions);
  EXPECT_EQ(counts.samples, 9);
  EXPECT_EQ(counts.executed, 6);
  EXPECT_EQ(counts.lane_share(), 96.0 / (32 * 6));
  EXPECT_EQ(counts.sectors, std::nullopt) << "not collected is not 0";
  EXPECT_EQ(view.total_samples(), 10);
  const std::vector<StallShare> stalls = view.Stalls(hot.instructions, false);
  ASSERT_EQ(stalls.size(), 2u);
  EXPECT_EQ(stalls[0].reason, "long_scoreboard");
  EXPECT_EQ(stalls[0].samples, 8);
  EXPECT_EQ(view.Stalls(hot.instructions, true).size(), 1u);
  EXPECT_EQ(view.instructions()[3].line, SourceInstruction::kNone);
}

TEST(SourceViewTest, SamplesBeyondTheCodeStay) {
  const CounterReport report =
      ReportOf({{"inst_executed", {{0x1000, 1}}}, {"smsp__pcsamp_warp_stall_wait", {{0x1000, 2}, {0x9000, 5}}}});
  const KernelCode code = CodeOfTwoLines();
  const SourceView view(report, report.kernels()[0], code);
  ASSERT_EQ(view.instructions().size(), 5u);
  EXPECT_EQ(view.instructions()[4].address, 0x9000u);
  EXPECT_EQ(view.total_samples(), 7) << "early recorders had the reasons only";
}

TEST(SourceViewTest, WithoutCodeThereAreAddresses) {
  const CounterReport report = ReportOf({{"inst_executed", {{0x1010, 4}, {0x1000, 4}}}, {"memory_type", {{0x1010, 20}}}});
  const KernelCode code;
  const SourceView view(report, report.kernels()[0], code);
  ASSERT_EQ(view.instructions().size(), 2u);
  EXPECT_EQ(view.instructions()[0].address, 0x1000u);
  ASSERT_EQ(view.columns().size(), 2u);
  EXPECT_EQ(PrintedSourceCell(view, view.columns()[0], 0), "4");
  EXPECT_EQ(PrintedSourceCell(view, view.columns()[1], 0), "-");
  EXPECT_EQ(PrintedSourceCell(view, view.columns()[1], 1), "Global,Shared");
  const CounterReport without = ReportOf({{"launch__grid_size", {{0, 5}}}});
  EXPECT_TRUE(SourceView(without, without.kernels()[0], code).columns().empty());
}

TEST(SourceViewTest, DocumentHasLinesInstructionsAndCallers) {
  const CounterReport report = ReportOf({{"inst_executed", {{0x1000, 4}, {0x1010, 4}, {0x1020, 2}}}});
  const KernelCode code = CodeOfTwoLines();
  const std::vector<SourceView> views = {SourceView(report, report.kernels()[0], code)};
  const Document document = MakeSourceDocument(views, {true, false, true});
  const nlohmann::ordered_json& kernel = document.data["kernels"][0];
  EXPECT_EQ(kernel["lines"][0]["line"], 7);
  EXPECT_TRUE(kernel["samples"].is_null());
  const nlohmann::ordered_json& inlined = kernel["instructions"][1];
  EXPECT_EQ(inlined["address"], 0x1010);
  EXPECT_EQ(inlined["inlined_at"][0]["line"], 3);
  EXPECT_EQ(inlined["inlined_at"][0]["function"], "inner");
  EXPECT_EQ(kernel["instructions"][2]["text"], "LDG.E R1, [R2]");
  EXPECT_EQ(kernel["instructions"][3]["metrics"]["inst_executed"], 0);
  const Document page = MakeSourcePageDocument(views);
  const Result<const Table*> table = OnlyTable(page);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ((*table)->rows.size(), 4u);
}

}  // namespace
}  // namespace warpsight
