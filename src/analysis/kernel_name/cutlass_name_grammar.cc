// CUTLASS kernels by their procedural name, as CUTLASS's own library and cuBLAS, cuDNN, PyTorch and TensorRT use it.
//
//   cutlass[_CC]_{tensorop|wmma_tensorop|simt}_[RESULT_]CORE[_relu][_OPERANDS]_MxN_KxSTAGES_LAYOUT_alignW
//   cutlass3x_smNN_tensorop_[sMxNxK]gemm_A_B_ACC_C_D_MxNxK_CLUSTER_STAGES_LAYOUT_alignW_SCHEDULE...
//
// CORE: see word_grammar.h. Without RESULT the result has the accumulator's type, without OPERANDS the operands have. f32
// operands on tensor cores are multiplied as tf32. STAGES 0 means that the builder chose them. LAYOUT: t = row major, n =
// column major.
//
// Source: CUTLASS python/cutlass_library/gemm_operation.py (procedural_name, extended_name) and docs/profiler.md.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"
#include "analysis/kernel_name/word_grammar.h"

namespace warpsight {
namespace {

// The identifier that starts with "cutlass" and a digit, "_" or "3x": the argument of cutlass::Kernel<...> or the name
// itself.
std::string_view ProceduralName(const KernelNameText& name) {
  const auto is_procedural = [](std::string_view text) {
    return (text.starts_with("cutlass_") || text.starts_with("cutlass3x_")) &&
           (Contains(text, "tensorop_") || Contains(text, "_simt_"));
  };
  if (is_procedural(name.base())) return name.base();
  if (name.arguments().size() == 1 && is_procedural(name.arguments()[0])) return name.arguments()[0];
  return {};
}

void ReadRest(const std::vector<std::string_view>& words, size_t at, DecodedKernelName& decoded) {
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "stream" && at + 1 < words.size() && words[at + 1] == "k") {
      decoded.split_k = "stream-k";
      ++at;
    } else if (!ReadOptionWord(word, decoded) && !word.empty()) {
      decoded.modifiers.emplace_back(word);
    }
  }
}

bool DecodeName2(const std::vector<std::string_view>& words, DecodedKernelName& decoded) {
  const ValueTypes& types = ValueTypes::Embedded();
  size_t at = 1;
  if (at < words.size() && ParseNumber(words[at])) decoded.architecture = "sm" + std::string(words[at++]);
  const bool wmma = at < words.size() && words[at] == "wmma";
  if (wmma) ++at;
  const bool tensor = at < words.size() && words[at] == "tensorop";
  if (!tensor && (at >= words.size() || words[at] != "simt")) return false;
  ++at;
  std::string result;
  if (at < words.size()) result = types.OfWord(words[at]);
  if (!result.empty()) ++at;
  if (at >= words.size() || !ReadCoreWord(words[at++], decoded)) return false;
  if (tensor) decoded.instruction = wmma ? "wmma" : "mma";
  std::string operands;
  size_t rest = at;
  for (; rest < words.size() && !ParseExtent(words[rest]); ++rest) {
    const std::string type = types.OfWord(words[rest]);
    if (!type.empty() && operands.empty()) {
      operands = type;
    } else if (!ReadOptionWord(words[rest], decoded)) {
      decoded.modifiers.emplace_back(words[rest]);
    }
  }
  decoded.a_type = decoded.b_type = operands.empty() ? decoded.accumulate_type : operands;
  decoded.output_type = result.empty() ? decoded.accumulate_type : result;
  if (decoded.math_type.empty()) decoded.math_type = tensor && decoded.a_type == "f32" ? "tf32" : decoded.a_type;
  if (rest < words.size()) decoded.tile = *ParseExtent(words[rest++]);
  if (rest < words.size()) {
    if (const auto extent = ParseExtent(words[rest]); extent) {
      decoded.tile.k = extent->m;
      decoded.stages = extent->n;
      ++rest;
    }
  }
  if (rest < words.size() && (ReadLayout(words[rest], decoded) || words[rest] == "nhwc")) {
    if (decoded.layout.empty()) decoded.layout = words[rest];
    ++rest;
  }
  ReadRest(words, rest, decoded);
  return true;
}

bool DecodeName3(const std::vector<std::string_view>& words, DecodedKernelName& decoded) {
  const ValueTypes& types = ValueTypes::Embedded();
  if (words.size() < 10 || !words[1].starts_with("sm")) return false;
  decoded.architecture = words[1];
  decoded.kind = "gemm";
  if (words[2] != "simt") decoded.tensor_cores = TensorCoreUse::kUsed;
  size_t at = 3;
  while (at < words.size() && !words[at].ends_with("gemm")) ++at;
  if (at + 6 >= words.size()) return false;
  const std::string_view core = WithoutSuffix(words[at++], "gemm");
  if (core.size() > 1) {
    if (const auto shape = ParseExtent(core.substr(1)); shape) decoded.instruction_shape = *shape;
  }
  decoded.a_type = types.OfWord(words[at]);
  decoded.b_type = types.OfWord(words[at + 1]);
  decoded.accumulate_type = types.OfWord(words[at + 2]);
  decoded.output_type = types.OfWord(words[at + 4]);
  if (decoded.a_type == decoded.b_type) decoded.math_type = decoded.a_type;
  at += 5;
  if (at < words.size() && ParseExtent(words[at])) decoded.tile = *ParseExtent(words[at++]);
  if (at < words.size() && ParseExtent(words[at])) decoded.cluster = *ParseExtent(words[at++]);
  if (at < words.size() && ParseNumber(words[at])) decoded.stages = *ParseNumber(words[at++]);
  if (at < words.size() && ReadLayout(words[at], decoded)) ++at;
  ReadRest(words, at, decoded);
  return true;
}

bool DecodeCutlassName(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::string_view procedural = ProceduralName(name);
  if (procedural.empty()) return false;
  const std::vector<std::string_view> words = SplitWords(procedural);
  const bool version3 = words[0] == "cutlass3x";
  decoded.library = version3 ? "CUTLASS 3" : "CUTLASS 2";
  if (name.text().starts_with("cutlass__5x_cudnn::")) decoded.library = "cuDNN";
  if (name.text().starts_with("cutlass__5x_cublas::")) decoded.library = "cuBLAS";
  decoded.title = "cutlass";
  return version3 ? DecodeName3(words, decoded) : DecodeName2(words, decoded);
}

}  // namespace

extern const KernelNameGrammar kCutlassNameGrammar = {"cutlass name",
                                                      "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8",
                                                      "CUTLASS python/cutlass_library, docs/profiler.md", DecodeCutlassName};

}  // namespace warpsight
