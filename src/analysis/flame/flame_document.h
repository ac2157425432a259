// The `flame` document: stacks folded into a tree of frames.
//
// Place in the flow: Flame -> Document -> JSON. Errors: none. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/flame/flame.h"
#include "document/document.h"

namespace warpsight {

inline constexpr size_t kUsualFlameFrames = 2000;
inline constexpr size_t kMostFlameFrames = 100'000;

// {"by","split","unit":"ns"|"samples","window_ns","total_ns"|"total_samples","frames_total","frames":[{"name","kind","parent",
// "total_ns","self_ns"|"total_samples","self_samples","count","frames_left_out"}]}: the largest frames, a parent before its
// children; "parent" is a place in "frames", null of the outermost. A frame of kind "rest" has no name: it stands for the
// frames that were left out below its parent. `limit`: the most frames besides these, 0 = kMostFlameFrames.
Document MakeFlameDocument(const Flame& flame, int64_t limit);

}  // namespace warpsight
