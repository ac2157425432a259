// LaneIndex: the events of one table by lane, so that what a lane shows of any range of time costs time by its pixels and
// not by its events.
//
// Place in the flow: rows and lanes of tracks (track_list) -> LaneIndex -> slices of a Viewport -> tile. The rows of a lane
// are sorted by start and do not overlap, so their ends are sorted too. Over all lanes, one behind the other, lie blocks of
// kBlock events with their first start, the sum of durations before them and their longest event; over these two coarser
// levels of longest events. Per event: 4 bytes of order, 1 of lane, 21 a block.
//
// What a lane shows (docs/design/http-api.md): an event as wide as a pixel, and one that began before the range, is a slice
// of its own; the others that start in the same pixel are one slice together. Since events of a lane do not overlap, a pixel
// has at most one wide start, and it is the last there. Units: ns. Errors: none. Threads: immutable once built.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "base/time.h"
#include "server/api/viewport.h"

namespace warpsight::server {

// One thing to draw. Of several events: from the first start to the last end, and the row of the longest (of the first of
// these).
struct Slice {
  Ns start = 0;
  Ns end = 0;
  uint32_t row = 0;
  uint32_t events = 1;
  float busy = 1;  // share of the time that events fill; 0 when it has no length
  uint32_t lane = 0;
};

class LaneIndex {
 public:
  LaneIndex() = default;
  // The columns of the table, by row; borrowed.
  LaneIndex(std::span<const Ns> start_ns, std::span<const Ns> end_ns);

  // Appends a group of lanes: `count` events by start, the i-th of them row `row_of(i)` and on lane `lanes[i]` of
  // `lane_count`. Returns the number of the first lane. A row belongs to one group.
  uint32_t AddGroup(uint32_t count, const std::function<uint32_t(uint32_t)>& row_of, std::span<const uint32_t> lanes,
                    uint32_t lane_count);
  // After the last group.
  void Finish();

  uint32_t lanes() const { return static_cast<uint32_t>(lane_begin_.size()) - 1; }
  std::span<const uint32_t> rows(uint32_t lane) const {
    return std::span(order_).subspan(lane_begin_[lane], lane_begin_[lane + 1] - lane_begin_[lane]);
  }
  // The lane of a row among the `lane_count` lanes of its group from `first_lane` on.
  uint32_t LaneOf(uint32_t row, uint32_t first_lane, uint32_t lane_count) const;

  // Appends what the lane shows, by start; stops when `slices` holds more than `most`.
  void Collect(uint32_t lane, const Viewport& view, size_t most, std::vector<Slice>& slices) const;

  size_t bytes() const;

 private:
  static constexpr uint32_t kBlock = 16;
  static constexpr uint32_t kBlocksUp = 16;  // entries of a level that one of the next stands for
  static constexpr uint8_t kFarLane = 255;

  // The longest event of a stretch; durations of 4 s and more are equal here and compared by looking them up.
  struct Longest {
    uint32_t duration_ns = 0;
    uint32_t at = 0;
  };
  struct Total {
    uint64_t busy_ns = 0;
    Longest longest;
    bool empty = true;
  };

  Ns StartAt(uint32_t at) const { return start_ns_[order_[at]]; }
  Ns EndAt(uint32_t at) const { return end_ns_[order_[at]]; }
  uint64_t DurationAt(uint32_t at) const {
    const uint32_t row = order_[at];
    return end_ns_[row] > start_ns_[row] ? static_cast<uint64_t>(end_ns_[row]) - static_cast<uint64_t>(start_ns_[row]) : 0;
  }
  bool IsLonger(const Longest& one, const Longest& other) const;
  void Join(Total& total, const Longest& longest) const;
  void JoinEvents(Total& total, uint32_t begin, uint32_t end) const;
  void JoinLevel(Total& total, int level, uint32_t begin, uint32_t end) const;
  Longest EntryOf(int level, uint32_t entry) const;
  Total TotalOf(uint32_t begin, uint32_t end) const;
  // The first place in [from, end) that starts at `time` or later.
  uint32_t FirstFrom(uint32_t from, uint32_t end, Ns time) const;
  void BuildBlocks();
  void BuildLevel(int level);
  uint32_t EntriesOf(int level) const;

  std::span<const Ns> start_ns_;
  std::span<const Ns> end_ns_;
  LargeVector<uint32_t> order_;              // rows by lane, then start
  LargeVector<uint8_t> lane_of_row_;         // within its group; kFarLane = look for it
  std::vector<uint32_t> lane_begin_ = {0};   // places in order_
  LargeVector<Ns> block_start_ns_;           // of the first event
  LargeVector<uint64_t> block_busy_before_;  // durations of all events before, modulo 2^64
  LargeVector<uint32_t> block_longest_ns_;
  LargeVector<uint8_t> block_longest_;  // its place in the block
  // Coarser levels: which of the entries below an entry holds the longest event.
  static constexpr int kLevels = 2;
  LargeVector<uint8_t> levels_[kLevels];
};

}  // namespace warpsight::server
