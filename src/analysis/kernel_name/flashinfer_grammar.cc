// FlashInfer attention.
//
//   flashinfer::{Batch|Single}Prefill...Kernel<KernelTraits<mask mode, Q rows of a block, MMA steps in Q, in KV, in the head
//       dimension of QK, of VO, warps in Q, in KV, position encoding, type of Q, of KV, of O, accumulator, ...>, ...>
//   flashinfer::{Batch|Single}Decode...Kernel<position encoding, stages, tokens per thread row, vector width, bdx, bdy,
//       bdz, ...>
//
// An MMA step is 16 wide; a decode thread row (bdx threads x vector width) holds one head. Mask mode 0 = none, 1 = causal.
//
// Source: flashinfer-ai/flashinfer include/flashinfer/attention/prefill.cuh, decode.cuh, mask.cuh.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

constexpr int32_t kStepWidth = 16;
constexpr int32_t kMostMmaSteps = 1024;  // more would be no kernel, and could not be multiplied

int32_t Steps(std::string_view argument) {
  const int32_t steps = IntegerArgument(argument).value_or(0);
  return steps > kMostMmaSteps ? 0 : steps;
}

void ReadPrefill(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> traits = TemplateArguments(name.text(), "KernelTraits");
  if (traits.size() < 13) return;
  const std::optional<int32_t> mask = IntegerArgument(traits[0]);
  if (mask == 0 || mask == 1) decoded.causal = mask == 1;
  decoded.head_dim = Steps(traits[4]) * kStepWidth;
  decoded.tile = {IntegerArgument(traits[1]).value_or(0), Steps(traits[3]) * Steps(traits[7]) * kStepWidth, 0};
  const ValueTypes& types = ValueTypes::Embedded();
  decoded.a_type = types.OfCpp(traits[9]);
  decoded.b_type = types.OfCpp(traits[10]);
  decoded.output_type = types.OfCpp(traits[11]);
  decoded.accumulate_type = types.OfCpp(traits[12]);
  decoded.math_type = decoded.a_type;
  decoded.tensor_cores = TensorCoreUse::kUsed;
}

void ReadDecode(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view>& arguments = name.arguments();
  if (arguments.size() < 7 || !Contains(arguments[0], "PosEncodingMode")) return;  // older forms order them otherwise
  decoded.stages = IntegerArgument(arguments[1]).value_or(0);
  decoded.vector_width = Steps(arguments[3]);
  decoded.head_dim = decoded.vector_width * Steps(arguments[4]);
}

bool DecodeFlashinfer(const KernelNameText& name, DecodedKernelName& decoded) {
  const bool prefill = Contains(name.base(), "Prefill") || Contains(name.base(), "Persistent");
  const bool decode = Contains(name.base(), "Decode");
  if (!name.function().starts_with("flashinfer::") || !(prefill || decode) || !Contains(name.base(), "Kernel")) return false;
  if (Contains(name.base(), "Merge")) return false;
  decoded.library = "FlashInfer";
  decoded.kind = "attention";
  decoded.title = prefill ? "flashinfer prefill" : "flashinfer decode";
  decoded.direction = PassDirection::kForward;
  if (prefill) {
    ReadPrefill(name, decoded);
  } else {
    ReadDecode(name, decoded);
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kFlashinferGrammar = {
    "flashinfer", "flashinfer::BatchPrefillWithPagedKVCacheKernel<flashinfer::KernelTraits<...>, ...>", "FlashInfer headers",
    DecodeFlashinfer};

}  // namespace warpsight
