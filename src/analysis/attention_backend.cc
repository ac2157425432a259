#include "analysis/attention_backend.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>
#include <utility>

#include "analysis/enclosing_events.h"

namespace warpsight {
namespace {

// Names of kernels, lower case, most telling first.
constexpr std::pair<std::string_view, std::string_view> kByKernel[] = {
    {"cudnn*", "cuDNN flash"},
    {"flash_mla", "FlashMLA"},
    {"flashmla", "FlashMLA"},
    {"unified_attention", "paged (Triton)"},
    {"paged_attention", "paged"},
    {"pagedattention", "paged"},
    {"fmhasm100", "paged (TensorRT-LLM FMHA)"},
    {"pagedkvcache", "FlashInfer paged"},
    {"flashinfer", "FlashInfer"},
    {"flashattnfwdsm90", "flash 3"},
    {"flashattn", "flash 3"},
    {"pytorch_flash", "flash"},
    {"flash_fwd_splitkv", "flash"},
    {"flash_fwd", "flash"},
    {"fmha_cutlassf", "memory-efficient"},
    {"attentionkernel", "memory-efficient"},
    {"attn_fwd", "flash (Triton)"},
    {"fmha", "flash (FMHA)"},
    {"_fwd_grouped_kernel", "paged (Triton)"},
    {"_fwd_kernel", "flash (Triton)"},
    {"flash", "flash"},
    {"flex_attention", "FlexAttention (Triton)"},
};

std::string_view OfKernel(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [pattern, backend] : kByKernel) {
    if (pattern.ends_with('*')) {
      const bool flash = lower.find("flash") != std::string::npos || lower.find("sdpa") != std::string::npos;
      if (lower.starts_with(pattern.substr(0, pattern.size() - 1)) && flash) return backend;
    } else if (lower.find(pattern) != std::string::npos) {
      return backend;
    }
  }
  return {};
}

// Whether an op of this name stands around the token's last row: what prepares a mask may run before it.
bool Under(const WorkSequence& sequence, const WorkToken& token, std::string_view op_name) {
  const HostEvents& host = token.ops->host();
  const uint32_t row = sequence.row(token, token.count - 1);
  for (const uint32_t op : EnclosingEvents(host, sequence.attribution().op[row])) {
    if (token.ops->Text(host.name[op]) == op_name) return true;
  }
  return false;
}

}  // namespace

std::string AttentionBackend(const WorkParts& parts) {
  const WorkSequence& sequence = parts.sequence;
  const GpuWork& gpu = sequence.trace().gpu();
  std::map<std::string_view, Ns> time;
  std::unordered_map<uint32_t, std::string_view> of_name;
  for (const WorkToken& token : sequence.tokens()) {
    if (token.part != Part::kAttention) continue;
    // What prepares the inputs of the core says nothing about it.
    if (token.kind != WorkKind::kAttention && RankOf(token.kind) != 2 && token.kind != WorkKind::kSoftmax) continue;
    const bool product = token.kind == WorkKind::kBmm || token.kind == WorkKind::kGemm || token.kind == WorkKind::kSoftmax;
    bool named = false;
    for (uint32_t i = 0; i < token.count; ++i) {
      const uint32_t row = sequence.row(token, i);
      const auto [backend, added] = of_name.try_emplace(static_cast<uint32_t>(gpu.name[row]));
      if (added) backend->second = OfKernel(sequence.trace().Text(gpu.name[row]));
      if (backend->second.empty()) continue;
      Ns& sum = time[backend->second];
      sum = SaturatingAdd(sum, gpu.duration_ns(row));
      named = true;
    }
    if (named) continue;
    const Ns duration = gpu.duration_ns(sequence.row(token, 0));
    const auto add = [&](std::string_view name) { time[name] = SaturatingAdd(time[name], duration); };
    if (product) add("eager (product, softmax, product)");
    if (token.kind == WorkKind::kAttention && Under(sequence, token, "aten::_scaled_dot_product_attention_math"))
      add("math");
  }
  std::string_view best;
  for (const auto& [backend, spent] : time) {
    if (best.empty() || spent > time[best]) best = backend;
  }
  return std::string(best);
}

}  // namespace warpsight
