// Bounds of our own sample recordings: numbers that were worked out by other means.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "analysis/roofline_pass.h"
#include "analysis/steps_pass.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::roofline_numbers_test {
namespace {

class Sample {
 public:
  explicit Sample(const std::string& name) : path_(testing::SharedData() / "h200/torch" / (name + ".pt.trace.json.gz")) {
    if (!std::filesystem::exists(path_)) return;
    Result<Trace> trace = OpenTrace(path_, {});
    if (!trace.ok()) return;
    trace_ = std::make_unique<Trace>(std::move(trace).value());
    analysis_ = std::make_unique<Analysis>(*trace_, Selection{});
  }
  bool found() const { return analysis_ != nullptr; }
  const RooflineResult& roofline() const { return *analysis_->Get<RooflinePass>(); }
  const StepNeeds& step() const { return roofline().devices[0].step; }
  double Coverage() const {
    const RooflineDevice& device = roofline().devices[0];
    return static_cast<double>(device.costed_ns) / static_cast<double>(device.work_ns);
  }
  const RooflineKind& Kind(CostKind kind) const { return roofline().devices[0].kinds[static_cast<size_t>(kind)]; }
  StepBound Bound() const { return analysis_->Get<StepsPass>()->rows[0].gpu->bound; }

 private:
  std::string path_;
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<Analysis> analysis_;
};

// Parameters of the model's 155 matrices: 22 layers of 2 H^2 + 2 H KV + 3 H F, and H V for the head.
constexpr double kWeights = 22.0 * (2 * 2048 * 2048 + 2 * 2048 * 256 + 3.0 * 2048 * 5632) + 2048.0 * 32000;

TEST(RooflineNumbersTest, DecodeReadsEveryWeightOnce) {
  const Sample sample("decode_b1");
  if (!sample.found()) GTEST_SKIP() << "no shared recordings";
  EXPECT_EQ(sample.step().weight_gemms, 155);
  EXPECT_EQ(sample.step().weight_bytes, 2 * kWeights);
  EXPECT_EQ(sample.step().weight_bound_ns, 431'008);  // 2.0688 GB at 4.8 TB/s
  EXPECT_NEAR(static_cast<double>(sample.step().gemm_ns), 1.09e6, 0.01e6);
  // Keys and values of 204, 205 and 206 positions, 4 heads of 64, 22 layers, 2 bytes.
  EXPECT_EQ(sample.step().key_value_bytes, 2 * 22 * 4 * 205 * 64 * 2);
  EXPECT_GT(sample.Coverage(), 0.99);
}

TEST(RooflineNumbersTest, ABatchReadsTheSameWeights) {
  const Sample sample("decode_b8");
  if (!sample.found()) GTEST_SKIP() << "no shared recordings";
  EXPECT_EQ(sample.step().weight_bytes, 2 * kWeights);
  // 2 M N K with M = 8, and the rotary product of 8 x 32.
  EXPECT_EQ(sample.Kind(CostKind::kGemm).flops, 3 * (2 * 8 * kWeights + 2 * 32 * 1));
}

TEST(RooflineNumbersTest, PrefillIsNearItsRoof) {
  const Sample sample("prefill_b4");
  if (!sample.found()) GTEST_SKIP() << "no shared recordings";
  // 4 * 512 rows through every matrix, the head too, in each of two steps; and the rotary product of 32 x 512.
  const RooflineKind& gemm = sample.Kind(CostKind::kGemm);
  EXPECT_EQ(gemm.flops, 2 * (2 * 2048 * kWeights + 2 * 32 * 512));
  const double efficiency = static_cast<double>(gemm.bound_ns) / static_cast<double>(gemm.gpu_ns);
  EXPECT_GT(efficiency, 0.6);
  EXPECT_LT(efficiency, 0.85);
  // 4 B Hq S^2 D in full: the recording does not tell the causal mask.
  EXPECT_EQ(sample.Kind(CostKind::kAttention).flops, 2 * 22 * 4.0 * 4 * 32 * 512 * 512 * 64);
}

TEST(RooflineNumbersTest, TrainingIsThreeTimesForward) {
  const Sample sample("train_b2");
  if (!sample.found()) GTEST_SKIP() << "no shared recordings";
  EXPECT_EQ(sample.step().weight_gemms, 155) << "forward only";
  // 2 * 256 rows forward, and twice that backward; the rotary product has no backward.
  EXPECT_EQ(sample.Kind(CostKind::kGemm).flops, 2 * (3 * 2 * 512 * kWeights + 2 * 32 * 256));
  // Forward 4 B Hq S^2 D and backward 2.5 times that.
  EXPECT_EQ(sample.Kind(CostKind::kAttention).flops, 2 * 22 * 3.5 * 4 * 2 * 32 * 256 * 256 * 64);
  EXPECT_GT(sample.Kind(CostKind::kOptimizer).gpu_ns, sample.Kind(CostKind::kGemm).gpu_ns);
  EXPECT_GT(sample.Coverage(), 0.98);
}

TEST(RooflineNumbersTest, CompiledStepsHaveTheSameProducts) {
  const Sample sample("compile_b1");
  if (!sample.found()) GTEST_SKIP() << "no shared recordings";
  // The rotary frequencies come from an mm here too, but an outer product reads no weights.
  EXPECT_EQ(sample.step().weight_gemms, 155);
  EXPECT_EQ(sample.step().weight_bytes, 2 * kWeights);
  EXPECT_GT(sample.Coverage(), 0.98);
}

// No known sample may need less time than its bound by far: half the caches of the device hold a little of the data.
TEST(RooflineNumbersTest, NothingIsMuchFasterThanItsBound) {
  for (const char* name : {"decode_b1", "decode_b8", "prefill_b4", "train_b2", "compile_b1", "ddp_rank0"}) {
    const Sample sample(name);
    if (!sample.found()) GTEST_SKIP() << "no shared recordings";
    for (const RooflineRow& row : sample.roofline().rows) {
      EXPECT_LT(row.Efficiency().value_or(0), 1.15) << name << ": " << row.op << " " << row.shapes;
    }
  }
}

}  // namespace
}  // namespace warpsight::roofline_numbers_test
