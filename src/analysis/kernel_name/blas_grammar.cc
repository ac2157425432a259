// GEMMs and convolutions of cuBLAS, cuDNN and TensorRT for Maxwell to Ampere.
//
//   [_5x_][cudnn_|cudnn_infer_|cudnn_train_|trt_]ARCH_[RESULT_]CORE[_OPERANDS]_MxN
//       [_slicedAxB][_ldgW][_relu][_f2f][_stages_KxS]_LAYOUT[_vN]
//
// ARCH: maxwell, pascal, volta, turing, ampere. CORE: see word_grammar.h; without an instruction shape (sgemm, scudnn) the
// kernel multiplies on the ordinary units. RESULT and OPERANDS: fp16, bf16, int8, ... as in CUTLASS. ldgW: elements of one
// global load. stages_KxS: K of the tile and the number of pipeline stages.
//
// Source: the naming rule of CUTLASS (python/cutlass_library), which these libraries share; names in public profiles.
#include <algorithm>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"
#include "analysis/kernel_name/word_grammar.h"

namespace warpsight {
namespace {

constexpr std::string_view kArchitectures[] = {"kepler", "maxwell", "pascal", "volta", "turing", "ampere", "hopper"};

void ReadTypes(std::string_view result, std::string_view operands, DecodedKernelName& decoded) {
  const ValueTypes& types = ValueTypes::Embedded();
  const bool simt = decoded.tensor_cores == TensorCoreUse::kNotUsed;
  std::string operand = types.OfWord(operands);
  // An h, d, c or z kernel has one type throughout; of s and i kernels on tensor cores the letter is the accumulator's
  // alone.
  const bool one_type = decoded.accumulate_type != "i32" && (simt || decoded.accumulate_type != "f32");
  if (operand.empty() && one_type) operand = decoded.accumulate_type;
  if (operand.empty() && decoded.math_type == "tf32") operand = "f32";
  decoded.a_type = decoded.b_type = operand;
  if (decoded.math_type.empty()) decoded.math_type = operand;
  decoded.output_type = types.OfWord(result);
  if (decoded.output_type.empty() && one_type) decoded.output_type = decoded.accumulate_type;
}

bool DecodeBlas(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(AfterPrefix(name.base(), "_5x_").value_or(name.base()));
  size_t at = 0;
  decoded.library = "cuBLAS";
  decoded.title = "cublas";
  if (words[0] == "cudnn" || words[0] == "trt") {
    decoded.library = words[0] == "trt" ? "TensorRT" : "cuDNN";
    decoded.title = words[0];
    at = words.size() > 1 && (words[1] == "infer" || words[1] == "train") ? 2 : 1;
  }
  if (at >= words.size() || std::ranges::find(kArchitectures, words[at]) == std::end(kArchitectures)) return false;
  decoded.architecture = words[at++];
  std::string_view result;
  std::string_view operands;
  if (at < words.size() && !ValueTypes::Embedded().OfWord(words[at]).empty()) result = words[at++];
  if (at >= words.size() || !ReadCoreWord(words[at], decoded)) return false;
  if (decoded.kind == "convolution" && decoded.library == "cuBLAS") {
    decoded.library = "cuDNN";
    decoded.title = "cudnn";
  }
  if (++at < words.size() && !ValueTypes::Embedded().OfWord(words[at]).empty()) operands = words[at++];
  ReadTypes(result, operands, decoded);
  bool loads_differ = false;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (ReadOptionWord(word, decoded) || (word.size() == 2 && ReadLayout(word, decoded))) continue;
    const std::optional<KernelExtent> extent = ParseExtent(word);
    if (extent && !decoded.tile.told()) {
      decoded.tile = *extent;
    } else if (extent && words[at - 1] == "stages") {
      decoded.tile.k = extent->m;
      decoded.stages = extent->n;
    } else if (const auto load = AfterPrefix(word, "ldg"); load && ParseNumber(*load)) {
      loads_differ |= decoded.vector_width != 0 && decoded.vector_width != *ParseNumber(*load);
      decoded.vector_width = *ParseNumber(*load);
    } else if (word == "winograd") {
      decoded.ops.emplace_back(word);
    } else if (!word.empty() && word != "stages") {
      decoded.modifiers.emplace_back(word);
    }
  }
  if (loads_differ) decoded.vector_width = 0;
  return true;
}

}  // namespace

extern const KernelNameGrammar kBlasGrammar = {"blas", "ampere_fp16_s16816gemm_fp16_128x256_ldg8_f2f_stages_64x3_nn",
                                               "CUTLASS naming rule, names in public profiles", DecodeBlas};

}  // namespace warpsight
