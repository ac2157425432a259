#include "server/api/computed_counter.h"

#include <algorithm>
#include <cstdint>

#include "trace/run_sort.h"

namespace warpsight::server {

BusyShare::BusyShare(const Trace& trace, const Device& device) {
  for (uint32_t row = device.first_work; row < device.end_work; ++row)
    busy_.Append({trace.gpu().start_ns[row], trace.gpu().end_ns[row]});
}

std::vector<CounterPoint> BusyShare::Collect(const Viewport& view) const {
  constexpr double kPercent = 100;
  std::vector<CounterPoint> points;
  Ns start = view.start();
  for (uint32_t pixel = 0; pixel < view.pixels(); ++pixel) {
    const Ns end = view.PixelEnd(pixel);
    if (end == start) continue;  // more pixels than ns
    const double length = static_cast<double>(static_cast<uint64_t>(end) - static_cast<uint64_t>(start));
    const double share = kPercent * static_cast<double>(busy_.Measure({start, end})) / length;
    if (points.empty() || points.back().last != share) points.push_back({start, share, share, share});
    start = end;
  }
  return points;
}

QueueDepth::QueueDepth(const Trace& trace, std::span<const uint32_t> rows) : trace_(trace) {
  const GpuWork& gpu = trace.gpu();
  for (const uint32_t row : rows) {
    const uint32_t launch = gpu.launch[row];
    if (launch == kNoRow || trace.host().end_ns[launch] >= gpu.start_ns[row]) continue;
    launched_ns_.push_back(trace.host().end_ns[launch]);
    begun_.push_back(row);
  }
  RunSort(launched_ns_, [](Ns a, Ns b) { return a < b; });
  BuildBlocks();
}

// All changes of one time are one sample.
QueueDepth::Place QueueDepth::Next(Place place) const {
  const Ns time = TimeOf(place);
  while (place.launched < launched_ns_.size() && launched_ns_[place.launched] == time) ++place.launched;
  while (place.begun < begun_.size() && BegunAt(place.begun) == time) ++place.begun;
  return place;
}

void QueueDepth::BuildBlocks() {
  Place place;
  while (!AtEnd(place)) {
    Block block{place, INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < kBlock && !AtEnd(place); ++i) {
      place = Next(place);
      const auto value = static_cast<int32_t>(std::min<int64_t>(ValueBefore(place), INT32_MAX));
      block.least = std::min(block.least, value);
      block.greatest = std::max(block.greatest, value);
      ++changes_;
    }
    greatest_ = std::max(greatest_, static_cast<double>(block.greatest));
    blocks_.push_back(block);
  }
}

std::vector<CounterPoint> QueueDepth::Collect(const Viewport& view) const {
  std::vector<CounterPoint> points;
  // The last block that begins before the range; in it the last sample before the range.
  auto next_block = static_cast<size_t>(
      std::ranges::lower_bound(blocks_, view.start(), {}, [this](const Block& block) { return TimeOf(block.first); }) -
      blocks_.begin());
  Place place = next_block == 0 ? Place{} : blocks_[next_block - 1].first;
  std::optional<Ns> before;
  while (!AtEnd(place) && TimeOf(place) < view.start()) {
    before = TimeOf(place);
    place = Next(place);
  }
  if (before) {
    const auto value = static_cast<double>(ValueBefore(place));
    points.push_back({*before, value, value, value});
  }
  while (!AtEnd(place) && TimeOf(place) < view.end()) {
    const Ns behind_pixel = view.PixelEnd(view.PixelOf(TimeOf(place)));
    CounterPoint point{TimeOf(place), static_cast<double>(INT32_MAX), static_cast<double>(INT32_MIN), 0};
    while (!AtEnd(place) && TimeOf(place) < behind_pixel) {
      while (next_block < blocks_.size() && IsBehind(place, blocks_[next_block].first)) ++next_block;
      // A block that lies in the pixel as a whole: at its first sample, and the next begins in the pixel.
      const bool at_block = next_block < blocks_.size() && blocks_[next_block].first == place;
      if (at_block && next_block + 1 < blocks_.size() && TimeOf(blocks_[next_block + 1].first) < behind_pixel) {
        point.min = std::min(point.min, static_cast<double>(blocks_[next_block].least));
        point.max = std::max(point.max, static_cast<double>(blocks_[next_block].greatest));
        place = blocks_[++next_block].first;
        continue;
      }
      place = Next(place);
      const auto value = static_cast<double>(ValueBefore(place));
      point.min = std::min(point.min, value);
      point.max = std::max(point.max, value);
    }
    point.last = static_cast<double>(ValueBefore(place));
    points.push_back(point);
  }
  return points;
}

size_t QueueDepth::bytes() const {
  return launched_ns_.capacity() * sizeof(Ns) + begun_.capacity() * sizeof(uint32_t) + blocks_.capacity() * sizeof(Block);
}

}  // namespace warpsight::server
