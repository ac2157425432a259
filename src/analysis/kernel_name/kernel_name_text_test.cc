#include "analysis/kernel_name/kernel_name_text.h"

#include <gtest/gtest.h>

#include "analysis/kernel_name/op_names.h"
#include "analysis/kernel_name/value_types.h"
#include "analysis/kernel_name/word_grammar.h"

namespace warpsight {
namespace {

using Views = std::vector<std::string_view>;

TEST(KernelNameTextTest, FunctionAndArguments) {
  const KernelNameText gnu("void at::native::(anonymous namespace)::cat<float, Opaque<2u, 3>, 4>(float*, int) [clone .kd]");
  EXPECT_EQ(gnu.function(), "at::native::(anonymous namespace)::cat");
  EXPECT_EQ(gnu.base(), "cat");
  EXPECT_EQ(gnu.arguments(), (Views{"float", "Opaque<2u, 3>", "4"}));

  const KernelNameText returns("std::enable_if<(((8)>(0)))&&vllm::exists, void>::type vllm::norm<c10::BFloat16, 8>(int)");
  EXPECT_EQ(returns.function(), "vllm::norm");
  EXPECT_EQ(returns.arguments(), (Views{"c10::BFloat16", "8"}));

  const KernelNameText plain("nvjet_tst_64x8.kd");
  EXPECT_EQ(plain.function(), "nvjet_tst_64x8");
  EXPECT_TRUE(plain.arguments().empty());
}

TEST(KernelNameTextTest, UnbalancedBracketsEndTheArguments) {
  EXPECT_EQ(KernelNameText("f<a, b").arguments(), (Views{"a", "b"}));
  EXPECT_EQ(KernelNameText("f<a>>b").base(), "f");
  EXPECT_EQ(SplitArguments("a, b), c"), (Views{"a", "b"}));
  EXPECT_EQ(TemplateArguments("x::traits<1, y<2, 3>> z", "traits"), (Views{"1", "y<2, 3>"}));
  EXPECT_TRUE(TemplateArguments("my_traits<1>", "traits").empty());
}

TEST(KernelNameTextTest, ConstantsOfEveryDemangler) {
  for (const std::string_view eight :
       {"8", "8u", "8ul", "(int)8", "(unsigned int)8", "cute::C<8>", "cute::C<(int)8>", "std::integral_constant<int, 8>"}) {
    EXPECT_EQ(IntegerArgument(eight), 8) << eight;
  }
  for (const std::string_view none : {"", "x8", "8.5", "-8", "123456789", "float"})
    EXPECT_FALSE(IntegerArgument(none)) << none;
  EXPECT_EQ(BoolArgument("(bool)1"), true);
  EXPECT_EQ(BoolArgument("false"), false);
  EXPECT_EQ(BoolArgument("0"), false);
  EXPECT_FALSE(BoolArgument("2").has_value());
}

TEST(KernelNameTextTest, Extents) {
  EXPECT_EQ(ParseExtent("64x8"), (KernelExtent{64, 8, 0}));
  EXPECT_EQ(ParseExtent("64x8x16"), (KernelExtent{64, 8, 16}));
  for (const std::string_view none : {"64", "64x", "x8", "64x8x16x2", "0x8", "64x8u"})
    EXPECT_FALSE(ParseExtent(none)) << none;
  EXPECT_EQ(TupleArgument("cute::tuple<cute::C<128>, cute::C<64>, cute::C<32> >"), (KernelExtent{128, 64, 32}));
}

TEST(ValueTypesTest, Spellings) {
  const ValueTypes& types = ValueTypes::Embedded();
  EXPECT_EQ(types.OfCpp("c10::Half const*"), "f16");
  EXPECT_EQ(types.OfCpp("const __nv_bfloat16 &"), "bf16");
  EXPECT_EQ(types.OfCpp("c10::complex<float>"), "c64");
  EXPECT_EQ(types.OfCpp("std::array<float, 2>"), "");
  EXPECT_EQ(types.OfWord("E4m3"), "e4m3");
  EXPECT_EQ(types.OfWordRun("bf16f32"), (std::vector<std::string>{"bf16", "f32"}));
  EXPECT_EQ(types.OfTensile("F8B8BS"), (std::vector<std::string>{"e4m3", "e5m2", "bf16", "f32"}));
  EXPECT_TRUE(types.OfTensile("BBQ").empty());
  EXPECT_EQ(types.OfNvjet('t'), "bf16");
}

TEST(OpNamesTest, TheLongestKnownNameIsTaken) {
  const OpNames& names = OpNames::Embedded();
  const auto split = [&](std::string_view text) { return names.Split(text); };
  EXPECT_EQ(split("add_mul_silu"), (std::vector<std::string>{"add", "mul", "silu"}));
  EXPECT_EQ(split("_to_copy__unsafe_view_add"), (std::vector<std::string>{"_to_copy", "_unsafe_view", "add"}));
  EXPECT_EQ(split("native_layer_norm_native_layer_norm_backward"),
            (std::vector<std::string>{"native_layer_norm", "native_layer_norm_backward"}));
  EXPECT_EQ(split(""), std::vector<std::string>());
  EXPECT_EQ(split("___"), std::vector<std::string>());
}

TEST(WordGrammarTest, CoreWords) {
  DecodedKernelName decoded;
  EXPECT_TRUE(ReadCoreWord("s1688tf32gemm", decoded));
  EXPECT_EQ(decoded.math_type, "tf32");
  EXPECT_EQ(decoded.instruction_shape, (KernelExtent{16, 8, 8}));
  EXPECT_TRUE(ReadCoreWord("sgemm", decoded));
  EXPECT_EQ(decoded.tensor_cores, TensorCoreUse::kNotUsed);
  for (const std::string_view none : {"gemm", "xgemm", "s123gemm", "s16816", "h100gemm", "s1688foogemm"}) {
    EXPECT_FALSE(ReadCoreWord(none, decoded)) << none;
  }
}

}  // namespace
}  // namespace warpsight
