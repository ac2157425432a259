#include "analysis/flame/flame.h"

#include <algorithm>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "analysis/flame/flame_walks.h"

namespace warpsight {
namespace {

Status CheckFlame(const Trace& trace, FlameBy by) {
  switch (by) {
    case FlameBy::kHost:
      return CheckNeeds(trace, Needs::kHostEvents);
    case FlameBy::kGpu:
      return CheckNeeds(trace, Needs::kGpuWork);
    case FlameBy::kPython:
      return CheckNeeds(trace, Needs::kFrames);
    case FlameBy::kSamples:
      break;
  }
  if (trace.cpu_samples().size() > 0) return OkStatus();
  return LacksError("the trace has no CPU samples: record with `warpsight record --sample process-tree`");
}

// Children of each frame, and of none the outermost, in the order in which they are shown.
class FrameChildren {
 public:
  explicit FrameChildren(const std::vector<FlameFrame>& frames) : first_(frames.size() + 2, 0) {
    for (const FlameFrame& frame : frames) ++first_[SlotOf(frame.parent) + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    children_.resize(frames.size());
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    for (uint32_t i = 0; i < frames.size(); ++i) children_[next[SlotOf(frames[i].parent)]++] = i;
    for (size_t slot = 0; slot + 1 < first_.size(); ++slot) {
      std::sort(children_.begin() + first_[slot], children_.begin() + first_[slot + 1], [&](uint32_t a, uint32_t b) {
        const FlameFrame& one = frames[a];
        const FlameFrame& other = frames[b];
        return std::tie(other.total, one.name, one.kind) < std::tie(one.total, other.name, other.kind);
      });
    }
  }
  std::span<const uint32_t> Of(uint32_t frame) const {
    const size_t slot = SlotOf(frame);
    return std::span(children_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }

 private:
  static size_t SlotOf(uint32_t frame) { return frame == kNoRow ? 0 : size_t{frame} + 1; }
  std::vector<uint32_t> first_;
  std::vector<uint32_t> children_;
};

// The frames that `keep` holds, from the outermost in, each followed by what lies in it, and for what it does not hold one
// frame of the rest.
std::vector<FlameFrame> InOrder(const std::vector<FlameFrame>& frames, const FrameChildren& children,
                                const std::vector<bool>& keep, const std::vector<int64_t>& below) {
  std::vector<FlameFrame> ordered;
  struct Open {
    uint32_t frame;
    uint32_t place;
  };
  std::vector<Open> open;
  const auto push_children = [&](uint32_t frame, uint32_t place) {
    const std::span<const uint32_t> all = children.Of(frame);
    for (size_t i = all.size(); i-- > 0;) {
      if (keep[all[i]]) open.push_back({all[i], place});
    }
    FlameFrame rest{.parent = place, .kind = FlameKind::kRest};
    for (const uint32_t child : all) {
      if (keep[child]) continue;
      rest.total = SaturatingAdd(rest.total, frames[child].total);
      rest.count += frames[child].count;
      rest.frames_left_out += below[child];
    }
    rest.self = rest.total;
    return rest;
  };
  std::vector<FlameFrame> rests;
  const auto add_rest = [&](const FlameFrame& rest) {
    if (rest.frames_left_out > 0) rests.push_back(rest);
  };
  add_rest(push_children(kNoRow, kNoRow));
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    const auto place = static_cast<uint32_t>(ordered.size());
    ordered.push_back(frames[next.frame]);
    ordered.back().parent = next.place;
    add_rest(push_children(next.frame, place));
  }
  ordered.insert(ordered.end(), rests.begin(), rests.end());
  return ordered;
}

}  // namespace

Result<Flame> ComputeFlame(Analysis& analysis, FlameBy by, bool split) {
  const Trace& trace = analysis.trace();
  WARPSIGHT_RETURN_IF_ERROR(CheckFlame(trace, by));
  FlameTree tree;
  switch (by) {
    case FlameBy::kHost:
      FoldHostTime(trace, analysis.selection(), split, tree);
      break;
    case FlameBy::kGpu:
      WARPSIGHT_RETURN_IF_ERROR(FoldGpuTime(analysis, split, tree));
      break;
    case FlameBy::kPython:
      FoldPythonTime(trace, analysis.selection(), split, tree);
      break;
    case FlameBy::kSamples:
      FoldSamples(trace, analysis.selection(), split, tree);
      break;
  }
  Flame flame{.by = by, .split = split, .window = analysis.window()};
  flame.frames = tree.TakeFrames();
  flame.names = tree.TakeNames();
  flame.frames = LargestFrames(flame.frames, flame.frames.size());
  for (const FlameFrame& frame : flame.frames) {
    if (frame.parent == kNoRow) flame.total = SaturatingAdd(flame.total, frame.total);
  }
  return flame;
}

std::vector<FlameFrame> LargestFrames(const std::vector<FlameFrame>& frames, size_t most) {
  const FrameChildren children(frames);
  std::vector<bool> keep(frames.size(), most >= frames.size());
  std::vector<int64_t> below(frames.size(), 1);  // frames in it, itself included
  for (size_t i = frames.size(); i-- > 0;) {
    if (frames[i].parent != kNoRow) below[frames[i].parent] += below[i];
  }
  if (most < frames.size()) {
    // Of frames of one size the one that was made first: the order of a Flame is fixed.
    const auto smaller = [&](uint32_t a, uint32_t b) {
      return frames[a].total != frames[b].total ? frames[a].total < frames[b].total : a > b;
    };
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(smaller)> next(smaller);
    for (const uint32_t child : children.Of(kNoRow)) next.push(child);
    for (size_t kept = 0; kept < most && !next.empty(); ++kept) {
      const uint32_t frame = next.top();
      next.pop();
      keep[frame] = true;
      for (const uint32_t child : children.Of(frame)) next.push(child);
    }
  }
  return InOrder(frames, children, keep, below);
}

}  // namespace warpsight
