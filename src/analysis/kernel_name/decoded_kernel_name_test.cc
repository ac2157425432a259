#include "analysis/kernel_name/decoded_kernel_name.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analysis/kernel_name/decoded_name_data.h"
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/kernel_libraries.h"

namespace warpsight {
namespace {

TEST(DecodedKernelNameTest, EveryGrammarDescribesItself) {
  std::set<std::string_view> ids;
  for (const KernelNameGrammar* grammar : KernelNameGrammars()) {
    EXPECT_TRUE(ids.insert(grammar->id).second) << grammar->id;
    EXPECT_FALSE(grammar->form.empty()) << grammar->id;
    EXPECT_FALSE(grammar->source.empty()) << grammar->id;
  }
}

TEST(DecodedKernelNameTest, EveryLibraryFindsItsExamples) {
  for (const KernelLibrary& library : KernelLibraries::Embedded().rows()) {
    EXPECT_FALSE(library.source.empty()) << library.name;
    for (const std::string& example : library.examples) {
      EXPECT_EQ(KernelLibraries::Embedded().Find(example), &library) << example;
    }
  }
}

TEST(DecodedKernelNameTest, NothingIsInventedForOtherNames) {
  for (const std::string_view name : {"", "Kernel", "void", "vectorAdd(int *, int *, int *, int)", "ampere_h100_gemm",
                                      "nvjet", "Cijk_", "_Z", "cutlass_80", "my_gemm_128x128"}) {
    EXPECT_FALSE(DecodeKernelName(name).has_value()) << name;
  }
}

TEST(DecodedKernelNameTest, LabelsAreShort) {
  const auto label = [](std::string_view name) {
    const std::optional<DecodedKernelName> decoded = DecodeKernelName(name);
    return decoded ? ShortLabel(*decoded) : std::string("-");
  };
  EXPECT_EQ(label("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"), "nvjet f16 64x8x64 TN");
  EXPECT_EQ(label("triton_red_fused__to_copy__unsafe_view_add_mean_mul_pow_rsqrt_12"), "triton add+mean+mul+pow+rsqrt");
  EXPECT_EQ(label("triton_poi_fused_add_mul_silu_9"), "triton add+mul+silu");
  EXPECT_EQ(label("cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_3_64x64x64_4x1x1_cga1x1x1_kernel0_0"),
            "cudnn flash fwd 64x64");
  EXPECT_EQ(label("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            "nccl all_reduce sum bf16 RING LL");
  EXPECT_EQ(
      label(
          "void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::silu_kernel(at::"
          "TensorIteratorBase&)::{lambda()#1}::operator()() const::{lambda()#3}::operator()() const::{lambda(c10::Half)#1}, "
          "std::array<char*, 2ul> >(int)"),
      "silu f16");
}

TEST(DecodedKernelNameTest, JsonHasEveryKeyAndNullWhereNothingIsTold) {
  const nlohmann::ordered_json told = DecodedNameData(*DecodeKernelName("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"));
  const nlohmann::ordered_json other =
      DecodedNameData(*DecodeKernelName("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)"));
  EXPECT_EQ(told.size(), other.size());
  EXPECT_EQ(told["tile"].dump(), "[64,8,64]");
  EXPECT_EQ(told["tensor_cores"], true);
  EXPECT_TRUE(told["head_dim"].is_null());
  EXPECT_TRUE(other["tile"].is_null());
  EXPECT_TRUE(other["tensor_cores"].is_null());
  EXPECT_TRUE(other["collective"].is_null());
}

// Every prefix and a few mutations of names of each kind: no crash, whatever comes out.
TEST(DecodedKernelNameTest, DamagedNames) {
  const std::string names[] = {
      "nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_splitK_TNT",
      "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2, "
      "cute::tuple<cute::C<1>, cute::C<1>, cute::C<1> >, cute::tuple<cute::C<128>, cute::C<80>, cute::C<256> >, 256, "
      "cutlass::bfloat16_t, float, cutlass::arch::Sm90, false, false> > > >(int)",
      "_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_15exp_kernel_cudaERNS_18TensorIteratorBaseEENKUlvE0_"
      "clEvENKUlvE0_"
      "clEvEUlfE_St5arrayIPcLm2EEEEviT0_T1_",
      "Cijk_Ailk_Bjlk_BBS_BH_MT32x32x64_MI16x16x16x1_SN_ISA942_GSU2_SK3",
      "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
      "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>()",
  };
  for (const std::string& name : names) {
    for (size_t size = 0; size <= name.size(); ++size) DecodeKernelName(name.substr(0, size));
    for (size_t at = 0; at < name.size(); ++at) {
      for (const char c : {'<', '>', '(', ')', '_', '9', ':', '\0', '\xff'}) {
        std::string damaged = name;
        damaged[at] = c;
        DecodeKernelName(damaged);
      }
    }
  }
}

TEST(DecodedKernelNameTest, HugeNamesTakeLinearTime) {
  const size_t size = 1 << 20;
  const auto repeated = [&](std::string_view head, std::string_view piece) {
    std::string name(head);
    while (name.size() < size) name += piece;
    return name;
  };
  for (const std::string& name :
       {repeated("", "<"), repeated("", "("), repeated("", ">"), repeated("nvjet_", "1x1_"),
        repeated("triton_poi_fused_", "_"), repeated("triton_poi_fused_", "native_layer_norm_backward_"),
        repeated("at::native::reduce_kernel<", "a<"), repeated("at::native::elementwise_kernel<1, ", "BinaryFunctor<"),
        repeated("Cijk_Alik_Bljk_", "B"), repeated("_ZN", "1a"), repeated("_Z", "I"), repeated("_Z", "N"),
        repeated("_Z1fI", "S_"), repeated("_Z1fIN1aE", "NS_I"), repeated("cutlass::x<", "MmaMultistage "),
        repeated("flash_fwd<", "Flash_fwd_kernel_traits "), repeated("ck::x<GridwiseGemm<", "(GemmSpecialization)2, "),
        repeated("sm90_xmma_", "f16f16_f16f16_f16_"), repeated("void ", "(anonymous namespace)::")}) {
    DecodeKernelName(name);
  }
}

}  // namespace
}  // namespace warpsight
