#include "analysis/fused_name.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

namespace warpsight {
namespace {

// Ops that change no values, and others that Inductor writes into names but that are no GPU work of their own in eager mode.
constexpr std::array kViewOps = {"unsafe_view",
                                 "_unsafe_view",
                                 "view",
                                 "t",
                                 "transpose",
                                 "permute",
                                 "expand",
                                 "unsqueeze",
                                 "squeeze",
                                 "slice",
                                 "select",
                                 "split",
                                 "split_with_sizes",
                                 "unbind",
                                 "as_strided",
                                 "detach",
                                 "alias",
                                 "lift_fresh",
                                 "new_ones",
                                 "new_zeros",
                                 "prepare_softmax_online",
                                 "_log_softmax_backward_data",
                                 "silu_backward",
                                 "gelu_backward",
                                 "embedding_dense_backward",
                                 "nll_loss_backward",
                                 "nll_loss_forward",
                                 "native_layer_norm_backward",
                                 "threshold_backward",
                                 "select_backward",
                                 "slice_backward",
                                 "_softmax_backward_data",
                                 "convert_element_type",
                                 "_scaled_dot_product_cudnn_attention",
                                 "_scaled_dot_product_flash_attention",
                                 "_scaled_dot_product_efficient_attention",
                                 "scaled_dot_product_attention",
                                 "_scaled_dot_product_cudnn_attention_backward",
                                 "_scaled_dot_product_flash_attention_backward",
                                 "moe_forward",
                                 "all_reduce",
                                 "_native_batch_norm_legit_functional",
                                 "max_pool2d_with_indices",
                                 "avg_pool2d",
                                 "relu",
                                 "bmm",
                                 "mm",
                                 "addmm",
                                 "convolution",
                                 "eq",
                                 "le",
                                 "ne",
                                 "ge",
                                 "lt",
                                 "gt",
                                 "bitwise_and",
                                 "bitwise_or",
                                 "bitwise_not",
                                 "where",
                                 "full",
                                 "sign",
                                 "clamp",
                                 "clamp_min",
                                 "native_dropout",
                                 "inductor_seeds",
                                 "inductor_random",
                                 "inductor_lookup_seed"};

const std::set<std::string, std::less<>>& KnownOps() {
  static const auto& known = *[] {
    auto* names = new std::set<std::string, std::less<>>(kViewOps.begin(), kViewOps.end());
    constexpr std::string_view kAten = "aten::";
    for (const WorkKinds::OpRule& rule : WorkKinds::Embedded().op_rules()) {
      std::string_view name = rule.pattern;
      if (!name.starts_with(kAten) || name.find('*') != std::string_view::npos) continue;
      name.remove_prefix(kAten.size());
      while (name.ends_with('_')) name.remove_suffix(1);
      names->emplace(name);
    }
    return names;
  }();
  return known;
}

// The longest known name that `text` starts with and that ends at a "_" or at the end.
size_t LongestKnown(std::string_view text) {
  for (size_t end = std::min<size_t>(text.size(), 64); end > 0; --end) {
    if (end < text.size() && text[end] != '_') continue;
    if (KnownOps().contains(text.substr(0, end))) return end;
  }
  return 0;
}

bool HasAny(const std::vector<std::string>& ops, std::initializer_list<std::string_view> names) {
  return std::any_of(ops.begin(), ops.end(), [&](const std::string& op) {
    return std::find(names.begin(), names.end(), std::string_view(op)) != names.end();
  });
}

bool HasPiece(const std::vector<std::string>& ops, std::string_view piece) {
  return std::any_of(ops.begin(), ops.end(), [&](const std::string& op) { return op.find(piece) != std::string::npos; });
}

bool IsNorm(const std::vector<std::string>& ops) {
  return HasPiece(ops, "layer_norm") || HasPiece(ops, "rms_norm") || HasPiece(ops, "batch_norm") ||
         (HasAny(ops, {"rsqrt"}) && HasAny(ops, {"mean", "var_mean", "pow", "sum"}));
}

bool IsRotary(const std::vector<std::string>& ops) {
  return HasAny(ops, {"cos", "sin"}) || (HasAny(ops, {"neg"}) && HasAny(ops, {"cat"}) && HasAny(ops, {"mul"}));
}

}  // namespace

std::vector<std::string> FusedOps(std::string_view kernel_name) {
  std::vector<std::string> ops;
  constexpr std::string_view kFused = "_fused_";
  const size_t at = kernel_name.find(kFused);
  if (!kernel_name.starts_with("triton_") || at == std::string_view::npos) return ops;
  std::string_view rest = kernel_name.substr(at + kFused.size());
  // The number at the end tells kernels of one kind apart.
  while (!rest.empty() && rest.back() >= '0' && rest.back() <= '9') rest.remove_suffix(1);
  if (rest.ends_with('_')) rest.remove_suffix(1);
  while (!rest.empty()) {
    size_t length = LongestKnown(rest);
    if (length == 0) length = std::min(rest.find('_', 1), rest.size());
    ops.emplace_back(rest.substr(0, length));
    rest.remove_prefix(std::min(rest.size(), length + 1));
  }
  return ops;
}

WorkKind FusedKind(const std::vector<std::string>& ops) {
  if (HasPiece(ops, "log_softmax") || HasPiece(ops, "nll_loss") || HasPiece(ops, "cross_entropy")) return WorkKind::kLoss;
  if (HasPiece(ops, "moe_forward")) return WorkKind::kExperts;
  if (HasAny(ops, {"argmax", "multinomial"})) return WorkKind::kSampling;
  if (HasPiece(ops, "silu") && HasAny(ops, {"mul"})) return WorkKind::kActivationAndMul;
  if (HasPiece(ops, "silu") || HasPiece(ops, "gelu") || HasPiece(ops, "relu") || HasAny(ops, {"tanh", "erf"}))
    return WorkKind::kActivation;
  if (IsNorm(ops)) return WorkKind::kNorm;
  if (IsRotary(ops)) return WorkKind::kRotary;
  if (HasAny(ops, {"index_put", "index_copy"})) return WorkKind::kKvCache;
  if (HasPiece(ops, "scaled_dot_product") || HasPiece(ops, "attention")) return WorkKind::kAttention;
  if (HasPiece(ops, "embedding")) return WorkKind::kEmbedding;
  if (HasPiece(ops, "pool")) return WorkKind::kPooling;
  if (HasPiece(ops, "softmax")) return WorkKind::kSoftmax;
  if (HasAny(ops, {"topk"})) return WorkKind::kTopk;
  if (HasAny(ops, {"sort"})) return WorkKind::kSort;
  if (HasAny(ops, {"le", "lt", "ge", "gt", "eq", "ne", "where", "masked_fill"}) || HasPiece(ops, "bitwise"))
    return WorkKind::kMask;
  if (HasAny(ops, {"cumsum"})) return WorkKind::kScan;
  if (HasAny(ops, {"cat"})) return WorkKind::kCat;
  if (HasAny(ops, {"arange"})) return WorkKind::kFill;
  if (HasAny(ops, {"sum", "mean"})) return WorkKind::kSum;
  if (HasAny(ops, {"add"})) return WorkKind::kAdd;
  if (HasAny(ops, {"mul"})) return WorkKind::kMul;
  return WorkKind::kCopy;
}

std::string FusedMeaning(const std::vector<std::string>& ops) {
  std::string meaning;
  const auto say = [&](bool holds, std::string_view text) {
    if (holds) meaning += (meaning.empty() ? "" : ", ") + std::string(text);
  };
  const bool norm = IsNorm(ops);
  const bool rotary = IsRotary(ops);
  const bool mask = HasAny(ops, {"le", "lt", "ge", "gt", "where", "masked_fill"}) || HasPiece(ops, "bitwise");
  say(HasPiece(ops, "embedding"), "embedding");
  say(norm && HasAny(ops, {"add"}), "residual add");
  say(norm, HasPiece(ops, "batch_norm")                                ? "batch norm"
            : HasPiece(ops, "layer_norm") || HasAny(ops, {"var_mean"}) ? "layer norm"
                                                                       : "RMS norm");
  say(rotary, "rotary");
  say(HasAny(ops, {"index_put", "index_copy"}), "KV cache");
  say(mask, "mask");
  say(HasPiece(ops, "scaled_dot_product") || HasPiece(ops, "attention"), "attention inputs");
  say(HasPiece(ops, "log_softmax") || HasPiece(ops, "nll_loss"), "loss");
  say(!HasPiece(ops, "log_softmax") && HasPiece(ops, "softmax"), "softmax");
  say(HasPiece(ops, "silu"), "SiLU");
  say(HasPiece(ops, "gelu") || HasAny(ops, {"erf"}), "GELU");
  say(HasPiece(ops, "relu"), "ReLU");
  say(HasPiece(ops, "tanh"), "tanh");
  say(!norm && !rotary && HasAny(ops, {"mul"}), "multiply");
  say(!norm && !rotary && HasAny(ops, {"add"}), "add");
  say(HasPiece(ops, "pool"), "pooling");
  say(HasAny(ops, {"argmax", "topk", "sort", "multinomial"}), "sampling");
  say(HasAny(ops, {"_to_copy"}) && meaning.empty(), "type conversion");
  say(meaning.empty() && HasAny(ops, {"clone", "copy", "cat"}), "copy");
  return meaning;
}

}  // namespace warpsight
