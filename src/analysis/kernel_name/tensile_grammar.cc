// Tensile: the GEMMs of rocBLAS and hipBLASLt.
//
//   Cijk_A{ilk|lik}_B{ljk|jlk}_TYPES[_B][_BH]..._MTMxNxK_MI..._ISANNN_...
//
// Index letters: i and j are the rows and columns of the result, l is summed. The first letter is the contiguous one, so
// Ailk is A not transposed, Alik transposed, Bljk B not transposed, Bjlk transposed.
// TYPES: operands, result, arithmetic ("BBS"); one letter stands for all, four letters are A, B, result, arithmetic.
// MT: macro tile. MI: matrix instruction (MFMA on gfx9, WMMA on gfx11 and gfx12) M x N x K x blocks, or M x N x blocks where
// K is left out; a TT (thread tile) without MI means that no matrix core is used. GSUn: K split over n work groups; SK1 and
// more: stream-K. GRVWA / GLVWA: elements of one global load of A. ISA942 = gfx942.
//
// Source: ROCm/Tensile Common.py, SolutionStructs.py (getNameFull), KernelWriter conventions; hipBLASLt tensilelite.
#include <algorithm>
#include <utility>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool ReadIndices(std::string_view a, std::string_view b, DecodedKernelName& decoded) {
  // A fourth letter is the batch index.
  if (!a.starts_with('A') || !b.starts_with('B')) return false;
  const std::string_view a_order = a.substr(1, 2);
  const std::string_view b_order = b.substr(1, 2);
  if ((a_order != "il" && a_order != "li") || (b_order != "lj" && b_order != "jl")) return false;
  return ReadLayout(std::string{a_order == "il" ? 'n' : 't', b_order == "lj" ? 'n' : 't'}, decoded);
}

void SetTypes(std::vector<std::string> types, DecodedKernelName& decoded) {
  if (types.size() == 3) types.insert(types.begin(), types[0]);
  decoded.a_type = types[0];
  decoded.b_type = types.size() == 1 ? types[0] : types[1];
  decoded.output_type = types.size() == 1 ? types[0] : types[2];
  decoded.accumulate_type = types.back();
  if (decoded.a_type == decoded.b_type) decoded.math_type = decoded.a_type;
}

// Types at words[3]: "BBS", "F8B8BS" with two operand types, "S" or "SB" (a B there means batched), or split as "B_BS".
void ReadTypes(const std::vector<std::string_view>& words, DecodedKernelName& decoded) {
  const ValueTypes& table = ValueTypes::Embedded();
  std::string_view letters = words[3];
  if (letters.size() == 2 && letters[1] == 'B') letters.remove_suffix(1);
  std::vector<std::string> types = table.OfTensile(letters);
  if (types.size() == 1 && words.size() > 4) {
    const std::vector<std::string> more = table.OfTensile(words[4]);
    if (more.size() == 2) types.insert(types.end(), more.begin(), more.end());
  }
  if (types.size() == 1 || types.size() == 3 || types.size() == 4) SetTypes(std::move(types), decoded);
}

// "16x16x16x1" has K, "16x16x1" has not.
void ReadInstruction(std::string_view text, DecodedKernelName& decoded) {
  const std::vector<std::string_view> sides = SplitWords(text, 'x');
  if (sides.size() < 3 || !ParseNumber(sides[0]) || !ParseNumber(sides[1]) || !ParseNumber(sides[2])) return;
  decoded.tensor_cores = TensorCoreUse::kUsed;
  decoded.instruction_shape = {*ParseNumber(sides[0]), *ParseNumber(sides[1]),
                               sides.size() > 3 ? *ParseNumber(sides[2]) : 0};
}

void ReadTensileWord(std::string_view word, DecodedKernelName& decoded) {
  if (const auto tile = AfterPrefix(word, "MT"); tile && ParseExtent(*tile)) {
    decoded.tile = *ParseExtent(*tile);
  } else if (const auto mi = AfterPrefix(word, "MI"); mi && !mi->empty() && ParseNumber(mi->substr(0, 1))) {
    ReadInstruction(*mi, decoded);
  } else if (const auto isa = AfterPrefix(word, "ISA"); isa && *isa != "000") {
    decoded.architecture = "gfx" + std::string(*isa);
  } else if (const auto slices = AfterPrefix(word, "GSU"); slices && ParseNumber(*slices).value_or(0) > 1) {
    decoded.split_k = "slices";
    decoded.split_k_slices = *ParseNumber(*slices);
  } else if (const auto stream = AfterPrefix(word, "SK"); stream && ParseNumber(*stream).value_or(0) > 0) {
    decoded.split_k = "stream-k";
  } else if (const auto load = AfterPrefix(word, "GRVWA"); load && ParseNumber(*load)) {
    decoded.vector_width = *ParseNumber(*load);
  } else if (const auto wide = AfterPrefix(word, "GLVWA"); wide && ParseNumber(*wide)) {
    decoded.vector_width = *ParseNumber(*wide);
  } else if (word == "Bias") {
    decoded.epilogue.emplace_back("bias");
  } else if (word.starts_with("TT") && word.size() > 2 && ParseNumber(word.substr(2))) {
    if (decoded.tensor_cores == TensorCoreUse::kNotTold) decoded.tensor_cores = TensorCoreUse::kNotUsed;
  }
}

bool DecodeTensile(const KernelNameText& name, DecodedKernelName& decoded) {
  // "Custom_Cijk_..." and the like are kernels with a hand-made part.
  std::string_view text = name.text();
  if (text.starts_with("Custom")) text.remove_prefix(std::min(text.find("Cijk"), text.size()));
  const std::vector<std::string_view> words = SplitWords(text);
  if (words.size() < 5 || words[0] != "Cijk" || !ReadIndices(words[1], words[2], decoded)) return false;
  decoded.library = "rocBLAS/hipBLASLt";
  decoded.kind = "gemm";
  decoded.title = "tensile";
  ReadTypes(words, decoded);
  for (size_t at = 4; at < words.size(); ++at) ReadTensileWord(words[at], decoded);
  if (decoded.tensor_cores == TensorCoreUse::kUsed) {
    if (decoded.architecture.starts_with("gfx9")) decoded.instruction = "mfma";
    if (decoded.architecture.starts_with("gfx11") || decoded.architecture.starts_with("gfx12")) decoded.instruction = "wmma";
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kTensileGrammar = {"tensile",
                                                  "Cijk_Alik_Bljk_BBS_BH_MT32x32x64_MI16x16x16x1_SN_..._ISA942_...",
                                                  "ROCm/Tensile and hipBLASLt sources", DecodeTensile};

}  // namespace warpsight
