// nvjet: the GEMMs of cuBLASLt since CUDA 12, for Hopper and later.
//
//   nvjet[_smNN]_TYPES_MxN_KxSTAGES_CLUSTER[_2cta]_{h|v}_{bz|badd}[_coopA|_coopB][_splitK][_bias...]_LAYOUT
//   nvjet_smNN_TYPES_mma_MxNxK_STAGES_WARPTILE_...[_splitK]_LAYOUT          (consumer Blackwell)
//
// TYPES: three letters are operands, accumulator, result ("hsh"); five are A, B, C, accumulator, result ("qqtst").
// LAYOUT: operand A, operand B, then the result, T = transposed. Tile and layout are from the kernel's point of view:
// cuBLASLt may compute the transposed product. h/v, bz, coopA/B, 2cta are kept as modifiers.
//
// Source: no public grammar exists; read off names in public profiles, with types, shapes and transposition known from the
// operators that launched them (aten::mm, aten::addmm, _scaled_mm).
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"
#include "analysis/kernel_name/word_grammar.h"

namespace warpsight {
namespace {

bool ReadTypes(std::string_view letters, DecodedKernelName& decoded) {
  if (letters.size() != 3 && letters.size() != 5) return false;
  std::vector<std::string> types;
  for (const char letter : letters) {
    types.push_back(ValueTypes::Embedded().OfNvjet(letter));
    if (types.back().empty()) return false;
  }
  decoded.a_type = types[0];
  decoded.b_type = letters.size() == 3 ? types[0] : types[1];
  decoded.accumulate_type = types[types.size() - 2];
  decoded.output_type = types.back();
  // Narrow types are multiplied as they are; how f32 is (as tf32, or in parts) the name does not say.
  if (decoded.a_type != "f32" && decoded.a_type != "f64") {
    if (decoded.a_type == decoded.b_type) decoded.math_type = decoded.a_type;
    decoded.tensor_cores = TensorCoreUse::kUsed;
  }
  return true;
}

// Extents come in a fixed order: tile, K x stages, cluster.
bool ReadExtent(std::string_view word, int& extents, DecodedKernelName& decoded) {
  const std::optional<KernelExtent> extent = ParseExtent(word);
  if (!extent) return false;
  const bool whole_tile = extents == 0 && extent->k != 0;
  if (extents == 0) {
    decoded.tile = *extent;
  } else if (extents == 1) {
    decoded.tile.k = extent->m;
    decoded.stages = extent->n;
  } else if (extents == 2) {
    decoded.cluster = {extent->m, extent->n, 1};
  } else {
    return false;
  }
  extents = whole_tile ? 3 : extents + 1;
  return true;
}

bool DecodeNvjet(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.text());
  if (words[0] != "nvjet" || words.size() < 3) return false;
  decoded.library = "cuBLASLt";
  decoded.kind = "gemm";
  decoded.title = "nvjet";
  size_t at = 1;
  if (words[at].starts_with("sm")) decoded.architecture = words[at++];
  if (at < words.size() && ReadTypes(words[at], decoded)) ++at;
  int extents = 0;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (ReadExtent(word, extents, decoded) || ReadOptionWord(word, decoded)) continue;
    if (at + 1 == words.size() && AllOf(word, "TN") && ReadLayout(word, decoded)) continue;
    if (word == "mma") {
      decoded.instruction = word;
    } else if (const auto stages = ParseNumber(word); stages && extents == 3 && decoded.stages == 0) {
      decoded.stages = *stages;
    } else if (!word.empty()) {
      decoded.modifiers.emplace_back(word);
    }
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kNvjetGrammar = {"nvjet", "nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT",
                                                "read off names in public profiles", DecodeNvjet};

}  // namespace warpsight
