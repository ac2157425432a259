// OpTree: the call layer of every host thread as the key averages see it: durations cut to a window, self times, and which
// events are one node with their parent.
//
// Place in the flow: HostEvents (nesting is the sealer's) -> OpTree -> key averages and whoever needs self or total times.
// Rules:
//   self     duration minus the durations of the direct children. Siblings that overlap (partial overlap is no containment)
//   can
//            make it negative; the self times of a tree always add up to the durations of its roots.
//   merged   an event whose name and kind are those of its parent, and which is its parent's only child, is one node with it
//            (`aten::mul` inside `aten::mul`): its self time, children and GPU work count to the parent, it is no call of
//            its own.
// Frames (Python functions) and the recorder's own span are not part of the tree.
// Units: ns. Errors: none; sums saturate instead of wrapping. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/selection.h"
#include "trace/trace.h"

namespace warpsight {

class OpTree {
 public:
  // The trace must outlive the tree. Without a range nothing is cut.
  OpTree(const Trace& trace, const Selection& selection);

  // Whether a host row is part of the tree.
  bool Has(uint32_t row) const { return InTree(host_.kind[row]); }
  // Time of the row inside the window.
  Ns duration_ns(uint32_t row) const { return Intersect({host_.start_ns[row], host_.end_ns[row]}, window_).duration(); }
  // duration_ns minus that of the direct children.
  Ns self_ns(uint32_t row) const { return SaturatingSubtract(duration_ns(row), children_ns_[row]); }
  bool merged(uint32_t row) const {
    const uint32_t parent = host_.parent[row];
    return parent != kNoRow && children_[parent] == 1 && host_.name[parent] == host_.name[row] &&
           host_.kind[parent] == host_.kind[row];
  }
  // The event that the row is one node with: itself, unless it is merged.
  uint32_t NodeOf(uint32_t row) const { return node_[row]; }
  // Whether the row starts inside the window, so that it counts as a call.
  bool Starts(uint32_t row) const { return !range_ || range_->Contains(host_.start_ns[row]); }

 private:
  static bool InTree(HostKind kind) { return !IsFrame(kind) && kind != HostKind::kRecording; }

  const HostEvents& host_;
  std::optional<Interval> range_;
  Interval window_;  // range_, or all time
  std::vector<Ns> children_ns_;
  std::vector<uint8_t> children_;  // 0, 1, 2 = more than one
  std::vector<uint32_t> node_;
};

}  // namespace warpsight
