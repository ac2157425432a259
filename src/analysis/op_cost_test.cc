// Hand-worked costs. Element sizes: half 2 bytes, float 4, long 8.
#include "analysis/op_cost.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpsight {
namespace {

struct Call {
  std::string name;
  std::string shapes;
  std::string types;
  KernelHint hint = {};
  std::vector<int64_t> output = {};
};

CostAnswer Answer(const Call& made) {
  const OpCostEntry* entry = FindOpCost(made.name);
  if (entry == nullptr) return {std::nullopt, "no entry"};
  const std::optional<Operands> operands = ParseOperands(made.shapes, made.types);
  if (!operands) return {std::nullopt, "no operands"};
  return entry->cost({made.name, *entry, *operands, made.hint, made.output});
}

void ExpectCost(const Call& call, double flops, double bytes) {
  const CostAnswer answer = Answer(call);
  ASSERT_TRUE(answer.cost.has_value()) << call.name << ": " << answer.reason;
  EXPECT_EQ(answer.cost->flops, flops) << call.name << " " << call.shapes;
  EXPECT_EQ(answer.cost->bytes, bytes) << call.name << " " << call.shapes;
}

constexpr const char* kHalf2 = R"(["c10::Half", "c10::Half"])";
constexpr const char* kHalf3 = R"(["c10::Half", "c10::Half", "c10::Half"])";
constexpr const char* kHalf4 = R"(["c10::Half", "c10::Half", "c10::Half", "c10::Half"])";

TEST(OpCostTest, EveryEntryStandsOnceAndIsFound) {
  std::set<std::string_view> names;
  for (const OpCostEntry& entry : AllOpCosts()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_NE(entry.cost, nullptr) << entry.name;
    if (entry.name.find('*') == std::string_view::npos) {
      EXPECT_EQ(FindOpCost(entry.name), &entry) << entry.name;
    }
  }
  EXPECT_EQ(FindOpCost("aten::add_"), FindOpCost("aten::add"));
  EXPECT_EQ(FindOpCost("aten::_foreach_lerp_")->name, "aten::_foreach_*");
  EXPECT_EQ(FindOpCost("triton_poi_fused_add_0")->name, "triton_poi_*");
  EXPECT_EQ(FindOpCost("triton_tem_fused_addmm_7")->kind, CostKind::kGemm);
  EXPECT_EQ(FindOpCost("aten::view"), nullptr);
}

TEST(OpCostTest, MatrixProducts) {
  // 2 * 4*6*8 = 384; (4*8 + 8*6 + 4*6) * 2 = 208
  ExpectCost({"aten::mm", "[[4, 8], [8, 6]]", kHalf2}, 384, 208);
  ExpectCost({"aten::mm", "[[4, 8], [8, 6], [4, 6]]", kHalf3}, 384, 208);  // with the result passed in
  ExpectCost({"aten::mm", "[[4, 8], [8, 6]]", R"(["float", "float"])"}, 384, 416);
  // A bias of 6 is read: + 12. A full C of 4 * 6: + 48.
  ExpectCost(
      {"aten::addmm", "[[6], [4, 8], [8, 6], [], []]", R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"])"},
      384, 220);
  ExpectCost({"aten::addmm", "[[4, 6], [4, 8], [8, 6]]", kHalf3}, 384, 256);
  // Three of the same: 1152; (3*4*8 + 3*8*6 + 3*4*6) * 2 = 624; with C + 144.
  ExpectCost({"aten::bmm", "[[3, 4, 8], [3, 8, 6]]", kHalf2}, 1152, 624);
  ExpectCost({"aten::baddbmm", "[[3, 4, 6], [3, 4, 8], [3, 8, 6]]", kHalf3}, 1152, 768);
  // X of 2*5 rows of 8, W [6, 8]: 2*10*6*8 = 960; (80 + 48 + 60) * 2 = 376, bias of 6: + 12.
  ExpectCost({"aten::linear", "[[2, 5, 8], [6, 8], []]", R"(["c10::Half", "c10::Half", ""])"}, 960, 376);
  ExpectCost({"aten::linear", "[[2, 5, 8], [6, 8], [6]]", kHalf3}, 960, 388);
  // [2,1,4,8] x [3,8,6] -> batch 2*3: 6 * 384 = 2304; (64 + 144 + 144) * 2 = 704.
  ExpectCost({"aten::matmul", "[[2, 1, 4, 8], [3, 8, 6]]", kHalf2}, 2304, 704);
  ExpectCost({"aten::mv", "[[4, 8], [8]]", kHalf2}, 64, 88);  // (32 + 8 + 4) * 2
  ExpectCost({"aten::dot", "[[8], [8]]", kHalf2}, 16, 34);    // (8 + 8 + 1) * 2
  // fp8 operands of one byte, bf16 result: 32 + 48 + 24 * 2.
  ExpectCost({"aten::_scaled_mm", "[[4, 8], [8, 6]]", R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn"])"}, 384, 128);
  ExpectCost({"triton_tem_fused_addmm_7", "[[6], [4, 8], [8, 6], [4, 6]]", kHalf4}, 384, 208);
}

TEST(OpCostTest, WeightsAreTheSecondMatrix) {
  EXPECT_EQ(Answer({"aten::mm", "[[4, 8], [8, 6]]", kHalf2}).cost->weight_bytes, 96);
  EXPECT_EQ(Answer({"aten::linear", "[[2, 5, 8], [6, 8]]", kHalf2}).cost->weight_bytes, 96);
  EXPECT_EQ(Answer({"aten::bmm", "[[3, 4, 8], [3, 8, 6]]", kHalf2}).cost->weight_bytes, 0);
  EXPECT_EQ(Answer({"aten::mm", "[[32, 1], [1, 64]]", kHalf2}).cost->weight_bytes, 0);
}

TEST(OpCostTest, TheTypeDecidesTheUnit) {
  const auto unit = [](const char* type, bool tf32) {
    const std::string types = std::string(R"([")") + type + R"(", ")" + type + R"("])";
    return Answer({"aten::mm", "[[4, 8], [8, 6]]", types, {.tf32 = tf32}}).cost->arithmetic;
  };
  EXPECT_EQ(unit("c10::Half", false), Arithmetic::kFp16);
  EXPECT_EQ(unit("c10::BFloat16", false), Arithmetic::kBf16);
  EXPECT_EQ(unit("float", false), Arithmetic::kFp32Matrix);
  EXPECT_EQ(unit("float", true), Arithmetic::kTf32);
  EXPECT_EQ(unit("double", false), Arithmetic::kFp64Matrix);
  EXPECT_EQ(unit("signed char", false), Arithmetic::kInt8);
}

TEST(OpCostTest, Convolutions) {
  // Result [2, 16, 10, 10] = 3200 elements, each 4 channels (of 8 in 2 groups) * 3 * 3 = 36 multiply-adds: 230,400.
  // X 2*8*10*10 = 1600, W 16*4*3*3 = 576, result 3200: 5376 * 2 bytes.
  const char* shapes = "[[2, 8, 10, 10], [16, 4, 3, 3], []]";
  const char* types = R"(["c10::Half", "c10::Half", ""])";
  ExpectCost({"aten::cudnn_convolution", shapes, types, {}, {2, 16, 10, 10}}, 230400, 10752);
  // Without the result's size there is no answer: padding and stride are not recorded.
  EXPECT_FALSE(Answer({"aten::cudnn_convolution", shapes, types}).cost.has_value());
  // Backward knows it: dY [2, 16, 5, 5] = 800; forward 2*800*36 = 57,600, twice that. dY + 2 X + 2 W = 800 + 3200 + 1152 =
  // 5152.
  ExpectCost({"aten::convolution_backward", "[[2, 16, 5, 5], [2, 8, 10, 10], [16, 4, 3, 3]]", kHalf3}, 115200, 10304);
  // The older op has X before dY.
  ExpectCost({"aten::cudnn_convolution_backward", "[[2, 8, 10, 10], [2, 16, 5, 5], [16, 4, 3, 3]]", kHalf3}, 115200, 10304);
  // Transposed: X [2, 8, 5, 5] = 400 elements, each meets 16 * 2 * 2 filter elements: 2*400*64 = 51,200.
  ExpectCost({"aten::cudnn_convolution_transpose", "[[2, 8, 5, 5], [8, 16, 2, 2]]", kHalf2}, 51200, 1824);
  ExpectCost({"aten::convolution_backward", "[[2, 16, 10, 10], [2, 8, 5, 5], [8, 16, 2, 2]]", kHalf3}, 102400, 10048);
}

TEST(OpCostTest, AConvolutionsResultIsSeenInLaterOps) {
  const Operands convolution = *ParseOperands("[[2, 8, 10, 10], [16, 8, 3, 3]]", kHalf2);
  const auto seen = [&](const char* shapes) { return ConvolutionOutput(convolution, 0, *ParseOperands(shapes, "")); };
  EXPECT_EQ(seen("[[16], [2, 16, 5, 5]]"), (std::vector<int64_t>{2, 16, 5, 5}));
  EXPECT_TRUE(seen("[[2, 8, 10, 10]]").empty()) << "other channels";
  EXPECT_TRUE(seen("[[3, 16, 5, 5]]").empty()) << "another batch";
  EXPECT_TRUE(seen("[[2, 16, 40, 40]]").empty()) << "larger than any padding makes it";
}

TEST(OpCostTest, AttentionForward) {
  // B 2, Hq 8, Hk 2, Sq 4, Sk 6, D 16: pairs 2*8*4*6 = 384; 4 * 384 * 16 = 24,576.
  // Q and O 2*8*4*16 = 1024 each, K and V 2*2*6*16 = 384 each: 2816 * 2 bytes.
  const char* shapes = "[[2, 8, 4, 16], [2, 2, 6, 16], [2, 2, 6, 16]]";
  ExpectCost({"aten::_scaled_dot_product_flash_attention", shapes, kHalf3}, 24576, 5632);
  ExpectCost({"aten::_cudnn_attention_forward", shapes, kHalf3}, 24576, 5632);
  // The same with heads after lengths.
  ExpectCost({"aten::_flash_attention_forward", "[[2, 4, 8, 16], [2, 6, 2, 16], [2, 6, 2, 16]]", kHalf3}, 24576, 5632);
  // V of another dimension, 8: 2 * 384 * (16 + 8) = 18,432; Q 1024, O 512, K 384, V 192.
  ExpectCost({"aten::_scaled_dot_product_efficient_attention", "[[2, 8, 4, 16], [2, 2, 6, 16], [2, 2, 6, 8]]", kHalf3},
             18432, 4224);
}

TEST(OpCostTest, ACausalMaskHalvesEqualLengthsOnly) {
  const char* equal = "[[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4]]";  // 4 * 1*2*8*8 * 4 = 2048
  const auto cost = [](const char* shapes, KernelHint hint) {
    return *Answer({"aten::_scaled_dot_product_flash_attention", shapes, kHalf3, hint}).cost;
  };
  EXPECT_EQ(cost(equal, {}).flops, 2048);
  EXPECT_TRUE(cost(equal, {}).causal_unknown);
  EXPECT_EQ(cost(equal, {.causal = false}).flops, 2048);
  EXPECT_FALSE(cost(equal, {.causal = false}).causal_unknown);
  EXPECT_EQ(cost(equal, {.causal = true}).flops, 1024);
  const char* decode = "[[1, 2, 1, 4], [1, 2, 8, 4], [1, 2, 8, 4]]";  // 4 * 16 * 4 = 256
  EXPECT_EQ(cost(decode, {.causal = true}).flops, 256);
  EXPECT_FALSE(cost(decode, {}).causal_unknown);
  EXPECT_EQ(cost(decode, {}).key_value_bytes, 256);  // 2 * 2*8*4 * 2 bytes
}

TEST(OpCostTest, AttentionBackward) {
  // Five products of 2 * 384 * 16: 61,440. dO, O, Q, dQ: 4 * 1024; K, V, dK, dV: 4 * 384. 5632 * 2 bytes.
  ExpectCost({"aten::_scaled_dot_product_cudnn_attention_backward",
              "[[2, 8, 4, 16], [2, 8, 4, 16], [2, 2, 6, 16], [2, 2, 6, 16], [2, 8, 4, 16]]", kHalf4},
             61440, 11264);
  ExpectCost({"aten::_flash_attention_backward", "[[2, 4, 8, 16], [2, 4, 8, 16], [2, 6, 2, 16], [2, 6, 2, 16]]", kHalf4},
             61440, 11264);
}

TEST(OpCostTest, VariableLengthsAreNotGuessed) {
  const CostAnswer packed = Answer({"aten::_flash_attention_forward", "[[10, 8, 16], [10, 2, 16], [10, 2, 16], [3], [3]]",
                                    R"(["c10::Half", "c10::Half", "c10::Half", "int", "int"])"});
  EXPECT_FALSE(packed.cost.has_value());
  EXPECT_NE(packed.reason.find("lengths"), std::string_view::npos);
}

TEST(OpCostTest, Elementwise) {
  // [4, 1, 8] with [3, 8]: result 96. (32 + 24 + 96) * 2.
  ExpectCost({"aten::mul", "[[4, 1, 8], [3, 8]]", kHalf2}, 96, 304);
  // In place the result has the first operand's size: (96 + 8 + 96) * 2.
  ExpectCost({"aten::add_", "[[4, 3, 8], [8], []]", R"(["c10::Half", "c10::Half", "Scalar"])"}, 96, 400);
  // A scalar weighs its own 8 bytes and does not widen: 32*2 + 8 + 32*2.
  ExpectCost({"aten::mul", "[[32], []]", R"(["c10::Half", "double"])"}, 32, 136);
  // half and float give float: 32*2 + 32*4 + 32*4.
  ExpectCost({"aten::add", "[[32], [32]]", R"(["c10::Half", "float"])"}, 32, 320);
  // A comparison writes a byte an element: 32*4 + 32*4 + 32.
  ExpectCost({"aten::eq", "[[32], [32]]", R"(["float", "float"])"}, 32, 288);
  // The result passed in is written, not read: 32*4 + 8 + 32*4.
  ExpectCost({"aten::mul", "[[32], [], [32]]", R"(["float", "double", "float"])"}, 32, 264);
  ExpectCost({"aten::clamp_min", "[[32], [], [32]]", R"(["float", "Scalar", "float"])"}, 32, 256);
  ExpectCost({"aten::add", "[[32], [32], [], [32]]", R"(["float", "float", "Scalar", "float"])"}, 32, 384);
  // Query of 32 and key of 8 turned in place: 2 * 40 * 2.
  ExpectCost({"_C::rotary_embedding", "[[4], [4, 8], [4, 2], [], [999, 8], []]",
              R"(["long int", "c10::Half", "c10::Half", "Scalar", "c10::Half", "Scalar"])"},
             120, 160);
  ExpectCost({"aten::silu", "[[32]]", R"(["c10::Half"])"}, 128, 128);
  ExpectCost({"aten::gelu_backward", "[[32], [32], []]", R"(["c10::Half", "c10::Half", ""])"}, 384, 192);
  EXPECT_FALSE(Answer({"aten::mul", "[[4], [5]]", kHalf2}).cost.has_value()) << "shapes that do not broadcast";
}

TEST(OpCostTest, ReductionsAndNorms) {
  ExpectCost({"aten::mean", "[[4, 32], [], [], []]", R"(["float", "ScalarList", "Scalar", ""])"}, 128, 512);
  // X and result of 128, weight and bias of 32: (2*128 + 2*32) * 2; 8 FLOP an element.
  ExpectCost({"aten::native_layer_norm", "[[4, 32], [], [32], [32], []]",
              R"(["c10::Half", "ScalarList", "c10::Half", "c10::Half", "Scalar"])"},
             1024, 640);
  ExpectCost({"aten::_softmax", "[[4, 32], [], []]", R"(["float", "Scalar", "Scalar"])"}, 640, 1024);
  // dY, Y read, dX written: 3 * 128 * 4.
  ExpectCost({"aten::_log_softmax_backward_data", "[[4, 32], [4, 32], [], []]", R"(["float", "float", "Scalar", "Scalar"])"},
             512, 1536);
  // Input and residual both read and written, weight read: (2*128*2 + 32) * 2.
  ExpectCost(
      {"_C::fused_add_rms_norm", "[[4, 32], [4, 32], [32], []]", R"(["c10::Half", "c10::Half", "c10::Half", "Scalar"])"},
      896, 1088);
}

TEST(OpCostTest, CopiesAndLookups) {
  ExpectCost({"aten::copy_", "[[32], [32], []]", R"(["float", "c10::Half", "Scalar"])"}, 0, 192);  // 32*4 + 32*2
  ExpectCost({"aten::fill_", "[[32], []]", R"(["float", "Scalar"])"}, 0, 128);
  // A list's type stands in the kernel's name: 2 * (32 + 16) * 2.
  ExpectCost({"aten::cat", "[[[2, 16], [1, 16]], []]", R"(["TensorList", "Scalar"])", {.element = ElementType::kFp16}}, 0,
             192);
  EXPECT_FALSE(Answer({"aten::cat", "[[[2, 16], [1, 16]], []]", R"(["TensorList", "Scalar"])"}).cost.has_value());
  // Six rows of 8 read and written, six indices: 2 * 48 * 2 + 48.
  ExpectCost(
      {"aten::embedding", "[[100, 8], [2, 3], [], [], []]", R"(["c10::Half", "long int", "Scalar", "Scalar", "Scalar"])"}, 0,
      240);
  ExpectCost({"aten::index_select", "[[100, 8], [], [6]]", R"(["c10::Half", "Scalar", "long int"])"}, 0, 240);
  // Four indices into the rows: 4 * 8 elements read and written, 4 * 8 bytes of indices.
  ExpectCost({"aten::index", "[[100, 8], [[4]]]", R"(["c10::Half", "TensorList"])"}, 0, 160);
  EXPECT_FALSE(Answer({"aten::index", "[[4, 8], [[4, 8]]]", R"(["c10::Half", "TensorList"])"}).cost.has_value())
      << "maybe a mask";
  // One element of each of 4 rows and its label: 4 * (4 + 8).
  ExpectCost({"aten::nll_loss_forward", "[[4, 100], [4], [], [], []]", R"(["float", "long int", "", "Scalar", "Scalar"])"},
             0, 48);
}

TEST(OpCostTest, OptimizersOverLists) {
  // Two tensors of 32 and 8 elements: 40 in a list of 160 bytes.
  const std::string list = "[[4, 8], [8]]";
  ExpectCost({"aten::_foreach_mul_", "[" + list + ", []]", R"(["TensorList", "Scalar"])", {.element = ElementType::kFp32}},
             40, 320);
  ExpectCost({"aten::_foreach_addcdiv_",
              "[" + list + "," + list + "," + list + ", []]",
              R"(["TensorList", "TensorList", "TensorList", ""])",
              {.element = ElementType::kFp32}},
             40, 640);
  // Parameters, gradients and two states read, all but the gradients written; the steps are 2 numbers.
  ExpectCost({"aten::_fused_adamw_",
              "[" + list + "," + list + "," + list + "," + list + ", [], [[], []]]",
              R"(["TensorList", "TensorList", "TensorList", "TensorList", "TensorList", "TensorList"])",
              {.element = ElementType::kFp32}},
             640, 1128);
  const CostAnswer left_out =
      Answer({"aten::_foreach_mul_", "[[], []]", R"(["TensorList", "Scalar"])", {.element = ElementType::kFp32}});
  EXPECT_EQ(left_out.reason, "the recorder leaves out lists of more than 30 tensors");
}

TEST(OpCostTest, InductorKernelsTouchEachOperandOnce) {
  ExpectCost({"triton_poi_fused_mul_silu_9", "[[1, 64], [64], []]", R"(["c10::Half", "c10::Half", "Scalar"])"}, 64, 256);
  EXPECT_FALSE(Answer({"triton_red_fused_add_embedding_0", "[[1, 64], [3200, 64]]", kHalf2}).cost.has_value());
}

TEST(KernelHintTest, NamesSayTypesAndMasks) {
  EXPECT_EQ(HintOf("void at::native::CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int, 4, 64, 64>()").element,
            ElementType::kFp16);
  EXPECT_EQ(HintOf("void multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalarFunctor<c10::BFloat16, 1, 1, 0> >()")
                .element,
            ElementType::kBf16);
  EXPECT_EQ(HintOf("nvjet_sm90_hsh_64x8").element, ElementType::kFp16);
  EXPECT_EQ(HintOf("nvjet_sm90_tst_64x8_64x16_4x1_v_bz_TNT").element, ElementType::kBf16);
  EXPECT_EQ(HintOf("my_kernel").element, ElementType::kUnknown);
  // The accumulator stands first in the reduction's name, and the result is not told.
  EXPECT_EQ(
      HintOf("void cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, true, false, false>()").element,
      ElementType::kUnknown);
  EXPECT_TRUE(HintOf("sm80_xmma_gemm_f32f32_tf32f32_f32").tf32);
  EXPECT_TRUE(HintOf("cutlass_80_tensorop_s1688gemm_64x64").tf32);
  EXPECT_FALSE(HintOf("turing_fp16_s1688gemm_fp16_128x128").tf32);
  EXPECT_FALSE(HintOf("turing_h1688gemm_128x128").tf32);
  const std::string forward =
      "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, "
      "cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, ";
  EXPECT_EQ(HintOf(forward + "true, false, false>(pytorch_flash::Flash_fwd_params)").causal, true);
  EXPECT_EQ(HintOf(forward + "false, false, true>(pytorch_flash::Flash_fwd_params)").causal, false);
  EXPECT_EQ(HintOf("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16").causal, std::nullopt);
}

}  // namespace
}  // namespace warpsight
