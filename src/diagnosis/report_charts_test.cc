// The charts and the record of a report, from made-up numbers.
#include "diagnosis/report_charts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnosis/launched_trace.h"
#include "diagnosis/report_document.h"
#include "diagnosis/report_record.h"

namespace warpsight::testing {
namespace {

std::string ValueOf(const RecordBlock& record, const std::string& key) {
  const auto found = std::find_if(record.pairs.begin(), record.pairs.end(), [&](const KeyValue& p) { return p.key == key; });
  return found == record.pairs.end() ? "(none)" : found->value;
}

Trace TwoSteps() {
  LaunchedTrace made;
  made.Step(1, {0, 1000}).Step(2, {1000, 2000});
  for (const int64_t at : {0, 1000}) {
    made.Op("aten::mm", {at + 10, at + 30}).Launch("gemm_kernel", {at + 10, at + 20}, {at + 100, at + 300});
    made.Launch("other_thing", {at + 40, at + 50}, {at + 400, at + 450});
  }
  return made.Seal();
}

TEST(IdleChart, PiecesAddUpToTheWindow) {
  IdleDevice device;
  device.window = {0, 1000};
  device.busy_ns = 400;
  device.idle_ns = 600;
  PartOf(device.classes, IdleClass::kLaunch) = 100;
  PartOf(device.classes, IdleClass::kHostWork) = 500;
  const BarChart chart = MakeIdleChart(device);
  ASSERT_EQ(chart.bars.size(), 3u);
  EXPECT_TRUE(chart.stacked);
  EXPECT_EQ(chart.bars[0].label, "busy");
  EXPECT_EQ(chart.bars[1].label, "host work");
  EXPECT_EQ(chart.bars[1].share, 0.5);
  EXPECT_EQ(chart.bars[0].time_ns + chart.bars[1].time_ns + chart.bars[2].time_ns, 1000);
}

TEST(FamilyChart, LargestFirstWithShareOfAllWork) {
  KernelsResult kernels;
  kernels.gpu_work_ns = 1000;
  for (const auto& [family, ns] : {std::pair{"copy", 100}, {"gemm", 300}, {"gemm", 600}}) {
    KernelRow row;
    row.family = family;
    row.total_ns = ns;
    row.calls = 1;
    kernels.rows.push_back(row);
  }
  const BarChart chart = MakeFamilyChart(kernels);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_EQ(chart.bars[0].label, "gemm");
  EXPECT_EQ(chart.bars[0].share, 0.9);
  EXPECT_EQ(chart.bars[0].note, "2 calls");
}

TEST(PartsChart, LeavesOutPartsWithoutTime) {
  const std::vector<PartTime> parts = {{"q/k/v", 300, 0.3, "22 layers"}, {"rotary", 0, 0, ""}, {"other", 700, 0.7, ""}};
  const BarChart chart = MakePartsChart(parts);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_EQ(chart.bars[0].label, "q/k/v");
  EXPECT_EQ(chart.bars[0].note, "22 layers");
  EXPECT_EQ(chart.bars[1].share, 0.7);
}

TEST(RooflineChart, SeriesByFirstMarkAndSizeByTime) {
  const std::vector<RooflineMark> marks = {
      {"mm", 1, 4e12, 500, "GEMM"}, {"add", 0.1, 1e11, 1000, "elementwise"}, {"mm 2", 200, 5e14, 0, "GEMM"}};
  const Scatter chart = MakeRooflineChart(marks, {{"H200", 4.8e12, 989e12}}, "datasheet");
  ASSERT_EQ(chart.points.size(), 3u);
  EXPECT_EQ(chart.series, (std::vector<std::string>{"GEMM", "elementwise"}));
  EXPECT_EQ(chart.points[1].series, 1u);
  EXPECT_EQ(chart.points[2].series, 0u);
  EXPECT_EQ(chart.points[0].weight, 0.5);
  EXPECT_EQ(chart.roofs.size(), 1u);
  EXPECT_EQ(chart.caption, "datasheet");
}

TEST(Record, IsFilledInFromTheTrace) {
  const Trace trace = TwoSteps();
  Analysis analysis(trace, {});
  const RecordBlock record = MakeRecord(analysis, {});
  EXPECT_EQ(ValueOf(record, "Step, wall time"), "1.000 ms, mean of 2 steps, under the profiler");
  EXPECT_EQ(ValueOf(record, "Stream sum"), "250.0 us a step of GPU work, summed over streams");
  EXPECT_EQ(ValueOf(record, "Gap"), "750.0 us a step (75.0 %) in which the GPU did nothing");
  EXPECT_EQ(ValueOf(record, "Kernels per step"), "2, from 2 launch calls");
  EXPECT_EQ(ValueOf(record, "Top 1 by GPU time"), "80.0 % of GPU work, gemm: gemm_kernel");
  EXPECT_EQ(ValueOf(record, "Device"), "GPU 0, name not recorded");
  EXPECT_EQ(ValueOf(record, "Linear calls per step"), "not evaluated");
}

TEST(Record, TakesWhatOthersKnow) {
  const Trace trace = TwoSteps();
  Analysis analysis(trace, {});
  const RecordBlock record = MakeRecord(analysis, {"155, 155 expected", "1.094 ms", "cuDNN flash"});
  EXPECT_EQ(ValueOf(record, "Linear calls per step"), "155, 155 expected");
  EXPECT_EQ(ValueOf(record, "GEMM time per step"), "1.094 ms");
  EXPECT_EQ(ValueOf(record, "Attention backend"), "cuDNN flash");
}

// A page asks for more of everything; the text and the JSON of the same report stay what they are.
TEST(ReportPage, AddsBlocksOnlyAndKeepsTheData) {
  const Trace trace = TwoSteps();
  Analysis analysis(trace, {});
  const Document plain = MakeReportDocument(analysis, {.text_rows = 1});
  const Document page = MakeReportDocument(analysis, {.text_rows = 1, .page_rows = 100});
  EXPECT_EQ(plain.data, page.data);
  const auto count = [](const Document& document, auto kind) {
    return std::count_if(document.blocks.begin(), document.blocks.end(),
                         [](const Block& block) { return std::holds_alternative<decltype(kind)>(block); });
  };
  EXPECT_EQ(count(page, RecordBlock{}), 1);
  EXPECT_EQ(count(page, TimelineStrip{}), 1);
  EXPECT_EQ(count(page, BarChart{}), 3);
  EXPECT_EQ(std::count_if(plain.blocks.begin(), plain.blocks.end(), IsPageOnly), 0);
  EXPECT_EQ(count(page, Table{}), count(plain, Table{}));
}

}  // namespace
}  // namespace warpsight::testing
