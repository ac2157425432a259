// ComputedCounter: a counter that was not sampled but follows from the events of a device: what share of the time it was
// busy, and how much work was waiting for it.
//
// Place in the flow: Trace -> ComputedCounter -> TrackList -> points of a Viewport -> tile. Both are exact for any viewport.
//   BusyShare   % of a pixel's time in which work of any stream ran: one value a pixel, left out where it is that of the
//               pixel before. Two binary searches a pixel
//   QueueDepth  work whose launch call had returned and that had not begun. A sample at every time at which it changes, or
//               one piece comes as another goes; points as of sampled counters (counter_blocks.h). 12 bytes a queued piece
//               of work, and 16 for each 64 samples, which hold their least and greatest value
// Work without a known launch, and work that begins before its call returns, never waits. Units: ns. Errors: none. Threads:
// immutable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/interval_union.h"
#include "base/large_vector.h"
#include "server/api/counter_blocks.h"
#include "server/api/viewport.h"
#include "trace/trace.h"

namespace warpsight::server {

class ComputedCounter {
 public:
  virtual ~ComputedCounter() = default;
  virtual std::vector<CounterPoint> Collect(const Viewport& view) const = 0;
  // Least and greatest value that it can have.
  virtual std::pair<double, double> Limits() const = 0;
  virtual std::string_view unit() const = 0;  // empty = none
  virtual int64_t changes() const = 0;
  virtual size_t bytes() const = 0;
};

class BusyShare final : public ComputedCounter {
 public:
  BusyShare(const Trace& trace, const Device& device);
  std::vector<CounterPoint> Collect(const Viewport& view) const override;
  std::pair<double, double> Limits() const override { return {0, 100}; }
  std::string_view unit() const override { return "%"; }
  int64_t changes() const override { return 2 * static_cast<int64_t>(busy_.merged().size()); }
  size_t bytes() const override { return busy_.merged().size() * (sizeof(Interval) + sizeof(uint64_t)); }

 private:
  IntervalUnion busy_;
};

class QueueDepth final : public ComputedCounter {
 public:
  // Of the work in `rows`, which come by start.
  QueueDepth(const Trace& trace, std::span<const uint32_t> rows);
  std::vector<CounterPoint> Collect(const Viewport& view) const override;
  std::pair<double, double> Limits() const override { return {0, greatest_}; }
  std::string_view unit() const override { return {}; }
  int64_t changes() const override { return changes_; }
  size_t bytes() const override;
  // Whether anything ever waits.
  bool empty() const { return begun_.empty(); }

 private:
  static constexpr uint32_t kBlock = 64;
  // Before a sample: how many were launched and have begun.
  struct Place {
    uint32_t launched = 0;
    uint32_t begun = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Block {
    Place first;
    int32_t least = 0;
    int32_t greatest = 0;
  };
  // kMaxNs behind the last.
  Ns LaunchedAt(uint32_t i) const { return i < launched_ns_.size() ? launched_ns_[i] : kMaxNs; }
  Ns BegunAt(uint32_t i) const { return i < begun_.size() ? trace_.gpu().start_ns[begun_[i]] : kMaxNs; }
  bool AtEnd(const Place& place) const { return place.begun == begun_.size(); }
  Ns TimeOf(const Place& place) const { return std::min(LaunchedAt(place.launched), BegunAt(place.begun)); }
  static int64_t ValueBefore(const Place& place) { return int64_t{place.launched} - int64_t{place.begun}; }
  static bool IsBehind(const Place& place, const Place& other) {
    return place.launched + place.begun > other.launched + other.begun;
  }
  Place Next(Place place) const;
  void BuildBlocks();

  const Trace& trace_;
  LargeVector<Ns> launched_ns_;  // sorted
  LargeVector<uint32_t> begun_;  // rows by start
  std::vector<Block> blocks_;
  int64_t changes_ = 0;
  double greatest_ = 0;
};

}  // namespace warpsight::server
