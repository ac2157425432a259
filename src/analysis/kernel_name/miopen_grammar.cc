// MIOpen: implicit-GEMM convolutions written in assembly; its other kernels are in data/kernel_libraries.toml.
//
//   igemm_{fwd|bwd|wrw}_gtc[x|x2|x3]_LAYOUT_TYPE_bxA_exB_btMxNxK_wtMxNxK_wsAxB_wrAxB_ta..._tb...[_gkgs]
//
// bwd = gradient of the data, wrw = of the weights. gtcx, gtcx2, gtcx3 are written for gfx908, gfx90a, gfx942 and use their
// matrix cores. bt: block tile. gkgs: K split over work groups.
// Source: ROCm/MIOpen src/solver/conv_asm_implicit_gemm_gtc_*.cpp, src/kernels/dynamic_igemm/igemm_gtc_*.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeMiopen(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.text());
  if (words.size() < 6 || words[0] != "igemm" || !words[2].starts_with("gtc")) return false;
  decoded.library = "MIOpen";
  decoded.kind = "convolution";
  decoded.title = "miopen igemm";
  if (words[1] == "fwd") decoded.ops.emplace_back("fprop");
  if (words[1] == "bwd") decoded.ops.emplace_back("dgrad");
  if (words[1] == "wrw") decoded.ops.emplace_back("wgrad");
  decoded.direction = words[1] == "fwd" ? PassDirection::kForward : PassDirection::kBackward;
  if (words[2] == "gtcx") decoded.architecture = "gfx908";
  if (words[2] == "gtcx2") decoded.architecture = "gfx90a";
  if (words[2] == "gtcx3") decoded.architecture = "gfx942";
  if (words[2].starts_with("gtcx")) {
    decoded.tensor_cores = TensorCoreUse::kUsed;
    decoded.instruction = "mfma";
  }
  decoded.layout = words[3];
  decoded.a_type = decoded.b_type = decoded.math_type = ValueTypes::Embedded().OfWord(words[4]);
  for (const std::string_view word : words) {
    if (const auto tile = AfterPrefix(word, "bt"); tile && ParseExtent(*tile)) decoded.tile = *ParseExtent(*tile);
    if (word == "gkgs") decoded.split_k = "slices";
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kMiopenGrammar = {"miopen igemm",
                                                 "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_...",
                                                 "ROCm/MIOpen sources", DecodeMiopen};

}  // namespace warpsight
