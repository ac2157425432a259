// Host time by stack: the call layer as `ops` sums it, and Python's frames.
#include <vector>

#include "analysis/flame/flame_walks.h"
#include "analysis/op_tree.h"

namespace warpsight {
namespace {

// Rows as frames. A row's parent may be a later one (overhead that was written on no thread), so frames are made when they
// are asked for.
class HostFrames {
 public:
  HostFrames(const Trace& trace, FlameTree& tree, FlameThreads& threads, const OpTree* merged)
      : host_(trace.host()),
        trace_(trace),
        names_(trace, tree),
        tree_(tree),
        threads_(threads),
        merged_(merged),
        frames_(host_.size(), kNoRow) {}

  uint32_t FrameOf(uint32_t row) {
    for (uint32_t at = row; frames_[at] == kNoRow;) {
      path_.push_back(at);
      if (host_.parent[at] == kNoRow) break;
      at = host_.parent[at];
    }
    while (!path_.empty()) {
      Make(path_.back());
      path_.pop_back();
    }
    return frames_[row];
  }

 private:
  void Make(uint32_t row) {
    const uint32_t parent = host_.parent[row];
    if (parent != kNoRow && merged_ != nullptr && merged_->merged(row)) {
      frames_[row] = frames_[parent];
      return;
    }
    const uint32_t around = parent == kNoRow ? threads_.FrameOf(host_.thread[row]) : frames_[parent];
    frames_[row] = tree_.Child(around, names_.OfHost(row), HostFlameKind(trace_, row));
  }

  const HostEvents& host_;
  const Trace& trace_;
  FlameNames names_;
  FlameTree& tree_;
  FlameThreads& threads_;
  const OpTree* merged_;
  std::vector<uint32_t> frames_;
  std::vector<uint32_t> path_;
};

}  // namespace

uint32_t FlameThreads::FrameOf(ThreadIndex thread) {
  if (!split_) return kNoRow;
  uint32_t& frame = frames_[thread];
  if (frame == kNoRow) {
    const Thread& known = trace_.threads()[thread];
    const std::string name = known.name.empty() ? "thread " + known.label : known.name;
    const std::string& process = known.process_name.empty() ? known.process_label : known.process_name;
    // Threads of one process and name are one frame.
    frame = tree_.Child(kNoRow, tree_.OwnName(process.empty() ? name : process + ", " + name), FlameKind::kThread);
  }
  return frame;
}

void FoldHostTime(const Trace& trace, const Selection& selection, bool split, FlameTree& tree) {
  const OpTree ops(trace, selection);
  FlameThreads threads(trace, tree, split);
  HostFrames frames(trace, tree, threads, &ops);
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (!ops.Has(row)) continue;
    const bool starts = ops.Starts(row);
    const Ns self_ns = ops.self_ns(row);
    if (!starts && self_ns == 0 && ops.duration_ns(row) == 0) continue;
    tree.Add(frames.FrameOf(row), self_ns, starts && !ops.merged(row) ? 1 : 0);
  }
}

void FoldPythonTime(const Trace& trace, const Selection& selection, bool split, FlameTree& tree) {
  const HostEvents& host = trace.host();
  FlameThreads threads(trace, tree, split);
  HostFrames frames(trace, tree, threads, nullptr);
  const Interval window = selection.range.value_or(Interval{kMinNs, kMaxNs});
  const auto inside_ns = [&](uint32_t row) { return Intersect({host.start_ns[row], host.end_ns[row]}, window).duration(); };
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (!IsFrame(host.kind[row])) continue;
    const Ns time_ns = inside_ns(row);
    const bool starts = window.Contains(host.start_ns[row]);
    if (time_ns == 0 && !starts) continue;
    tree.Add(frames.FrameOf(row), time_ns, starts ? 1 : 0);
    const uint32_t parent = host.parent[row];
    if (parent != kNoRow) tree.Add(frames.FrameOf(parent), -time_ns, 0);
  }
}

}  // namespace warpsight
