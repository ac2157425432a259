// ReduceLane: the events of one stream or thread as a bounded number of spans for a picture, without hiding a gap.
//
// The window is cut into columns (about one pixel each). An event at least kOwnColumns wide stays a span of its own, with
// its exact borders. Shorter ones are summed a column: the span of a column holds how much of it was busy, and which
// category took most of that. Neighbouring columns join when they would be drawn alike (same category, same height). So:
//   - the busy times of all spans add up to the measure of the union of the events, to the nanosecond;
//   - a column in which nothing ran has no span.
// Place in the flow: rows of a Trace -> LaneEvent -> this -> TimelineStrip. Units: ns. Errors: none. Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "document/chart.h"

namespace warpsight {

inline constexpr std::size_t kMostCategories = 16;

struct LaneEvent {
  Interval time;
  std::size_t category = 0;  // below kMostCategories
  std::string_view label;
  bool is_kernel = false;  // the label is a kernel's name: spans get its short form
};

// `events` sorted by start; they may overlap (time counts once, for the event that started first). At most about
// 2 * columns spans come back, sorted and disjoint.
std::vector<Span> ReduceLane(std::span<const LaneEvent> events, Interval window, std::size_t columns);

}  // namespace warpsight
