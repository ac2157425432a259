// The walks over a trace that fill a FlameTree. Internal to flame.cc.
//
// Units: ns, or samples. Errors: kLacks. Threads: one.
#pragma once

#include "analysis/flame/flame_tree.h"
#include "analysis/pass.h"

namespace warpsight {

// Threads of a trace as outermost frames, where they are asked for.
class FlameThreads {
 public:
  FlameThreads(const Trace& trace, FlameTree& tree, bool split) : trace_(trace), tree_(tree), split_(split) {
    frames_.assign(trace.threads().size(), kNoRow);
  }
  // kNoRow when threads are not told apart.
  uint32_t FrameOf(ThreadIndex thread);

 private:
  const Trace& trace_;
  FlameTree& tree_;
  bool split_;
  std::vector<uint32_t> frames_;
};

void FoldHostTime(const Trace& trace, const Selection& selection, bool split, FlameTree& tree);
void FoldPythonTime(const Trace& trace, const Selection& selection, bool split, FlameTree& tree);
Status FoldGpuTime(Analysis& analysis, bool split, FlameTree& tree);
void FoldSamples(const Trace& trace, const Selection& selection, bool split, FlameTree& tree);

}  // namespace warpsight
