// Norms, attention and chains of elementwise kernels that run op by op.
#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

struct Kernel {
  std::string_view op;
  std::string_view name;
  int64_t us = 10;
};

constexpr Kernel kCast = {"aten::copy_", "direct_copy_kernel_cuda"};
constexpr Kernel kPow = {"aten::pow", "vectorized_elementwise_kernel<pow_tensor_scalar>"};
constexpr Kernel kMean = {"aten::mean", "reduce_kernel<MeanOps<float>>", 15};
constexpr Kernel kAdd = {"aten::add", "vectorized_elementwise_kernel<CUDAFunctor_add<float>>"};
constexpr Kernel kRsqrt = {"aten::rsqrt", "vectorized_elementwise_kernel<rsqrt_kernel_cuda>"};
constexpr Kernel kMul = {"aten::mul", "elementwise_kernel<MulFunctor<float>>", 20};
constexpr Kernel kMm = {"aten::mm", "ampere_fp16_s16816gemm", 100};
constexpr Kernel kBmm = {"aten::bmm", "ampere_fp16_s16816gemm", 100};
constexpr Kernel kSoftmax = {"aten::_softmax", "softmax_warp_forward<float>", 50};
constexpr Kernel kDiv = {"aten::div", "elementwise_kernel<DivFunctor<float>>", 30};

// One after the other on one stream, launched well ahead. `with_ops`: by framework ops, else as a replayed graph.
Trace InOrder(const std::vector<Kernel>& kernels, bool with_ops = true, int64_t stream_of_second_half = 7) {
  LaunchedTrace made;
  int64_t host = 0;
  int64_t gpu = 100;
  int64_t all = gpu;
  for (const Kernel& kernel : kernels) all += kernel.us;
  made.Step(1, {0, all});
  size_t done = 0;
  for (const Kernel& kernel : kernels) {
    WorkOptions options;
    if (++done > kernels.size() / 2) options.stream = stream_of_second_half;
    if (with_ops) {
      made.OpKernel(kernel.op, kernel.name, {host, host + 1}, {gpu, gpu + kernel.us});
    } else {
      made.Launch(kernel.name, {host, host + 1}, {gpu, gpu + kernel.us}, options);
    }
    host += 1;
    gpu += kernel.us;
  }
  return made.Seal();
}

TEST(UnfusedNormTest, AllButTheLongestKernelIsGained) {
  const Diagnosis diagnosis = DiagnoseTrace(InOrder({kMm, kCast, kPow, kMean, kAdd, kRsqrt, kMul, kCast, kMul, kMm}));
  const Finding* finding = Find(diagnosis, "unfused_norm");
  ASSERT_NE(finding, nullptr);
  // cast, pow, mean, add, rsqrt, mul, cast, mul = 10+10+15+10+10+20+10+20; the longest stays.
  EXPECT_EQ(finding->gain_ns, (105 - 20) * kUs);
  EXPECT_NE(Evidence(*finding).find("rsqrt, mul: 1; their 8 kernels take 105.0 us"), std::string::npos)
      << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("a step would have fewer: 7"), std::string::npos) << Evidence(*finding);
}

TEST(UnfusedNormTest, ByKernelNamesWhereNoOpLaunchedThem) {
  const Diagnosis diagnosis = DiagnoseTrace(InOrder({kMm, kPow, kMean, kAdd, kRsqrt, kMul, kMul, kMm}, false));
  ASSERT_NE(Find(diagnosis, "unfused_norm"), nullptr);
  EXPECT_EQ(Find(diagnosis, "unfused_norm")->gain_ns, (85 - 20) * kUs);
}

TEST(UnfusedNormTest, AnotherOrderIsNoNorm) {
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kMm, kMean, kPow, kAdd, kRsqrt, kMul, kMm})), "unfused_norm"), nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kMm, kPow, kMean, kMm, kAdd, kRsqrt, kMul})), "unfused_norm"), nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kMm, kPow, kMean, kAdd, kRsqrt})), "unfused_norm"), nullptr);
}

