#include "analysis/idle_timeline.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {

void IdleTimeline::Reserve(size_t gaps) {
  gaps_.reserve(gaps);
  pieces_.reserve(gaps);
}

void IdleTimeline::Append(IdleInterval gap, std::span<const IdlePiece> pieces) {
  CHECK(gaps_.empty() || gaps_.back().time.end <= gap.time.start);
  if (gaps_.size() % kGapsPerSum == 0) before_.push_back(total_);
  gap.first_piece = static_cast<uint32_t>(pieces_.size());
  Ns covered_end = gap.time.start;
  for (const IdlePiece& piece : pieces) {
    if (piece.time.empty()) continue;
    CHECK(piece.time.start == covered_end);
    covered_end = piece.time.end;
    PartOf(total_, piece.kind) += piece.time.duration();
    pieces_.push_back(piece);
  }
  CHECK(covered_end == gap.time.end);
  gap.end_piece = static_cast<uint32_t>(pieces_.size());
  gaps_.push_back(gap);
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
