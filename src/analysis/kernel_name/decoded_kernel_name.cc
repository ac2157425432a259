#include "analysis/kernel_name/decoded_kernel_name.h"

#include <utility>

#include "analysis/kernel_family.h"
#include "analysis/kernel_name/grammar.h"

namespace warpsight {
namespace {

constexpr std::string_view kNoFamily = "other";

}  // namespace

std::optional<DecodedKernelName> DecodeKernelName(std::string_view name) {
  const KernelNameText text(name);
  if (text.text().empty()) return std::nullopt;
  for (const KernelNameGrammar* grammar : KernelNameGrammars()) {
    DecodedKernelName decoded;
    if (!grammar->decode(text, decoded)) continue;
    decoded.grammar = grammar->id;
    // What the grammar leaves open the table of families may know ("vllm::rms_norm_kernel" is a norm).
    if (decoded.kind.empty()) {
      const std::string_view family = KernelFamilies::Embedded().Classify(text.text());
      if (family != kNoFamily) decoded.kind = family;
    }
    return decoded;
  }
  return std::nullopt;
}

const DecodedKernelName* DecodedNamesOf::decoded(uint32_t gpu_row) {
  const GpuWork& gpu = trace_.gpu();
  if (gpu.kind[gpu_row] != GpuKind::kKernel) return nullptr;
  std::unique_ptr<const Answer>& answer = by_name_[static_cast<uint32_t>(gpu.name[gpu_row])];
  if (answer == nullptr) answer = std::make_unique<const Answer>(DecodeKernelName(trace_.Text(gpu.name[gpu_row])));
  return answer->has_value() ? &**answer : nullptr;
}

}  // namespace warpsight
