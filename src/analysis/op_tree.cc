#include "analysis/op_tree.h"

#include <algorithm>

namespace warpsight {

OpTree::OpTree(const Trace& trace, const Selection& selection)
    : host_(trace.host()),
      range_(selection.range),
      window_(selection.range.value_or(Interval{kMinNs, kMaxNs})),
      children_ns_(trace.host().size(), 0),
      children_(trace.host().size(), 0) {
  for (uint32_t row = 0; row < host_.size(); ++row) {
    const uint32_t parent = host_.parent[row];
    if (parent == kNoRow || !Has(row)) continue;
    children_ns_[parent] = SaturatingAdd(children_ns_[parent], duration_ns(row));
    children_[parent] = std::min<uint8_t>(children_[parent] + 1, 2);
  }
  // A parent stands before its children, so that chains of merged events need no walk.
  node_.resize(host_.size());
  for (uint32_t row = 0; row < host_.size(); ++row) node_[row] = merged(row) ? node_[host_.parent[row]] : row;
}

}  // namespace warpsight
