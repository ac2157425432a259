#include "server/api/lane_index.h"

#include <algorithm>
#include <limits>

namespace warpsight::server {
namespace {

constexpr uint32_t kLongNs = std::numeric_limits<uint32_t>::max();

uint32_t Saturated(uint64_t duration_ns) { return static_cast<uint32_t>(std::min<uint64_t>(duration_ns, kLongNs)); }

template <typename T>
size_t BytesOf(const T& column) {
  return column.capacity() * sizeof(column[0]);
}

}  // namespace

LaneIndex::LaneIndex(std::span<const Ns> start_ns, std::span<const Ns> end_ns) : start_ns_(start_ns), end_ns_(end_ns) {
  order_.reserve(start_ns.size());
  lane_of_row_.resize(start_ns.size());
}

uint32_t LaneIndex::AddGroup(uint32_t count, const std::function<uint32_t(uint32_t)>& row_of,
                             std::span<const uint32_t> lanes, uint32_t lane_count) {
  const uint32_t first_lane = this->lanes();
  const auto first_place = static_cast<uint32_t>(order_.size());
  std::vector<uint32_t> next(size_t{lane_count} + 1, 0);
  for (const uint32_t lane : lanes) ++next[lane + 1];
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    next[lane + 1] += next[lane];
    lane_begin_.push_back(first_place + next[lane + 1]);
  }
  order_.resize(first_place + count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t row = row_of(i);
    order_[first_place + next[lanes[i]]++] = row;
    lane_of_row_[row] = static_cast<uint8_t>(std::min<uint32_t>(lanes[i], kFarLane));
  }
  return first_lane;
}

void LaneIndex::Finish() {
  BuildBlocks();
  for (int level = 0; level < kLevels; ++level) BuildLevel(level);
}

uint32_t LaneIndex::LaneOf(uint32_t row, uint32_t first_lane, uint32_t lane_count) const {
  if (lane_of_row_[row] != kFarLane) return lane_of_row_[row];
  for (uint32_t lane = kFarLane; lane < lane_count; ++lane) {
    const std::span<const uint32_t> rows = this->rows(first_lane + lane);
    // The rows of a group come by start and so by their number: its table is sorted.
    if (std::binary_search(rows.begin(), rows.end(), row)) return lane;
  }
  return 0;
}

void LaneIndex::Collect(uint32_t lane, const Viewport& view, size_t most, std::vector<Slice>& slices) const {
  const uint32_t end = lane_begin_[lane + 1];
  uint32_t at = lane_begin_[lane];
  if (at == end || StartAt(at) >= view.end() || EndAt(end - 1) < view.start()) return;
  const uint64_t wide_ns = view.pixel_ns();
  const auto add = [&](uint32_t place) {
    const uint32_t row = order_[place];
    slices.push_back({start_ns_[row], std::max(start_ns_[row], end_ns_[row]), row, 1, 1, lane});
  };
  const uint32_t begin = at;
  at = FirstFrom(at, end, view.start());
  if (at > begin && EndAt(at - 1) > view.start()) add(at - 1);
  while (at < end && slices.size() <= most) {
    const Ns start = StartAt(at);
    if (start >= view.end()) return;
    uint32_t behind = FirstFrom(at + 1, end, view.PixelEnd(view.PixelOf(start)));
    const uint32_t last = behind - 1;
    const bool last_is_wide = DurationAt(last) >= wide_ns;
    if (last_is_wide) --behind;
    if (behind - at == 1) {
      add(at);
    } else if (behind > at) {
      const Total total = TotalOf(at, behind);
      const Ns to = std::max(StartAt(behind - 1), EndAt(behind - 1));
      const uint64_t length = static_cast<uint64_t>(to) - static_cast<uint64_t>(start);
      const double busy = length == 0 ? 0 : static_cast<double>(total.busy_ns) / static_cast<double>(length);
      slices.push_back({start, to, order_[total.longest.at], behind - at, static_cast<float>(busy), lane});
    }
    if (last_is_wide) add(last);
    at = last + 1;
  }
}

uint32_t LaneIndex::FirstFrom(uint32_t from, uint32_t end, Ns time) const {
  // Near, the events are looked at themselves; far, their blocks, whose starts lie side by side.
  constexpr uint32_t kSteps = 4;
  const uint32_t next_block = from / kBlock + 1;
  const bool is_far = next_block * kBlock < end && block_start_ns_[next_block] < time;
  for (uint32_t i = 0; i < kSteps && !is_far; ++i, ++from) {
    if (from >= end || StartAt(from) >= time) return from;
  }
  // Whole blocks before `time`, in steps that double; then the last of them is looked through.
  uint32_t low = from / kBlock;  // starts before `time`, or holds `from`
  const uint32_t blocks = (end - 1) / kBlock + 1;
  uint32_t step = 1;
  uint32_t high = low + 1;
  while (high < blocks && block_start_ns_[high] < time) {
    low = high;
    high += step;
    step *= 2;
  }
  high = std::min(high, blocks);
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (block_start_ns_[middle] < time ? low : high) = middle;
  }
  // Each look would wait for memory, one after the other; asked for together they come together. What lies before `time` is
  // added up next.
  if (is_far) {
    for (uint32_t at = low * kBlock; at < std::min(end, (low + 1) * kBlock); ++at) {
      __builtin_prefetch(&start_ns_[order_[at]]);
      __builtin_prefetch(&end_ns_[order_[at]]);
    }
  }
  uint32_t first = std::max(from, low * kBlock);
  uint32_t behind = std::min(end, (low + 1) * kBlock);
  while (first < behind) {
    const uint32_t middle = first + (behind - first) / 2;
    if (StartAt(middle) < time) {
      first = middle + 1;
    } else {
      behind = middle;
    }
  }
  return first;
}

