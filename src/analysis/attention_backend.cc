#include "analysis/attention_backend.h"

#include <map>
#include <unordered_map>

#include "analysis/attention_backend_names.h"
#include "analysis/enclosing_events.h"

namespace warpsight {
namespace {

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
      if (added) backend->second = AttentionBackendOfKernel(sequence.trace().Text(gpu.name[row]));
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
