// Other fused attention kernels whose names are words.
//
//   fmha_cutlass{F|B}_TYPE_{aligned|notaligned}_QxK_[rf|gmem|kD]_smNN
//   fmhaSmNN[a|f]Kernel_QkvTYPEOTYPEHdim...{Causal|Dense|...}P..VarSeqQqKvk...
//
// The first is the memory-efficient attention of xFormers and PyTorch: F = forward, B = backward, kD = largest head
// dimension. The second is TensorRT-LLM's generated attention: types, head dimension, mask, tile.
//
// Source: xFormers csrc/attention/cuda/fmha/generate_kernels.py; FlashInfer's and TensorRT-LLM's lists of those kernels.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeMemoryEfficient(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  if (words.size() < 5 || words[0] != "fmha" || (words[1] != "cutlassF" && words[1] != "cutlassB")) return false;
  decoded.library = "xFormers";
  decoded.title = "mem-efficient";
  decoded.direction = words[1] == "cutlassF" ? PassDirection::kForward : PassDirection::kBackward;
  decoded.a_type = decoded.b_type = ValueTypes::Embedded().OfWord(words[2]);
  for (const std::string_view word : words) {
    if (word.starts_with("sm") && ParseNumber(word.substr(2))) decoded.architecture = word;
    if (const auto extent = ParseExtent(word); extent) decoded.tile = *extent;
    if (word.starts_with('k') && ParseNumber(word.substr(1))) decoded.modifiers.emplace_back(word);
  }
  // The sm50 kernels multiply without tensor cores; how f32 is multiplied the name does not say.
  decoded.math_type = decoded.a_type == "f32" ? std::string() : decoded.a_type;
  if (decoded.architecture == "sm50") {
    decoded.tensor_cores = TensorCoreUse::kNotUsed;
  } else if (!decoded.math_type.empty()) {
    decoded.tensor_cores = TensorCoreUse::kUsed;
  }
  return true;
}

// Number after the first `key` that is followed by a digit, 0 without one.
int32_t NumberAfter(std::string_view text, std::string_view key) {
  for (size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::string_view rest = text.substr(at + key.size());
    if (const auto number = ParseNumber(rest.substr(0, rest.find_first_not_of("0123456789"))); number) return *number;
  }
  return 0;
}

// "QkvE4m3OBfloat16H64..." -> E4m3, Bfloat16.
void ReadGeneratedTypes(std::string_view text, DecodedKernelName& decoded) {
  const std::optional<std::string_view> rest = AfterPrefix(text, "Qkv");
  if (!rest) return;
  for (const std::string_view type : {"E4m3", "Bfloat16", "Fp16", "E2m1"}) {
    if (!rest->starts_with(type)) continue;
    decoded.a_type = decoded.b_type = ValueTypes::Embedded().OfWord(type);
    const std::string_view output = rest->substr(type.size());
    for (const std::string_view out : {"E4m3", "Bfloat16", "Fp16", "E2m1"}) {
      if (output.starts_with("O" + std::string(out))) decoded.output_type = ValueTypes::Embedded().OfWord(out);
    }
  }
}

bool DecodeGenerated(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::string_view text = name.base();
  const size_t underscore = text.find("Kernel_Qkv");
  if (!text.starts_with("fmhaSm") || underscore == std::string_view::npos) return false;
  decoded.library = "TensorRT-LLM";
  decoded.title = "trtllm fmha";
  decoded.architecture = "sm" + std::string(text.substr(6, underscore - 6));
  const std::string_view rest = text.substr(underscore + 7);
  ReadGeneratedTypes(rest, decoded);
  decoded.tensor_cores = TensorCoreUse::kUsed;
  decoded.math_type = decoded.a_type;
  decoded.head_dim = NumberAfter(rest, "H");
  const int32_t q_rows = NumberAfter(rest, "SeqQ");
  if (q_rows != 0) decoded.tile = {q_rows, NumberAfter(rest, "Kv"), 0};
  if (Contains(rest, "Causal")) decoded.causal = true;
  if (Contains(rest, "Dense")) decoded.causal = false;
  decoded.direction = PassDirection::kForward;  // the set has no backward kernels
  return true;
}

bool DecodeFmha(const KernelNameText& name, DecodedKernelName& decoded) {
  decoded.kind = "attention";
  return DecodeMemoryEfficient(name, decoded) || DecodeGenerated(name, decoded);
}

}  // namespace

extern const KernelNameGrammar kFmhaGrammar = {"fmha", "fmha_cutlassF_f16_aligned_64x64_rf_sm80", "xFormers, TensorRT-LLM",
                                               DecodeFmha};

}  // namespace warpsight
