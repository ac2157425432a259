// TensorRT-LLM's generated batched GEMMs (also run by FlashInfer, vLLM and SGLang for mixture of experts).
//
//   bmm_RESULT_AB_ACC_tMxNxKuU_sS_etMxN_mMxNxK_cgaXxYxZ_..._{TN|...}_OPTIONS..._smNN[a|f]
//
// "MxE2m1" is a type with a scale a block (microscaling), so "MxE2m1MxE4m3" are A and B; one type alone is both.
// t: tile, s: stages, m: instruction. Options read: swiGlu, biasM.
//
// Source: names in FlashInfer's and TensorRT-LLM's lists of those kernels.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

void ReadOperands(std::string_view word, DecodedKernelName& decoded) {
  const std::vector<std::string> types = ValueTypes::Embedded().OfWordRun(LowerCase(word));
  if (types.empty() || types.size() > 2) return;
  decoded.a_type = types[0];
  decoded.b_type = types.back();
  if (types.size() == 1) decoded.math_type = types[0];
}

void ReadTrtllmGenWord(std::string_view word, DecodedKernelName& decoded) {
  const std::string_view rest = word.empty() ? word : word.substr(1);
  if (word.starts_with('t') && !decoded.tile.told()) {
    if (const auto tile = ParseExtent(rest.substr(0, rest.find('u'))); tile) decoded.tile = *tile;
  } else if (word.starts_with("sm")) {
    decoded.architecture = word;
  } else if (word.starts_with('s') && ParseNumber(rest)) {
    decoded.stages = *ParseNumber(rest);
  } else if (word.starts_with('m') && ParseExtent(rest)) {
    decoded.instruction_shape = *ParseExtent(rest);
    decoded.tensor_cores = TensorCoreUse::kUsed;
  } else if (const auto cluster = AfterPrefix(word, "cga"); cluster && ParseExtent(*cluster)) {
    decoded.cluster = *ParseExtent(*cluster);
  } else if (word == "swiGlu") {
    decoded.epilogue.emplace_back("swiglu");
  } else if (word.starts_with("bias")) {
    decoded.epilogue.emplace_back("bias");
  } else if (AllOf(word, "TN")) {
    ReadLayout(word, decoded);
  }
}

bool DecodeTrtllmGen(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  if (words.size() < 6 || (words[0] != "bmm" && words[0] != "gemm") || !words[4].starts_with('t')) return false;
  const ValueTypes& types = ValueTypes::Embedded();
  decoded.output_type = types.OfWord(words[1]);
  decoded.accumulate_type = types.OfWord(words[3]);
  if (decoded.output_type.empty() || decoded.accumulate_type.empty()) return false;
  decoded.library = "TensorRT-LLM";
  decoded.kind = "gemm";
  decoded.title = "trtllm " + std::string(words[0]);
  ReadOperands(words[2], decoded);
  for (size_t at = 4; at < words.size(); ++at) ReadTrtllmGenWord(words[at], decoded);
  return true;
}

}  // namespace

extern const KernelNameGrammar kTrtllmGenGrammar = {
    "trtllm-gen", "bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32_cga1x1x1_..._sm100f",
    "lists of generated kernels in FlashInfer and TensorRT-LLM", DecodeTrtllmGen};

}  // namespace warpsight
