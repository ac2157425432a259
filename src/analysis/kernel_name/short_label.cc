// The label of a decoded name: title, direction, ops, type, tile, layout, in this order, each only when told.
#include <algorithm>

#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {
namespace {

constexpr size_t kMostOps = 6;
constexpr size_t kLongest = 100;

std::string Extent(const KernelExtent& extent, bool with_k) {
  std::string text = std::to_string(extent.m);
  if (extent.n != 0) text += "x" + std::to_string(extent.n);
  if (with_k && extent.k != 0) text += "x" + std::to_string(extent.k);
  return text;
}

// Ops that move no data once they are fused.
constexpr std::string_view kViews[] = {"_unsafe_view", "view",    "expand", "unsqueeze", "squeeze",  "slice", "transpose",
                                       "permute",      "reshape", "select", "t",         "_to_copy", "clone", "as_strided"};

bool IsView(std::string_view op) { return std::ranges::find(kViews, op) != std::end(kViews); }

std::string Ops(const std::vector<std::string>& ops) {
  const bool only_views = std::ranges::all_of(ops, IsView);
  std::string text;
  size_t shown = 0;
  size_t hidden = 0;
  for (const std::string& op : ops) {
    if (!only_views && IsView(op)) continue;
    if (shown == kMostOps) {
      ++hidden;
      continue;
    }
    const size_t first = std::min(op.find_first_not_of('_'), op.size());
    text += (shown++ == 0 ? "" : "+") + op.substr(first);
  }
  if (hidden > 0) text += "+" + std::to_string(hidden) + " more";
  return text;
}

std::string Type(const DecodedKernelName& decoded) {
  if (decoded.math_type == "tf32") return decoded.math_type;
  if (!decoded.a_type.empty()) return decoded.a_type;
  return decoded.math_type.empty() ? decoded.output_type : decoded.math_type;
}

std::string UpperOperands(std::string_view layout) {
  if (layout.find_first_not_of("tn") != std::string_view::npos) return std::string(layout);
  std::string operands(layout.substr(0, 2));
  for (char& c : operands) c = static_cast<char>(c - 'a' + 'A');
  return operands;
}

}  // namespace

std::string ShortLabel(const DecodedKernelName& decoded) {
  std::string label;
  const auto add = [&](std::string_view text) {
    if (text.empty()) return;
    if (!label.empty()) label += ' ';
    label += text;
  };
  const bool attention = decoded.kind == "attention";
  add(decoded.title);
  if (attention && decoded.direction != PassDirection::kNotTold)
    add(decoded.direction == PassDirection::kForward ? "fwd" : "bwd");
  add(decoded.collective);
  if (decoded.collective.empty()) add(Ops(decoded.ops));
  add(decoded.reduction);
  add(Type(decoded));
  add(decoded.algorithm);
  add(decoded.protocol);
  if (decoded.tile.told()) add(Extent(decoded.tile, !attention));
  add(UpperOperands(decoded.layout));
  if (attention && decoded.head_dim != 0) add("d" + std::to_string(decoded.head_dim));
  if (!decoded.split_k.empty() && decoded.split_k != "reduce")
    add(decoded.split_k == "slices" ? "split-k" : decoded.split_k);
  label.resize(std::min(label.size(), kLongest));
  return label;
}

}  // namespace warpsight
