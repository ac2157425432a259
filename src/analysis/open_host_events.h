// OpenHostEvents: which event a host thread was in, moment by moment, in one forward sweep.
//
// At each moment the innermost open event counts: the one that started last, over both layers of the thread (calls and
// Python frames) and the profiler's own records that hang below its calls. Equal starts: frames lie outside of calls, calls
// outside of the profiler's records, and within a layer the longer event is outside.
// Cost: every event is pushed and popped once a sweep, however deep the stacks are and however many intervals are visited.
// Place in the flow: names the host time of idle gaps. Thread-compatible; one sweep belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

// Overhead records by the host thread that they interrupted, which is not the thread that the recorder wrote them on.
std::vector<std::vector<uint32_t>> OverheadByThread(const Trace& trace);

class OpenHostEvents {
 public:
  // `overhead` holds host rows sorted by start and must outlive the sweep.
  OpenHostEvents(const Trace& trace, ThreadIndex thread, std::span<const uint32_t> overhead);

  // Calls visit(row, time) for consecutive parts of `interval`; row is the innermost open event or kNoRow. Intervals must
  // come in time order and be disjoint.
  template <typename Visit>
  void ForEach(Interval interval, Visit visit);

 private:
  // Frames, calls, the profiler's own records: from the outermost to the innermost.
  static constexpr size_t kLayers = 3;

  struct Open {
    uint32_t row;
    Ns end;
  };

  uint32_t NextRow(size_t layer) const { return layer == kLayers - 1 ? overhead_[cursor_[layer]] : cursor_[layer]; }
  // Reads the start of the layer's next event, and which layer has the earliest.
  void Advance(size_t layer);
  // Puts every event on the stack that starts at or before `t` and is still open then.
  void OpenUntil(Ns t);

  const HostEvents& host_;
  std::span<const uint32_t> overhead_;
  std::array<uint32_t, kLayers> cursor_;  // rows of frames, rows of calls, index into overhead_
  std::array<uint32_t, kLayers> limit_;
  std::array<Ns, kLayers> starts_ = {kMaxNs, kMaxNs, kMaxNs};  // of the layer's next event
  size_t next_layer_ = 0;
  Ns next_start_ = kMaxNs;  // kMaxNs: no more events
  std::vector<Open> open_;  // by start; ended events may linger below the top
};

template <typename Visit>
void OpenHostEvents::ForEach(Interval interval, Visit visit) {
  Ns t = interval.start;
  OpenUntil(t);
  while (t < interval.end) {
    while (!open_.empty() && open_.back().end <= t) open_.pop_back();
    Ns next = std::min(interval.end, next_start_);
    uint32_t row = kNoRow;
    if (!open_.empty()) {
      next = std::min(next, open_.back().end);
      row = open_.back().row;
    }
    visit(row, Interval{t, next});
    t = next;
    if (next_start_ <= t) OpenUntil(t);
  }
}

}  // namespace warpsight
