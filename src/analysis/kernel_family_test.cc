#include "analysis/kernel_family.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(KernelFamilyTest, EveryRuleNamesItsSourceAndClassifiesItsExamples) {
  const KernelFamilies& families = KernelFamilies::Embedded();
  ASSERT_FALSE(families.rules().empty());
  for (const KernelFamilyRule& rule : families.rules()) {
    EXPECT_FALSE(rule.source.empty()) << rule.family;
    EXPECT_FALSE(rule.examples.empty()) << rule.family;
    for (const std::string& example : rule.examples) EXPECT_EQ(families.Match(example), &rule) << example;
  }
}

// One name for every pattern of the domain's table, so that a rule moved up does not swallow another's names.
TEST(KernelFamilyTest, OrderDecidesBetweenFamilies) {
  const KernelFamilies& families = KernelFamilies::Embedded();
  const auto expect = [&](std::string_view family, std::string_view name) {
    EXPECT_EQ(families.Classify(name), family) << name;
  };
  expect("attention", "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64");
  expect("attention", "fmha_cutlassF_f16_aligned_64x64_rf_sm80");
  expect("gemm", "void cublasLt::splitKreduce_kernel<32, 16, int, float>()");
  expect("reduction",
         "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float> > >()");
  expect("sampling",
         "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::Half, at::native::ArgMaxOps<float> > >()");
  expect("copy",
         "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>()");
  expect("elementwise", "void at::native::unrolled_elementwise_kernel<at::native::CUDAFunctor_add<float> >()");
  expect("norm",
         "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::batch_norm_calc_invstd()>()");
  expect("copy", "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>()");
  expect("moe", "void vllm::moe::topkGatingSoftmax<8>()");
  expect("collective", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
  expect("embedding", "void at::native::vectorized_gather_kernel<16, long>()");
  expect("elementwise", "triton_poi_fused__scaled_dot_product_cudnn_attention_addmm_3");
  expect("gemm", "triton_tem_fused_addmm_7");
  expect("rotary", "void apply_rope_kernel<float>()");
  expect("other", "europe_properties_kernel");  // holds "rope", but not as a word
  expect("gemm", "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::layout::NoPermute> >()");
  expect("other", "Kernel");
  expect("other", "");
}

TEST(KernelFamilyTest, CopiesAndSetsAreKnownByKind) {
  const KernelFamilies& families = KernelFamilies::Embedded();
  EXPECT_EQ(families.Classify(GpuKind::kMemcpy, "Memcpy HtoD (Pageable -> Device)"), "memcpy");
  EXPECT_EQ(families.Classify(GpuKind::kMemset, "Memset (Device)"), "memset");
  EXPECT_EQ(families.Classify(GpuKind::kKernel, "volta_sgemm_32x128_nn"), "gemm");
}

TEST(KernelFamilyTest, PatternsAreOrderedPiecesAndWordsHaveBorders) {
  const KernelFamilies families("[[rule]]\nfamily = 'a'\npatterns = ['x*y']\n[[rule]]\nfamily = 'b'\nwords = ['mla']\n");
  EXPECT_EQ(families.Classify("--X..Y--"), "a");
  EXPECT_EQ(families.Classify("y before x"), "other");
  EXPECT_EQ(families.Classify("xmlay"), "a");
  EXPECT_EQ(families.Classify("flash_MLA_2"), "b");
  EXPECT_EQ(families.Classify("mla2"), "other");
  EXPECT_EQ(families.Classify("smla_mla"), "b");
}

}  // namespace
}  // namespace warpsight
