#include "base/mangled_name.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(MangledNameTest, NestedNamesTemplatesAndLiterals) {
  EXPECT_EQ(Demangle("_Z9vectorAddPiS_S_i"), "vectorAdd");
  EXPECT_EQ(Demangle("_ZN2at6native24vectorized_gather_kernelILi16ElEEvPcS2_PT0_illllb"),
            "at::native::vectorized_gather_kernel<16, long>");
  EXPECT_EQ(
      Demangle("_ZN2at6native29vectorized_elementwise_kernelILi8ENS0_15CUDAFunctor_"
               "addIN3c108BFloat16EEESt5arrayIPcLm3EEEEviT0_T1_"),
      "at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>>");
  EXPECT_EQ(
      Demangle("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib"),
      "aiter::add_rmsnorm_quant_kernel<__bf16, __bf16, 256, 16, false, false, true, 1>");
}

TEST(MangledNameTest, SubstitutionsStandForWhatWasRead) {
  EXPECT_EQ(
      Demangle("_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastINS0_"
               "13BinaryFunctorIN3c108BFloat16ES5_S5_NS0_15"
               "binary_internal10MulFunctorIfEEEEEEvRNS_18TensorIteratorBaseERKT_EUliE_EEviT1_"),
      "at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::BFloat16, "
      "c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float>>>(void, at::TensorIteratorBase&, T "
      "const&)::{lambda(int)#1}>");
}

TEST(MangledNameTest, LocalNamesAndAnonymousNamespaces) {
  EXPECT_EQ(
      Demangle("_ZN43_GLOBAL__N__b6de9c8c_10_SoftMax_cu_9f978f6320softmax_warp_forwardIfffLi6ELb0ELb0EEEvPT0_PKT_iiiPKbib"),
      "(anonymous namespace)::softmax_warp_forward<float, float, float, 6, false, false>");
  EXPECT_EQ(
      Demangle(
          "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i"),
      "sgl_hip::activation::act_and_mul_kernel<__hip_bfloat16, T (T const&)* &silu<__hip_bfloat16>(T, T const&)>");
}

TEST(MangledNameTest, WhatCanNotBeReadEndsTheName) {
  EXPECT_EQ(Demangle("no mangled name"), "");
  EXPECT_EQ(Demangle("_Z"), "");
  EXPECT_EQ(Demangle("_Z99short"), "");
  EXPECT_EQ(Demangle("_ZN2at6nativ"), "at::");
  EXPECT_EQ(Demangle("_Z1fIS9_E"), "f<");
}

// Each step doubles the type: 2^60 letters if it were written out.
TEST(MangledNameTest, GrowingSubstitutionsAreCutOff) {
  std::string name = "_Z1fISt4pairIiiE";
  for (int i = 0; i < 60; ++i) {
    const std::string last = i == 0 ? "S_" : "S" + std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 36]) + "_";
    name += "S_I" + last + last + "E";
  }
  EXPECT_LE(Demangle(name + "Evv").size(), 64U * 1024);
}

TEST(MangledNameTest, DeepNestingIsCutOff) {
  std::string name = "_Z1fI";
  for (int i = 0; i < 100'000; ++i) name += "P";
  EXPECT_LE(Demangle(name).size(), 64U * 1024);
}

}  // namespace
}  // namespace warpsight
