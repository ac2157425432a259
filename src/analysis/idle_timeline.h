// IdleTimeline: all idle time of a device over the whole capture, classified, and its cut to any window.
//
// Classifying once and cutting afterwards gives a step's head and tail their true cause, and lets the classes of
// consecutive windows add up. A gap is one idle interval; it consists of consecutive pieces of one class each.
// Place in the flow: idle_classifier.h fills it; the idle pass, the diagnosis rules and reports cut it.
// Units: ns. Thread-compatible after construction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/idle_classes.h"
#include "trace/trace.h"

namespace warpsight {

struct IdlePiece {
  Interval time;
  IdleClass kind = IdleClass::kEdge;
};

struct IdleInterval {
  Interval time;
  uint32_t first_piece = 0;
  uint32_t end_piece = 0;
  uint32_t before = kNoRow;  // GPU row that ended last, at its start; kNoRow at the head of the capture
  uint32_t after = kNoRow;   // GPU row that ends it; kNoRow at the end of the capture
  DeviceWait wait = DeviceWait::kNone;
};

class IdleTimeline {
 public:
  IdleTimeline(int32_t device, Interval capture) : device_(device), capture_(capture) {}

  // Makes place for so many gaps, mostly of one piece each.
  void Reserve(size_t gaps);
  // Gaps come in time order, each opened, given its pieces and closed. The pieces fill its time without holes; empty ones
  // are dropped.
  void OpenGap(Interval time, uint32_t before, uint32_t after);
  void AddPiece(Interval time, IdleClass kind);
  void CloseGap(DeviceWait wait = DeviceWait::kNone);

  int32_t device() const { return device_; }
  Interval capture() const { return capture_; }
  const std::vector<IdleInterval>& gaps() const { return gaps_; }
  std::span<const IdlePiece> pieces(const IdleInterval& gap) const {
    return std::span(pieces_).subspan(gap.first_piece, gap.end_piece - gap.first_piece);
  }

  // Idle time inside `window` by class. What of the window lies outside of the capture is edge.
  IdleParts Cut(Interval window) const;
  // The same for one gap.
  IdleParts Cut(const IdleInterval& gap, Interval window) const;
  // Gaps that share time with `window`: [first, end) of gaps().
  std::pair<uint32_t, uint32_t> GapsIn(Interval window) const;

  // GPU work that ends a gap and starts before its launch call does.
  int64_t launch_after_start = 0;

 private:
  // A sum for every gap would be as large as all the rest.
  static constexpr size_t kGapsPerSum = 64;
  // Time by class in gaps_[0..end).
  IdleParts Before(size_t end) const;

  int32_t device_ = 0;
  Interval capture_;
  std::vector<IdleInterval> gaps_;
  std::vector<IdlePiece> pieces_;
  std::vector<IdleParts> before_;  // time by class in gaps_[0..i), for every kGapsPerSum-th i
  IdleParts total_ = {};
  Ns covered_end_ = 0;  // of the open gap
};

}  // namespace warpsight
