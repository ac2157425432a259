#include "analysis/idle_timeline.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {

void IdleTimeline::Reserve(size_t gaps) {
  gaps_.reserve(gaps);
  pieces_.reserve(gaps);
}

// Gaps and pieces are written where they stay, field by field: a processor that copies a struct which was just written so
// waits for its parts to reach memory.
void IdleTimeline::OpenGap(Interval time, uint32_t before, uint32_t after) {
  CHECK(gaps_.empty() || gaps_.back().time.end <= time.start);
  if (gaps_.size() % kGapsPerSum == 0) before_.push_back(total_);
  IdleInterval& gap = gaps_.emplace_back();
  gap.time.start = time.start;
  gap.time.end = time.end;
  gap.first_piece = static_cast<uint32_t>(pieces_.size());
  gap.before = before;
  gap.after = after;
  covered_end_ = time.start;
}

void IdleTimeline::AddPiece(Interval time, IdleClass kind) {
  if (time.empty()) return;
  CHECK(time.start == covered_end_);
  covered_end_ = time.end;
  PartOf(total_, kind) += time.duration();
  IdlePiece& piece = pieces_.emplace_back();
  piece.time.start = time.start;
  piece.time.end = time.end;
  piece.kind = kind;
}

void IdleTimeline::CloseGap(DeviceWait wait) {
  CHECK(covered_end_ == gaps_.back().time.end);
  gaps_.back().end_piece = static_cast<uint32_t>(pieces_.size());
  gaps_.back().wait = wait;
}

IdleParts IdleTimeline::Cut(const IdleInterval& gap, Interval window) const {
  IdleParts parts = {};
  for (const IdlePiece& piece : pieces(gap)) PartOf(parts, piece.kind) += Intersect(piece.time, window).duration();
  return parts;
}

std::pair<uint32_t, uint32_t> IdleTimeline::GapsIn(Interval window) const {
  if (window.empty()) return {0, 0};
  const auto first = std::upper_bound(gaps_.begin(), gaps_.end(), window.start,
                                      [](Ns time, const IdleInterval& gap) { return time < gap.time.end; });
  const auto end = std::lower_bound(first, gaps_.end(), window.end,
                                    [](const IdleInterval& gap, Ns time) { return gap.time.start < time; });
  return {static_cast<uint32_t>(first - gaps_.begin()), static_cast<uint32_t>(end - gaps_.begin())};
}

IdleParts IdleTimeline::Before(size_t end) const {
  if (end == 0) return {};
  const size_t sum = std::min(end / kGapsPerSum, before_.size() - 1);
  IdleParts parts = before_[sum];
  for (size_t gap = sum * kGapsPerSum; gap < end; ++gap) {
    for (const IdlePiece& piece : pieces(gaps_[gap])) PartOf(parts, piece.kind) += piece.time.duration();
  }
  return parts;
}

IdleParts IdleTimeline::Cut(Interval window) const {
  IdleParts parts = {};
  if (window.empty()) return parts;
  const auto [first, end] = GapsIn(window);
  if (first < end) {
    // Whole gaps by prefix sums; only the first and the last can reach over the window's borders.
    parts = Cut(gaps_[first], window);
    if (end - first > 1) {
      const IdleParts last = Cut(gaps_[end - 1], window);
      const IdleParts until_last = Before(end - 1);
      const IdleParts until_second = Before(first + 1);
      for (size_t kind = 0; kind < kIdleClassCount; ++kind)
        parts[kind] += last[kind] + until_last[kind] - until_second[kind];
    }
  }
  const Ns inside = Intersect(window, capture_).duration();
  PartOf(parts, IdleClass::kEdge) += window.duration() - inside;
  return parts;
}

}  // namespace warpsight
