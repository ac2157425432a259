#include "analysis/steps_pass.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"
#include "analysis/steps_document.h"

namespace warpsight {
namespace {

// Two steps of 100 us. The second kernel of step 1 runs into step 2.
Trace TwoRecordedSteps() {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 100'000});
  make.Range("ProfilerStep#2", {100'000, 200'000});
  make.Api("cudaLaunchKernel", {1'000, 2'000}, 1);
  make.Kernel("a", {10'000, 50'000}, 1);
  make.Api("cudaLaunchKernel", {3'000, 4'000}, 2);
  make.Kernel("b", {80'000, 130'000}, 2);
  make.Api("cudaMemcpyAsync", {110'000, 111'000}, 3);
  make.Copy(CopyKind::kHostToDevice, {130'000, 140'000}, 3);
  return make.Seal();
}

TEST(StepsPassTest, TimesAreCutAndCountsCountStarts) {
  const Trace trace = TwoRecordedSteps();
  Analysis analysis(trace, {});
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  ASSERT_TRUE(steps.ok());
  ASSERT_EQ(steps->rows.size(), 2u);
  const StepGpu& first = *steps->rows[0].gpu;
  EXPECT_EQ(first.busy_ns, 60'000);
  EXPECT_EQ(first.idle_ns, 40'000);
  EXPECT_EQ(first.kernels, 2);
  EXPECT_EQ(first.launches, 2);
  EXPECT_EQ(first.launched_work_ns, 90'000);
  EXPECT_EQ(first.launched_outside_ns, 30'000);
  const StepGpu& second = *steps->rows[1].gpu;
  EXPECT_EQ(second.busy_ns, 40'000);
  EXPECT_EQ(second.kernels, 0);
  EXPECT_EQ(second.memcpys, 1);
  EXPECT_EQ(second.launches, 1);
  EXPECT_EQ(second.launched_work_ns, 10'000);
  EXPECT_EQ(second.bound, StepBound::kOverhead);
  EXPECT_EQ(first.bound, StepBound::kNotEvaluated);
}

TEST(StepsPassTest, OneRowPerDevice) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 100});
  make.OnStream(7, 0).Kernel("a", {0, 90});
  make.OnStream(7, 2).Kernel("b", {0, 10});
  const Trace trace = make.Seal();
  Analysis all(trace, {});
  ASSERT_EQ(all.Get<StepsPass>()->rows.size(), 2u);
  EXPECT_EQ(all.Get<StepsPass>()->rows[1].gpu->device, 2);
  Selection selection;
  selection.device = 2;
  Analysis one(trace, selection);
  ASSERT_EQ(one.Get<StepsPass>()->rows.size(), 1u);
  EXPECT_EQ(one.Get<StepsPass>()->rows[0].gpu->busy_ns, 10);
}

TEST(StepsPassTest, ASelectedRangeKeepsTheStepsThatStartInIt) {
  const Trace trace = TwoRecordedSteps();
  Selection selection;
  selection.range = Interval{100'000, 200'000};
  Analysis analysis(trace, selection);
  ASSERT_EQ(analysis.Get<StepsPass>()->steps.size(), 1u);
  EXPECT_EQ(analysis.Get<StepsPass>()->steps[0].index, 2);
}

TEST(StepsPassTest, ExposedCollectivesMakeAStepCommunicationBound) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 100'000});
  make.Kernel("gemm", {0, 40'000});
  make.OnStream(8).Kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {30'000, 95'000});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const StepGpu& gpu = *analysis.Get<StepsPass>()->rows[0].gpu;
  EXPECT_EQ(gpu.exposed_collective_ns, 55'000) << "the part beside the gemm is hidden";
  EXPECT_EQ(gpu.bound, StepBound::kCommunication);
}

TEST(StepsPassTest, ShortKernelsMakeAStepLatencyBound) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 10'000});
  make.Kernel("a", {0, 4'000});
  make.Kernel("b", {4'000, 9'000});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<StepsPass>()->rows[0].gpu->bound, StepBound::kLatency);
}

TEST(StepsDocumentTest, JsonFollowsTheContract) {
  const Trace trace = TwoRecordedSteps();
  Analysis analysis(trace, {});
  const Document document = MakeStepsDocument(*analysis.Get<StepsPass>());
  EXPECT_EQ(document.verb, "steps");
  EXPECT_EQ(document.data["source"], "ProfilerStep");
  const auto& row = document.data["rows"][1];
  EXPECT_EQ(row["name"], "ProfilerStep#2");
  EXPECT_EQ(row["index"], 2);
  EXPECT_EQ(row["device"], 0);
  EXPECT_EQ(row["start_ns"], 100'000);
  EXPECT_EQ(row["wall_ns"], 100'000);
  EXPECT_EQ(row["busy_ns"], 40'000);
  EXPECT_EQ(row["idle_ns"], 60'000);
  EXPECT_EQ(row["bound"], "overhead");
  EXPECT_TRUE(document.data["rows"][0]["bound"].is_null()) << "not evaluated";
  EXPECT_TRUE(OnlyTable(document).ok());
}

TEST(StepsDocumentTest, OfManyStepsTheLongestComeFirst) {
  HandMadeTrace make;
  const std::vector<Ns> walls = {30, 10, 40, 20, 40, 50};
  for (size_t i = 0; i < walls.size(); ++i) {
    const auto start = static_cast<Ns>(i) * 100;
    make.Range("ProfilerStep#" + std::to_string(i), {start, start + walls[i]});
    make.OnStream(7, 0).Kernel("k", {start, start + 5});
    make.OnStream(7, 1).Kernel("k", {start, start + 5});
  }
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const StepsResult& steps = *analysis.Get<StepsPass>();
  const auto names = [](const Table& table) {
    std::string found;
    for (const Row& row : table.rows) found += std::get<std::string>(row[0]).back();
    return found;
  };
  const Document whole = MakeStepsDocument(steps);
  EXPECT_EQ(names(**OnlyTable(whole)), "001122334455");
  EXPECT_EQ(names(**OnlyTable(MakeStepsDocument(steps, {.limit = 12}))), "001122334455") << "all have room";
  // Of two that take as long the earlier.
  const Document cut = MakeStepsDocument(steps, {.limit = 5});
  EXPECT_EQ(names(**OnlyTable(cut)), "55224");
  EXPECT_EQ(cut.data, whole.data) << "JSON has all, in their order";
  EXPECT_EQ(std::get<Paragraph>(cut.blocks[1]).text,
            "6 steps: wall 35 ns in the median, 10 ns to 50 ns. The longest are listed, the longest first.");
  const Document page = MakeStepsDocument(steps, {.limit = 3, .page_rows = 100, .data = false});
  const Table& table = **OnlyTable(page);
  EXPECT_EQ(names(table), "552244003311");
  EXPECT_EQ(table.text_cut->rows, 3u);
  EXPECT_EQ(table.text_cut->footnote, "9 more rows are not listed: warpsight steps has all, in their order.");
  EXPECT_EQ(table.footnote, "");
  EXPECT_FALSE(page.data.contains("rows"));
}

TEST(StepsDocumentTest, WithoutGpuWorkGpuFieldsAreNull) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 100});
  make.Op("aten::mm", {10, 20});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Document document = MakeStepsDocument(*analysis.Get<StepsPass>());
  ASSERT_EQ(document.data["rows"].size(), 1u);
  const auto& row = document.data["rows"][0];
  EXPECT_EQ(row["wall_ns"], 100);
  for (const char* key : {"device", "busy_ns", "idle_ns", "work_ns", "kernels", "launches", "memcpys", "bound"}) {
    EXPECT_TRUE(row[key].is_null()) << key;
  }
}

}  // namespace
}  // namespace warpsight
