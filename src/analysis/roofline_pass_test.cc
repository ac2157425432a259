#include "analysis/roofline_pass.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"
#include "analysis/roofline_document.h"
#include "analysis/steps_pass.h"

namespace warpsight {
namespace {

constexpr std::string_view kTwoHalves = R"(["c10::Half", "c10::Half"])";

// An op with operands; HandMadeTrace has none.
void ShapedOp(HandMadeTrace& make, std::string_view name, Interval time, std::string_view shapes,
              std::string_view types = kTwoHalves) {
  HostEventRow row;
  row.kind = HostKind::kOp;
  row.name = make.builder().Intern(name);
  row.thread = make.builder().names().InternThread("1", "1");
  row.start_ns = time.start;
  row.duration_ns = time.end - time.start;
  row.shapes = make.builder().Intern(shapes);
  row.types = make.builder().Intern(types);
  make.builder().Add(row);
  make.builder().shard().has_shapes = true;
}

void DescribeDevice(HandMadeTrace& make, std::string name) {
  Device device;
  device.name = std::move(name);
  make.builder().header().devices.push_back(device);
  make.builder().header().recording.has_shapes = true;
}

// linear around mm, 100 ns of kernel on a device of 1 TB/s and 1 TFLOP/s given.
// mm [64, 32] x [32, 16]: 65,536 FLOP; (2048 + 512 + 1024) * 2 = 7168 bytes.
Trace LinearAroundMm(std::string device = "NVIDIA H200") {
  HandMadeTrace make;
  DescribeDevice(make, std::move(device));
  ShapedOp(make, "aten::linear", {0, 100'000}, "[[64, 32], [16, 32]]");
  ShapedOp(make, "aten::mm", {10'000, 90'000}, "[[64, 32], [32, 16]]");
  make.Api("cudaLaunchKernel", {20'000, 30'000}, 1);
  make.Kernel("gemm", {100'000, 200'000}, 1);
  make.Api("cudaLaunchKernel", {40'000, 50'000}, 2);
  make.Kernel("splitKreduce", {200'000, 220'000}, 2);
  return make.Seal();
}

Given TeraPeaks() {
  Given given;
  given.peak_bytes_per_s = 1e12;
  given.peak_flops_per_s = 1e12;
  return given;
}

TEST(RooflinePassTest, TheInnermostOpIsChargedOnce) {
  const Trace trace = LinearAroundMm();
  Analysis analysis(trace, {}, TeraPeaks());
  const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>();
  ASSERT_TRUE(roofline.ok()) << roofline.status().message();
  ASSERT_EQ(roofline->rows.size(), 1u);
  const RooflineRow& row = roofline->rows[0];
  EXPECT_EQ(row.op, "aten::mm");
  EXPECT_EQ(row.shapes, "[[64, 32], [32, 16]]");
  EXPECT_EQ(row.calls, 1);
  EXPECT_EQ(row.gpu_ns, 120'000) << "both kernels";
  EXPECT_EQ(row.flops, 65'536);
  EXPECT_EQ(row.bytes, 7'168);
  EXPECT_EQ(row.bound, CostBound::kCompute);
  EXPECT_EQ(row.bound_ns, 65'536 / 1000 + 1) << "65.536 ns";
  EXPECT_TRUE(roofline->uncosted.empty());
  EXPECT_EQ(roofline->devices[0].costed_ns, 120'000);
}

TEST(RooflinePassTest, AKernelBesideTheInnerOpIsNotASecondProduct) {
  HandMadeTrace make;
  DescribeDevice(make, "NVIDIA H200");
  ShapedOp(make, "aten::linear", {0, 100'000}, "[[64, 32], [16, 32]]");
  ShapedOp(make, "aten::mm", {10'000, 40'000}, "[[64, 32], [32, 16]]");
  make.Api("cudaLaunchKernel", {20'000, 30'000}, 1);
  make.Kernel("gemm", {100'000, 200'000}, 1);
  make.Api("cudaLaunchKernel", {50'000, 60'000}, 2);  // in linear, after mm
  make.Kernel("bias", {200'000, 220'000}, 2);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {}, TeraPeaks());
  const RooflineResult& roofline = *analysis.Get<RooflinePass>();
  ASSERT_EQ(roofline.rows.size(), 1u);
  EXPECT_EQ(roofline.rows[0].op, "aten::mm");
  EXPECT_EQ(roofline.rows[0].gpu_ns, 100'000);
  ASSERT_EQ(roofline.uncosted.size(), 1u);
  EXPECT_EQ(roofline.uncosted[0].name, "aten::linear");
  EXPECT_EQ(roofline.uncosted[0].gpu_ns, 20'000);
}

TEST(RooflinePassTest, HelpersInsideAnOpHaveTheirOwnCost) {
  HandMadeTrace make;
  DescribeDevice(make, "NVIDIA H200");
  ShapedOp(make, "aten::mm", {0, 100'000}, "[[64, 32], [32, 16]]");
  ShapedOp(make, "aten::zero_", {10'000, 40'000}, "[[64, 16]]", R"(["c10::Half"])");
  make.Api("cudaLaunchKernel", {20'000, 30'000}, 1);
  make.Kernel("fill", {100'000, 101'000}, 1);
  make.Api("cudaLaunchKernel", {50'000, 60'000}, 2);
  make.Kernel("gemm", {101'000, 201'000}, 2);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {}, TeraPeaks());
  const RooflineResult& roofline = *analysis.Get<RooflinePass>();
  ASSERT_EQ(roofline.rows.size(), 2u);
  EXPECT_EQ(roofline.rows[0].op, "aten::mm");
  EXPECT_EQ(roofline.rows[1].op, "aten::zero_");
  EXPECT_EQ(roofline.rows[1].bytes, 2048);
}

TEST(RooflinePassTest, AConvolutionsResultComesFromTheOpAfterIt) {
  HandMadeTrace make;
  DescribeDevice(make, "NVIDIA H200");
  ShapedOp(make, "aten::cudnn_convolution", {0, 50'000}, "[[2, 8, 10, 10], [8, 8, 3, 3]]");
  ShapedOp(make, "aten::contiguous", {1'000, 2'000}, "[[2, 8, 10, 10]]");  // the input, which could be a result by its sizes
  make.Api("cudaLaunchKernel", {20'000, 30'000}, 1);
  make.Kernel("conv", {100'000, 200'000}, 1);
  ShapedOp(make, "aten::relu", {60'000, 70'000}, "[[2, 8, 5, 5]]");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {}, TeraPeaks());
  ASSERT_EQ(analysis.Get<RooflinePass>()->rows.size(), 1u);
  EXPECT_EQ(analysis.Get<RooflinePass>()->rows[0].flops, 2 * (2 * 8 * 5 * 5) * (8 * 3 * 3));
}

TEST(RooflinePassTest, AWindowTakesItsShareOfACall) {
  const Trace trace = LinearAroundMm();
  Selection selection;
  selection.range = Interval{0, 130'000};  // 30 of the 120 us
  Analysis first(trace, selection, TeraPeaks());
  selection.range = Interval{130'000, 220'000};
  Analysis second(trace, selection, TeraPeaks());
  const RooflineRow& a = first.Get<RooflinePass>()->rows[0];
  const RooflineRow& b = second.Get<RooflinePass>()->rows[0];
  EXPECT_EQ(a.gpu_ns, 30'000);
  EXPECT_EQ(a.flops, 16'384);
  EXPECT_EQ(a.calls, 1);
  EXPECT_EQ(b.calls, 0);
  EXPECT_EQ(a.flops + b.flops, 65'536);
}

TEST(RooflinePassTest, LinksAndCollectivesAreNotBoundByMemory) {
  HandMadeTrace make;
  DescribeDevice(make, "NVIDIA H200");
  ShapedOp(make, "aten::copy_", {0, 10'000}, "[[1024], [1024]]");
  make.Api("cudaMemcpyAsync", {1'000, 2'000}, 1);
  make.Copy(CopyKind::kHostToDevice, {20'000, 30'000}, 1);
  make.Kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {30'000, 50'000});
  make.Kernel("somebody's kernel", {50'000, 60'000});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {}, TeraPeaks());
  const RooflineResult& roofline = *analysis.Get<RooflinePass>();
  EXPECT_TRUE(roofline.rows.empty());
  ASSERT_EQ(roofline.uncosted.size(), 3u);
  EXPECT_NE(roofline.uncosted[0].reason.find("collective"), std::string_view::npos);
  EXPECT_EQ(roofline.devices[0].costed_ns, 0);
  EXPECT_EQ(roofline.devices[0].work_ns, 40'000);
}

TEST(RooflinePassTest, AnUnknownDeviceKeepsFlopsAndBytes) {
  const Trace trace = LinearAroundMm("Acme 1");
  Analysis analysis(trace, {});
  const RooflineResult& roofline = *analysis.Get<RooflinePass>();
  EXPECT_EQ(roofline.rows[0].flops, 65'536);
  EXPECT_EQ(roofline.rows[0].bound_ns, std::nullopt);
  const Document document = MakeRooflineDocument(roofline, {});
  EXPECT_TRUE(document.data["rows"][0]["bound"].is_null());
  EXPECT_TRUE(document.data["rows"][0]["efficiency_share"].is_null());
  EXPECT_TRUE(document.data["peaks"]["source"].is_null());
  EXPECT_NE(document.data["peaks"]["not_evaluated"].get<std::string>().find("--peak-bandwidth"), std::string::npos);
}

TEST(RooflinePassTest, WithoutShapesTheFlagIsNamed) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 10});
  make.Kernel("gemm", {10, 20});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>();
  ASSERT_FALSE(roofline.ok());
  EXPECT_NE(roofline.status().message().find("record_shapes=True"), std::string::npos);
}

// One step that is all one product: [4096, 4096] x [4096, 4096] needs 137.4 us at 1e15 FLOP/s and 100.7 us at 1e12 B/s.
StepBound BoundOfStep(Given given, Interval kernel) {
  HandMadeTrace make;
  DescribeDevice(make, "Acme 1");
  make.Range("ProfilerStep#1", {0, 1'000'000});
  ShapedOp(make, "aten::mm", {0, 50'000}, "[[4096, 4096], [4096, 4096]]");
  make.Api("cudaLaunchKernel", {1'000, 2'000}, 1);
  make.Kernel("gemm", kernel, 1);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {}, given);
  return analysis.Get<StepsPass>()->rows[0].gpu->bound;
}

TEST(StepBoundTest, TheRooflineTellsMemoryFromCompute) {
  Given given;
  given.peak_bytes_per_s = 1e12;
  given.peak_flops_per_s = 1e15;
  EXPECT_EQ(BoundOfStep(given, {100'000, 900'000}), StepBound::kCompute);
  given.peak_flops_per_s = 2e15;
  EXPECT_EQ(BoundOfStep(given, {100'000, 900'000}), StepBound::kMemory);
  EXPECT_EQ(BoundOfStep({}, {100'000, 900'000}), StepBound::kNotEvaluated) << "no peaks";
  EXPECT_EQ(BoundOfStep(given, {100'000, 400'000}), StepBound::kOverhead) << "times come first";
}

TEST(StepBoundTest, TooLittleCoverageIsNoAnswer) {
  constexpr StepBound kOpen = StepBound::kNotEvaluated;
  BoundSums sums{.work_ns = 100, .bounded_ns = 49, .memory_ns = 30, .compute_ns = 10};
  EXPECT_EQ(BoundOf(kOpen, sums), kOpen);
  sums.bounded_ns = 50;
  EXPECT_EQ(BoundOf(kOpen, sums), StepBound::kMemory);
  sums.compute_ns = 31;
  EXPECT_EQ(BoundOf(kOpen, sums), StepBound::kCompute);
  EXPECT_EQ(BoundOf(kOpen, BoundSums{}), kOpen);
}

TEST(StepBoundTest, SmallKernelsNearTheirBoundsAreNotLatencyBound) {
  BoundSums sums{.work_ns = 100, .bounded_ns = 90, .memory_ns = 40, .compute_ns = 9};
  EXPECT_EQ(BoundOf(StepBound::kLatency, sums), StepBound::kLatency);
  sums.compute_ns = 10;
  EXPECT_EQ(BoundOf(StepBound::kLatency, sums), StepBound::kMemory);
  sums.bounded_ns = 49;
  EXPECT_EQ(BoundOf(StepBound::kLatency, sums), StepBound::kLatency) << "too little is covered";
  EXPECT_EQ(BoundOf(StepBound::kOverhead, sums), StepBound::kOverhead) << "idle time comes first";
  EXPECT_EQ(BoundOf(StepBound::kLatency, BoundSums{}), StepBound::kLatency);
}

TEST(RooflineDocumentTest, JsonFollowsTheContract) {
  const Trace trace = LinearAroundMm();
  Analysis analysis(trace, {}, TeraPeaks());
  const Document document = MakeRooflineDocument(*analysis.Get<RooflinePass>(), {});
  EXPECT_EQ(document.verb, "roofline");
  const auto& row = document.data["rows"][0];
  EXPECT_EQ(row["op"], "aten::mm");
  EXPECT_EQ(row["types"], std::string(kTwoHalves));
  EXPECT_EQ(row["flops"], 65'536);
  EXPECT_EQ(row["bound"], "compute");
  EXPECT_EQ(row["bound_ns"], 66);
  EXPECT_EQ(row["lost_ns"], 120'000 - 66);
  EXPECT_DOUBLE_EQ(row["intensity"].get<double>(), 65'536.0 / 7'168.0);
  EXPECT_DOUBLE_EQ(row["efficiency_share"].get<double>(), 66.0 / 120'000.0);
  EXPECT_EQ(document.data["peaks"]["source"], "given");
  EXPECT_EQ(document.data["step_bound"]["unit"], "window");
  EXPECT_EQ(document.data["known_cost_share"], 1.0);
  EXPECT_TRUE(OnlyTable(document).ok());
}

// Operands in a cache, or shapes that are not those of the kernel: shares stay in 0..1, and no time is negative.
TEST(RooflineDocumentTest, WorkFasterThanItsBoundLosesNothing) {
  const Trace trace = LinearAroundMm();
  Given given;
  given.peak_bytes_per_s = 1e3;
  given.peak_flops_per_s = 1e3;
  Analysis analysis(trace, {}, given);
  const Document document = MakeRooflineDocument(*analysis.Get<RooflinePass>(), {});
  const auto& row = document.data["rows"][0];
  EXPECT_GT(row["bound_ns"].get<int64_t>(), row["gpu_ns"].get<int64_t>());
  EXPECT_EQ(row["lost_ns"], 0);
  EXPECT_EQ(row["efficiency_share"], 1.0);
  EXPECT_NE(row["note"].get<std::string>().find("faster than its bound"), std::string::npos);
  EXPECT_EQ(document.data["kinds"][0]["efficiency_share"], 1.0);
  EXPECT_EQ(document.data["step_bound"]["gemm_efficiency_share"], 1.0);
}

}  // namespace
}  // namespace warpsight