bool LaneIndex::IsLonger(const Longest& one, const Longest& other) const {
  if (one.duration_ns != other.duration_ns) return one.duration_ns > other.duration_ns;
  return one.duration_ns == kLongNs && DurationAt(one.at) > DurationAt(other.at);
}

void LaneIndex::Join(Total& total, const Longest& longest) const {
  if (total.empty || IsLonger(longest, total.longest)) total.longest = longest;
  total.empty = false;
}

void LaneIndex::JoinEvents(Total& total, uint32_t begin, uint32_t end) const {
  for (uint32_t at = begin; at < end; ++at) {
    const uint64_t duration_ns = DurationAt(at);
    total.busy_ns += duration_ns;
    Join(total, {Saturated(duration_ns), at});
  }
}

LaneIndex::Longest LaneIndex::EntryOf(int level, uint32_t entry) const {
  if (level == 0) return {block_longest_ns_[entry], entry * kBlock + block_longest_[entry]};
  return EntryOf(level - 1, entry * kBlocksUp + levels_[level - 1][entry]);
}

uint32_t LaneIndex::EntriesOf(int level) const {
  return static_cast<uint32_t>(level == 0 ? block_longest_.size() : levels_[level - 1].size());
}

// The longest of the entries [begin, end) of a level (0 = blocks), by the coarser levels where they are covered whole.
void LaneIndex::JoinLevel(Total& total, int level, uint32_t begin, uint32_t end) const {
  const uint32_t up_begin = (begin + kBlocksUp - 1) / kBlocksUp;
  const uint32_t up_end = end / kBlocksUp;
  if (level == kLevels || up_begin >= up_end) {
    for (uint32_t entry = begin; entry < end; ++entry) Join(total, EntryOf(level, entry));
    return;
  }
  for (uint32_t entry = begin; entry < up_begin * kBlocksUp; ++entry) Join(total, EntryOf(level, entry));
  JoinLevel(total, level + 1, up_begin, up_end);
  for (uint32_t entry = up_end * kBlocksUp; entry < end; ++entry) Join(total, EntryOf(level, entry));
}

LaneIndex::Total LaneIndex::TotalOf(uint32_t begin, uint32_t end) const {
  Total total;
  const uint32_t first_block = (begin + kBlock - 1) / kBlock;
  const uint32_t end_block = end / kBlock;
  if (first_block >= end_block) {
    JoinEvents(total, begin, end);
    return total;
  }
  JoinEvents(total, begin, first_block * kBlock);
  total.busy_ns += block_busy_before_[end_block] - block_busy_before_[first_block];
  JoinLevel(total, 0, first_block, end_block);
  JoinEvents(total, end_block * kBlock, end);
  return total;
}

void LaneIndex::BuildBlocks() {
  const auto events = static_cast<uint32_t>(order_.size());
  const uint32_t blocks = (events + kBlock - 1) / kBlock;
  block_start_ns_.resize(blocks);
  block_longest_ns_.resize(blocks);
  block_longest_.resize(blocks);
  // One more: what is before the end.
  block_busy_before_.resize(blocks + 1);
  uint64_t before = 0;
  for (uint32_t block = 0; block < blocks; ++block) {
    Total total;
    const uint32_t begin = block * kBlock;
    JoinEvents(total, begin, std::min(events, begin + kBlock));
    block_start_ns_[block] = StartAt(begin);
    block_busy_before_[block] = before;
    block_longest_ns_[block] = total.longest.duration_ns;
    block_longest_[block] = static_cast<uint8_t>(total.longest.at - begin);
    before += total.busy_ns;
  }
  block_busy_before_[blocks] = before;
}

void LaneIndex::BuildLevel(int level) {
  const uint32_t below = EntriesOf(level);
  const uint32_t entries = (below + kBlocksUp - 1) / kBlocksUp;
  LargeVector<uint8_t>& coarse = levels_[level];
  coarse.resize(entries);
  for (uint32_t entry = 0; entry < entries; ++entry) {
    const uint32_t begin = entry * kBlocksUp;
    Total total;
    uint32_t best = begin;
    for (uint32_t i = begin; i < std::min(below, begin + kBlocksUp); ++i) {
      const Longest one = EntryOf(level, i);
      if (total.empty || IsLonger(one, total.longest)) best = i;
      Join(total, one);
    }
    coarse[entry] = static_cast<uint8_t>(best - begin);
  }
}

size_t LaneIndex::bytes() const {
  size_t bytes = BytesOf(order_) + BytesOf(lane_of_row_) + BytesOf(lane_begin_) + BytesOf(block_start_ns_) +
                 BytesOf(block_busy_before_) + BytesOf(block_longest_ns_) + BytesOf(block_longest_);
  for (const LargeVector<uint8_t>& level : levels_) bytes += BytesOf(level);
  return bytes;
}

}  // namespace warpsight::server
