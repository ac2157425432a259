// DeepGEMM.
//
//   deep_gemm::smNN_fp8_gemm_1d2d_impl<major, M, N, K of the problem (0 = not fixed), groups, M, N, K of the tile,
//       swizzles A, B, D, stages, ...>
//
// Other functions tell architecture and type only.
//
// Source: deepseek-ai/DeepGEMM deep_gemm/include/deep_gemm/impls.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeDeepGemm(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!name.function().starts_with("deep_gemm::") || !Contains(name.base(), "gemm")) return false;
  decoded.library = "DeepGEMM";
  decoded.kind = "gemm";
  decoded.title = "deep_gemm";
  for (const std::string_view word : SplitWords(name.base())) {
    if (word.starts_with("sm")) decoded.architecture = word;
    const std::string type =
        word == "fp8" ? "e4m3" : ValueTypes::Embedded().OfWord(word);  // the only fp8 that it multiplies
    if (type.empty()) continue;
    decoded.math_type = type;
    if (type != "tf32") decoded.a_type = decoded.b_type = type;
    decoded.tensor_cores = TensorCoreUse::kUsed;
  }
  const std::vector<std::string_view>& arguments = name.arguments();
  if (Contains(name.base(), "gemm_1d2d_impl") && arguments.size() > 11) {
    decoded.tile = {IntegerArgument(arguments[5]).value_or(0), IntegerArgument(arguments[6]).value_or(0),
                    IntegerArgument(arguments[7]).value_or(0)};
    decoded.stages = IntegerArgument(arguments[11]).value_or(0);
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kDeepGemmGrammar = {"deep_gemm", "deep_gemm::sm90_fp8_gemm_1d2d_impl<...>",
                                                   "deepseek-ai/DeepGEMM sources", DecodeDeepGemm};

}  // namespace warpsight
