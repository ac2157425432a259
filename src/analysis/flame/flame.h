// Flame: where the time went, by stack: the host's time, the GPU's, that of Python's frames, or the CPU samples, folded into
// a tree of frames.
//
// Place in the flow: Trace, Selection, attribution -> Flame -> flame_document.
//   host     the call layer of every thread (ranges, ops, calls, overhead): cut to the window and merged as `ops` does it,
//   so
//            that the self times of a name and kind add up to its self CPU time there
//   gpu      each piece of GPU work, cut to the window, below the ops and ranges that launched it, outermost first, with the
//            modules between them where frames were recorded; the work is the leaf. Of a CUDA graph's replay: the ranges
//            around it, then the ops of its capture, where there is one. Backward work stands in the module of its forward
//            op. The whole is gpu_work_ns of `kernels`
//   python   the frame layer of every thread: recursion is not merged
//   samples  the stacks of the CPU samples in the window, each counted once
// A device cuts GPU work only. `split`: the outermost frames are the threads, or the devices and their streams. Below 1,000
// frames GPU work counts for the frame there: no program nests deeper. Cost: linear in the rows. Errors: kLacks where the
// trace has no such rows. Thread-compatible.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/flame/flame_tree.h"
#include "analysis/pass.h"

namespace warpsight {

enum class FlameBy : uint8_t { kHost, kGpu, kPython, kSamples };
constexpr std::string_view FlameByName(FlameBy by) {
  constexpr std::string_view kNames[] = {"host", "gpu", "python", "samples"};
  return kNames[static_cast<size_t>(by)];
}

struct Flame {
  FlameBy by = FlameBy::kHost;
  bool split = false;
  Interval window = {};
  int64_t total = 0;  // of the outermost frames
  // A parent before its children, siblings by total, then name and kind.
  std::vector<FlameFrame> frames = {};
  std::deque<std::string> names = {};  // texts that frames borrow beside those of the trace
};

Result<Flame> ComputeFlame(Analysis& analysis, FlameBy by, bool split);

// The `most` largest frames; what is left out below a frame is one frame of kind kRest there, so that sums stay what they
// are. A frame is kept only with all that it lies in.
std::vector<FlameFrame> LargestFrames(const std::vector<FlameFrame>& frames, size_t most);

}  // namespace warpsight
