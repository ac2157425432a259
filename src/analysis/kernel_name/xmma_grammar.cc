// xmma: GEMMs and convolutions that cuBLAS, cuDNN and TensorRT share.
//
//   smNN_xmma_OPERATION_{OPERAND}{RESULT}_{MATH}{ACCUMULATOR}_EPILOGUE_LAYOUT_tilesizeMxNxK[_stageS]
//       _{warpsize|warpgroupsize}AxBxC[_gG][_tensorMxNxK|_ffma][_alignaN][_aligncN]_execute_..._kernel_{5x_cublas|cudnn|trt}
//
// So f32f32_tf32f32_f32 is f32 data multiplied as tf32, i8f32_i8i32_f32 is i8 operands with an f32 result, and
// e4m3bf16_e4m3f32_f32 fp8 operands with a bf16 result. tensorMxNxK: tensor-core instruction; ffma: none; warpgroupsize:
// warpgroup instructions (wgmma).
//
// Source: names in public profiles, with types known from the operators that launched them.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"
#include "analysis/kernel_name/word_grammar.h"

namespace warpsight {
namespace {

// The three type groups, when they start at `at`.
bool ReadTypes(const std::vector<std::string_view>& words, size_t at, DecodedKernelName& decoded) {
  if (at + 2 >= words.size()) return false;
  const ValueTypes& types = ValueTypes::Embedded();
  const std::vector<std::string> memory = types.OfWordRun(words[at]);
  const std::vector<std::string> arithmetic = types.OfWordRun(words[at + 1]);
  if (memory.size() != 2 || arithmetic.size() != 2 || types.OfWordRun(words[at + 2]).size() != 1) return false;
  decoded.a_type = decoded.b_type = memory[0];
  decoded.output_type = memory[1];
  decoded.math_type = arithmetic[0];
  decoded.accumulate_type = arithmetic[1];
  return true;
}

void ReadLibrary(std::string_view last, DecodedKernelName& decoded) {
  if (last == "cublas") decoded.library = "cuBLAS";
  if (last == "cudnn") decoded.library = "cuDNN";
  if (last == "trt") decoded.library = "TensorRT";
}

void ReadXmmaWord(std::string_view word, DecodedKernelName& decoded) {
  if (ReadOptionWord(word, decoded)) return;
  if (const auto tile = AfterPrefix(word, "tilesize"); tile && ParseExtent(*tile)) {
    decoded.tile = *ParseExtent(*tile);
  } else if (const auto stages = AfterPrefix(word, "stage"); stages && ParseNumber(*stages)) {
    decoded.stages = *ParseNumber(*stages);
  } else if (const auto tensor = AfterPrefix(word, "tensor"); tensor && ParseExtent(*tensor)) {
    decoded.instruction = "mma";
    decoded.instruction_shape = *ParseExtent(*tensor);
    decoded.tensor_cores = TensorCoreUse::kUsed;
  } else if (word == "ffma") {
    decoded.tensor_cores = TensorCoreUse::kNotUsed;
  } else if (word.starts_with("warpgroupsize")) {
    decoded.instruction = "wgmma";
    decoded.tensor_cores = TensorCoreUse::kUsed;
  } else if (const auto align = AfterPrefix(word, "aligna"); align && ParseNumber(*align)) {
    decoded.vector_width = *ParseNumber(*align);
  } else if (word == "gemm" && decoded.kind.empty()) {
    decoded.kind = "gemm";
  } else if (word == "pooling") {
    decoded.kind = "reduction";
    decoded.ops.emplace_back("pooling");
  } else if (word == "nhwc" && decoded.layout.empty()) {
    decoded.layout = word;
  }
}

bool DecodeXmma(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  if (words.size() < 4 || !words[0].starts_with("sm") || words[1] != "xmma") return false;
  decoded.architecture = words[0];
  decoded.title = "xmma";
  ReadLibrary(words.back(), decoded);
  bool typed = false;
  for (size_t at = 2; at < words.size(); ++at) {
    if (!typed && ReadTypes(words, at, decoded)) {
      typed = true;
      if (at + 3 < words.size() && words[at + 3].size() == 2) ReadLayout(words[at + 3], decoded);
      at += 2;
    } else if (words[at] == "split" && at + 1 < words.size() && words[at + 1] == "k") {
      decoded.split_k = "slices";
    } else {
      ReadXmmaWord(words[at], decoded);
    }
  }
  if (decoded.direction != PassDirection::kNotTold) decoded.kind = "convolution";
  return true;
}

}  // namespace

extern const KernelNameGrammar kXmmaGrammar = {
    "xmma",
    "sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x32_stage3_warpsize2x2x1_tensor16x8x8_execute_kernel__5x_cublas",
    "names in public profiles", DecodeXmma};

}  // namespace warpsight