TEST(UnfusedNormTest, ASequenceOverTwoStreamsIsNone) {
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kPow, kMean, kAdd, kRsqrt, kMul, kMul}, false, 8)), "unfused_norm"), nullptr);
}

TEST(UnfusedAttentionTest, WhatStandsBetweenTheTwoGemmsIsGained) {
  const Diagnosis diagnosis = DiagnoseTrace(InOrder({kMm, kBmm, kDiv, kAdd, kSoftmax, kCast, kBmm, kMm}));
  const Finding* finding = Find(diagnosis, "unfused_attention");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, (30 + 10 + 50 + 10) * kUs);
  EXPECT_NE(Evidence(*finding).find("softmax, GEMM: 1; their 6 kernels take 300.0 us"), std::string::npos)
      << Evidence(*finding);
  EXPECT_EQ(Evidence(*finding).find("math backend"), std::string::npos);
}

TEST(UnfusedAttentionTest, TheMathBackendIsNamed) {
  LaunchedTrace made;
  made.Step(1, {0, 1000}).Op("aten::_scaled_dot_product_attention_math", {0, 50});
  made.OpKernel("aten::bmm", "gemm", {0, 10}, {100, 200}).OpKernel("aten::_softmax", "softmax", {20, 30}, {200, 300});
  made.OpKernel("aten::bmm", "gemm", {40, 50}, {300, 400});
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* finding = Find(diagnosis, "unfused_attention");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(Evidence(*finding).find("(aten::_scaled_dot_product_attention_math): 1 of 1"), std::string::npos)
      << Evidence(*finding);
}

TEST(UnfusedAttentionTest, ASoftmaxOfTheOutputIsNone) {
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kMm, kSoftmax, kMm})), "unfused_attention"), nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kBmm, kSoftmax})), "unfused_attention"), nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kSoftmax, kBmm})), "unfused_attention"), nullptr);
}

TEST(ElementwiseFusionTest, ManyInARow) {
  std::vector<Kernel> kernels;
  for (int run = 0; run < 4; ++run) {
    kernels.push_back(kMm);
    for (int i = 0; i < 3; ++i) kernels.push_back(kAdd);
  }
  const Diagnosis diagnosis = DiagnoseTrace(InOrder(kernels));
  const Finding* finding = Find(diagnosis, "elementwise_fusion");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 4 * 20 * kUs);
  EXPECT_NE(Evidence(*finding).find("others: 12 of 16 (75.0 %)"), std::string::npos) << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("such rows: 4, of up to 3 kernels"), std::string::npos) << Evidence(*finding);
}

TEST(ElementwiseFusionTest, AFewOrLoneOnesAreNone) {
  EXPECT_EQ(Find(DiagnoseTrace(InOrder({kMm, kAdd, kAdd, kMm})), "elementwise_fusion"), nullptr);
  std::vector<Kernel> lone;
  for (int i = 0; i < 12; ++i) lone.insert(lone.end(), {kMm, kAdd});
  EXPECT_EQ(Find(DiagnoseTrace(InOrder(lone)), "elementwise_fusion"), nullptr);
}

// The norm's kernels are elementwise too; their time counts once.
TEST(ElementwiseFusionTest, NormsAreCountedOnce) {
  std::vector<Kernel> kernels;
  for (int i = 0; i < 4; ++i) kernels.insert(kernels.end(), {kMm, kPow, kMean, kAdd, kRsqrt, kMul, kMul});
  const Diagnosis diagnosis = DiagnoseTrace(InOrder(kernels));
  const Finding* norm = Find(diagnosis, "unfused_norm");
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(norm->gain_ns, 4 * (85 - 20) * kUs);
  // add rsqrt mul mul: all but the longest are the norm's already, and so is one of the two muls.
  const Finding* rest = Find(diagnosis, "elementwise_fusion");
  EXPECT_LE(rest == nullptr ? 0 : *rest->gain_ns, 4 * 20 * kUs);
}

}  // namespace
}  // namespace warpsight::testing
