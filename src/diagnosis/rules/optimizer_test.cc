#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

// AdamW's ops with the tensors they move: 2+2+3+3+2+2+2+4 = 20 against 7 of the fused one.
constexpr std::string_view kAdamOps[] = {"mul_", "mul_", "lerp_", "addcmul_", "sqrt", "div_", "add_", "addcdiv_"};

// One step: a forward pass of `forward_us`, then the optimizer's ops with 10 us each.
Trace Train(std::string_view prefix, std::string_view kernel, int64_t forward_us) {
  LaunchedTrace made;
  const int64_t optimizer_end = 100 + forward_us + 10 * static_cast<int64_t>(std::size(kAdamOps));
  made.Step(1, {0, optimizer_end}).Launch("gemm", {0, 1}, {100, 100 + forward_us});
  made.Range("Optimizer.step#AdamW.step", {5, 90});
  int64_t host = 5;
  int64_t gpu = 100 + forward_us;
  for (const std::string_view op : kAdamOps) {
    made.OpKernel(std::string(prefix) + std::string(op), kernel, {host, host + 2}, {gpu, gpu + 10});
    host += 3;
    gpu += 10;
  }
  return made.Seal();
}

TEST(OptimizerTest, ForeachMovesItsTensorsAgainAndAgain) {
  const Diagnosis diagnosis =
      DiagnoseTrace(Train("aten::_foreach_", "multi_tensor_apply_kernel<TensorListMetadata<2>, float>", 100));
  const Finding* finding = Find(diagnosis, "optimizer");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(static_cast<double>(*finding->gain_ns), 80.0 * 13 / 20 * kUs, 10);
  EXPECT_EQ(finding->title, "The FP32 optimizer is not fused: it reads and writes its tensors again and again");
  EXPECT_NE(
      Evidence(*finding).find("AdamW.step: 80.00 us of a step (44.4 % of the GPU's busy time), kernels: 8; it runs op by "
                              "op over lists of parameters (foreach)"),
      std::string::npos)
      << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("moves 20 tensors through memory, fused Adam 7: 28.00 us instead of 80.00 us"),
            std::string::npos)
      << Evidence(*finding);
}

TEST(OptimizerTest, ALoopOverParameters) {
  const Diagnosis diagnosis = DiagnoseTrace(Train("aten::", "vectorized_elementwise_kernel<4, float>", 100));
  ASSERT_NE(Find(diagnosis, "optimizer"), nullptr);
  EXPECT_NE(Evidence(*Find(diagnosis, "optimizer")).find("in a loop over the parameters"), std::string::npos);
}

TEST(OptimizerTest, FusedIsNamedOnlyWhenItIsMuchOfTheStep) {
  for (const auto& [forward_us, named] : {std::pair<int64_t, bool>{40, true}, {400, false}}) {
    LaunchedTrace made;
    made.Step(1, {0, 100 + forward_us + 20}).Launch("gemm", {0, 1}, {100, 100 + forward_us});
    made.Range("Optimizer.step#AdamW.step", {5, 90})
        .OpKernel("aten::_fused_adamw_", "multi_tensor_apply_kernel<FusedAdamMathFunctor<float>>", {5, 10},
                  {100 + forward_us, 120 + forward_us});
    const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
    const Finding* finding = Find(diagnosis, "optimizer");
    ASSERT_EQ(finding != nullptr, named);
    if (named) {
      EXPECT_EQ(finding->gain_ns, std::nullopt);
      EXPECT_NE(finding->title.find("takes much of the step"), std::string::npos);
    }
  }
}

TEST(OptimizerTest, InferenceHasNone) {
  const Trace trace = LaunchedTrace().Step(1, {0, 200}).Launch("gemm", {0, 1}, {100, 200}).Seal();
  EXPECT_EQ(Find(DiagnoseTrace(trace), "optimizer"), nullptr);
}

// Whose traffic is not known has no gain.
TEST(OptimizerTest, OtherOptimizersAreNamedWithoutAGain) {
  LaunchedTrace made;
  made.Step(1, {0, 400}).Launch("gemm", {0, 1}, {100, 200}).Range("Optimizer.step#Shampoo.step", {5, 90});
  made.OpKernel("aten::linalg_eigh", "syevj", {5, 10}, {200, 300}).OpKernel("aten::add_", "add", {20, 30}, {300, 400});
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  ASSERT_NE(Find(diagnosis, "optimizer"), nullptr);
  EXPECT_EQ(Find(diagnosis, "optimizer")->gain_ns, std::nullopt);
}

}  // namespace
}  // namespace warpsight::testing
