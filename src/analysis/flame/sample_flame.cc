// CPU samples by stack: each sample once, in the innermost frame of its stack.
#include <vector>

#include "analysis/flame/flame_walks.h"

namespace warpsight {
namespace {

FlameKind KindOfFrame(FrameKind kind) {
  if (kind == FrameKind::kPython) return FlameKind::kPython;
  return kind == FrameKind::kKernel ? FlameKind::kSystem : FlameKind::kNative;
}

// Frames of the stacks below one outermost frame.
class StackFrames {
 public:
  StackFrames(const Trace& trace, FlameTree& tree) : trace_(trace), tree_(tree), names_(trace.stacks().size(), kNoRow) {}

  void Below(uint32_t outermost) {
    outermost_ = outermost;
    frames_.assign(trace_.stacks().size(), kNoRow);
  }
  uint32_t FrameOf(StackIndex stack) {
    if (stack == 0) return tree_.Child(outermost_, tree_.NameId("(no stack recorded)"), FlameKind::kNative);
    for (StackIndex at = stack; at != 0 && frames_[at] == kNoRow; at = trace_.stacks().frame(at).parent) path_.push_back(at);
    while (!path_.empty()) {
      const StackIndex at = path_.back();
      path_.pop_back();
      const StackFrame& frame = trace_.stacks().frame(at);
      const uint32_t around = frame.parent == 0 ? outermost_ : frames_[frame.parent];
      frames_[at] = tree_.Child(around, NameOf(at, frame), KindOfFrame(frame.kind));
    }
    return frames_[stack];
  }

 private:
  // Functions of one name are told apart by the library that they are of.
  uint32_t NameOf(StackIndex index, const StackFrame& frame) {
    uint32_t& name = names_[index];
    if (name != kNoRow) return name;
    const std::string_view function = trace_.Text(frame.function);
    const std::string_view module = trace_.Text(frame.module);
    const bool says_it = module.empty() || frame.kind == FrameKind::kPython || function.starts_with(module);
    name = says_it ? tree_.NameId(function) : tree_.OwnName(std::string(function) + " [" + std::string(module) + "]");
    return name;
  }

  const Trace& trace_;
  FlameTree& tree_;
  std::vector<uint32_t> names_;
  std::vector<uint32_t> frames_;
  std::vector<StackIndex> path_;
  uint32_t outermost_ = kNoRow;
};

}  // namespace

void FoldSamples(const Trace& trace, const Selection& selection, bool split, FlameTree& tree) {
  const CpuSamples& samples = trace.cpu_samples();
  FlameThreads threads(trace, tree, split);
  StackFrames frames(trace, tree);
  bool begun = false;
  // Samples come by thread.
  for (uint32_t row = 0; row < samples.size(); ++row) {
    if (selection.range && !selection.range->Contains(samples.time_ns[row])) continue;
    const bool other_thread = row > 0 && samples.thread[row] != samples.thread[row - 1];
    if (!begun || (split && other_thread)) frames.Below(threads.FrameOf(samples.thread[row]));
    begun = true;
    tree.Add(frames.FrameOf(samples.stack[row]), 1, 1);
  }
}

}  // namespace warpsight
