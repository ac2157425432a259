#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

constexpr std::string_view kHalf = "['c10::Half', 'c10::Half']";
constexpr std::string_view kFloat = "['float', 'float']";
constexpr std::string_view kFloatMul =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
    "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int)";
constexpr std::string_view kDoubleMul =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<double, double, double, "
    "at::native::binary_internal::MulFunctor<double> >, std::array<char*, 3ul> >(int)";
constexpr std::string_view kHalfMul =
    "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::Half, c10::Half, c10::Half, "
    "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int)";

// 500 us of GEMM with operands of `gemm_types`, then 100 us of `kernel` of the op `op` with `types`.
Trace Model(std::string_view gemm, std::string_view gemm_types, std::string_view op, std::string_view kernel,
            std::string_view types) {
  LaunchedTrace made;
  made.Step(1, {0, 1000}).OpKernel("aten::mm", gemm, {0, 10}, {100, 600}, "[[1, 1], [1, 1]]", gemm_types);
  made.OpKernel(op, kernel, {20, 30}, {600, 700}, "[[1, 1]]", types);
  return made.Seal();
}

TEST(WideTypesTest, SingleAndDoubleInAHalfModel) {
  const Diagnosis single = DiagnoseTrace(Model("nvjet_sm90_hsh", kHalf, "aten::mul", kFloatMul, kFloat));
  ASSERT_NE(Find(single, "wide_types"), nullptr);
  EXPECT_EQ(Find(single, "wide_types")->gain_ns, 50 * kUs);
  EXPECT_NE(Evidence(*Find(single, "wide_types")).find("FP32 kernels in a step: 1; they take 100.0 us"), std::string::npos);

  const Diagnosis wide = DiagnoseTrace(Model("nvjet_sm90_hsh", kHalf, "aten::mul", kDoubleMul, "['double', 'double']"));
  ASSERT_NE(Find(wide, "wide_types"), nullptr);
  EXPECT_EQ(Find(wide, "wide_types")->gain_ns, 75 * kUs);
}

TEST(WideTypesTest, CastsHalfKernelsAndSingleModelsAreNone) {
  EXPECT_EQ(Find(DiagnoseTrace(Model("nvjet_sm90_hsh", kHalf, "aten::copy_", "copy_kernel<float, c10::Half>",
                                     "['float', 'c10::Half']")),
                 "wide_types"),
            nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(Model("nvjet_sm90_hsh", kHalf, "aten::mul", kHalfMul, kHalf)), "wide_types"), nullptr);
  EXPECT_EQ(Find(DiagnoseTrace(Model("sgemm", kFloat, "aten::mul", kFloatMul, kFloat)), "wide_types"), nullptr);
  // A Python float beside a 16-bit tensor is no wide kernel.
  EXPECT_EQ(
      Find(DiagnoseTrace(Model("nvjet_sm90_hsh", kHalf, "aten::mul", kDoubleMul, "['c10::Half', 'double']")), "wide_types"),
      nullptr);
}

TEST(TensorCoresTest, GemmsWhoseNamesShowNone) {
  for (const std::string_view name :
       {"volta_sgemm_128x64_tn", "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_tn_align1>",
        "ampere_dgemm_64x64_nn"}) {
    const Diagnosis diagnosis = DiagnoseTrace(Model(name, kFloat, "aten::mul", kFloatMul, kFloat));
    ASSERT_NE(Find(diagnosis, "tensor_cores_unused"), nullptr) << name;
    EXPECT_EQ(Find(diagnosis, "tensor_cores_unused")->gain_ns, 250 * kUs) << name;
  }
}

TEST(TensorCoresTest, GemmsThatUseThemAndGemvAreNone) {
  for (const std::string_view name : {"ampere_fp16_s16816gemm_fp16_128x256_ldg8_f2f_stages_64x3_nn", "nvjet_sm90_hsh_64x8",
                                      "sm80_xmma_gemm_f32f32_tf32f32_f32_tn", "cutlass_80_tensorop_s1688gemm",
                                      "gemvNSP_kernel", "Cijk_Alik_Bljk_BBS_MT16x16x256_MI16x16x1_SN"}) {
    EXPECT_EQ(Find(DiagnoseTrace(Model(name, kFloat, "aten::mul", kFloatMul, kFloat)), "tensor_cores_unused"), nullptr)
        << name;
  }
}

TEST(TensorCoresTest, ADeviceWithoutThemIsNotBlamed) {
  for (const auto& [compute_major, blamed] : {std::pair{6, false}, {7, true}, {-1, true}}) {
    LaunchedTrace made;
    Device device;
    device.compute_major = compute_major;
    made.make().builder().header().devices = {device};
    made.Step(1, {0, 1000}).OpKernel("aten::mm", "volta_sgemm_128x64_tn", {0, 10}, {100, 600});
    EXPECT_EQ(Find(DiagnoseTrace(made.Seal()), "tensor_cores_unused") != nullptr, blamed) << compute_major;
  }
}

TEST(ClocksTest, NotEvaluatedWithoutClocks) {
  const Diagnosis diagnosis = DiagnoseTrace(LaunchedTrace().Step(1, {0, 200}).Launch("k", {0, 1}, {100, 200}).Seal());
  EXPECT_NE(WhyNot(diagnosis, "clocks").find("the recording has no GPU clocks"), std::string::npos);
}

}  // namespace
}  // namespace warpsight::testing
