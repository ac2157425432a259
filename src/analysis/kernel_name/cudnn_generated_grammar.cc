// cuDNN kernels made by its code generators: attention.
//
//   cudnn_generated_fort_native_sdpa_smNN_flash_{fprop|bprop}_{wmma|wgmma}_TYPE_knob_ID_QxKxD_WARPS_cgaAxBxC_kernelI_J
//
// Q x K x D: rows of queries and keys in a block, and the head dimension the block is made for. TYPE is f16 for half and
// bf16 data alike (bf16 training runs show it), so an f16 there tells no operand type.
//
// Source: names in public profiles.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeCudnnGenerated(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  if (words.size() < 4 || words[0] != "cudnn" || words[1] != "generated") return false;
  decoded.library = "cuDNN";
  decoded.title = "cudnn";
  for (const std::string_view word : words) {
    if (word.starts_with("sm") && ParseNumber(word.substr(2))) {
      decoded.architecture = word;
    } else if (word == "sdpa") {
      decoded.kind = "attention";
    } else if (word == "flash") {
      decoded.title = "cudnn flash";
    } else if (word == "fprop" || word == "bprop") {
      decoded.direction = word == "fprop" ? PassDirection::kForward : PassDirection::kBackward;
    } else if (word == "wmma" || word == "wgmma" || word == "mma") {
      decoded.instruction = word;
      decoded.tensor_cores = TensorCoreUse::kUsed;
    } else if (const auto cluster = AfterPrefix(word, "cga"); cluster && ParseExtent(*cluster)) {
      decoded.cluster = *ParseExtent(*cluster);
    } else if (const auto extent = ParseExtent(word); extent && !decoded.tile.told()) {
      decoded.tile = *extent;
    } else if (const std::string type = ValueTypes::Embedded().OfWord(word); !type.empty() && type != "f16") {
      decoded.a_type = decoded.b_type = decoded.math_type = type;
    }
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kCudnnGeneratedGrammar = {
    "cudnn generated",
    "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1_cga1x1x1_kernel0_0",
    "names in public profiles", DecodeCudnnGenerated};

}  // namespace warpsight
