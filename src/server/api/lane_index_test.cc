// The index against a plain reading of the rule, on many random tracks and viewports.
#include "server/api/lane_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "server/api/lane_assigner.h"

namespace warpsight::server {
namespace {

struct RandomTrack {
  std::vector<Ns> starts;
  std::vector<Ns> ends;
  std::vector<uint32_t> lanes;
  uint32_t lane_count = 0;
};

// Sorted by start, then end, as rows of a stream are.
RandomTrack MakeRandomTrack(std::mt19937& random) {
  const auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
  const int64_t count = 1 + below(random() % 4 == 0 ? 3000 : 200);
  const int64_t spans[] = {50, 5000, 1'000'000, int64_t{1} << 40, int64_t{1} << 61};
  const int64_t span = spans[below(5)];
  const int64_t lengths[] = {2, 100, 5000, span / count * 2 + 2, span};
  const int64_t longest = lengths[below(5)];
  const Ns zero = below(3) == 0 ? -span / 2 : below(1'000'000'000'000);
  std::vector<std::pair<Ns, Ns>> events;
  for (int64_t i = 0; i < count; ++i) {
    const Ns start = zero + below(span);
    const int64_t most = below(10) == 0 ? longest : std::max<int64_t>(1, longest / 10);
    events.emplace_back(start, SaturatingAdd(start, below(5) == 0 ? 0 : below(most)));
  }
  std::ranges::sort(events);
  RandomTrack track;
  LaneAssigner assigner;
  for (const auto& [start, end] : events) {
    track.starts.push_back(start);
    track.ends.push_back(end);
    track.lanes.push_back(assigner.Place(start, end));
  }
  track.lane_count = assigner.lanes();
  return track;
}

LaneIndex IndexOf(const RandomTrack& track) {
  LaneIndex index(track.starts, track.ends);
  index.AddGroup(
      static_cast<uint32_t>(track.starts.size()), [](uint32_t i) { return i; }, track.lanes, track.lane_count);
  index.Finish();
  return index;
}

// By the words of docs/design/http-api.md.
std::vector<Slice> SlowSlices(const RandomTrack& track, uint32_t lane, Ns start, Ns end, uint32_t pixels) {
  using Wide = __int128;
  const Wide range = Wide{end} - start;
  std::vector<Slice> slices;
  std::map<int64_t, std::vector<uint32_t>> narrow;  // by pixel
  for (uint32_t row = 0; row < track.starts.size(); ++row) {
    if (track.lanes[row] != lane) continue;
    const Ns from = track.starts[row];
    const Ns to = track.ends[row];
    if (from >= end || (from < start && to <= start)) continue;
    const bool wide = (Wide{to} - from) * pixels >= range;
    if (from < start || wide) {
      slices.push_back({from, to, row, 1, 1, lane});
    } else {
      narrow[static_cast<int64_t>((Wide{from} - start) * pixels / range)].push_back(row);
    }
  }
  for (const auto& [pixel, rows] : narrow) {
    Slice slice{
        track.starts[rows.front()], track.ends[rows.front()], rows.front(), static_cast<uint32_t>(rows.size()), 1, lane};
    Wide busy = 0;
    for (const uint32_t row : rows) {
      slice.start = std::min(slice.start, track.starts[row]);
      slice.end = std::max(slice.end, track.ends[row]);
      busy += track.ends[row] - track.starts[row];
      if (track.ends[row] - track.starts[row] > track.ends[slice.row] - track.starts[slice.row]) slice.row = row;
    }
    const Wide length = Wide{slice.end} - slice.start;
    if (rows.size() > 1)
      slice.busy = length == 0 ? 0 : static_cast<float>(static_cast<double>(busy) / static_cast<double>(length));
    slices.push_back(slice);
  }
  std::ranges::stable_sort(
      slices, [](const Slice& a, const Slice& b) { return a.start != b.start ? a.start < b.start : a.row < b.row; });
  return slices;
}

struct RandomView {
  Ns start;
  Ns end;
  uint32_t pixels;
};

RandomView MakeRandomView(const RandomTrack& track, std::mt19937& random) {
  const Ns first = track.starts.front();
  const Ns last = *std::ranges::max_element(track.ends);
  const auto within = [&](Ns a, Ns b) { return std::uniform_int_distribution<int64_t>(a, b)(random); };
  const uint32_t widths[] = {1, 2, 7, 100, 1000, 4096, kMostPixels};
  RandomView view{first, SaturatingAdd(last, 1), widths[random() % 7]};
  const int64_t span = std::max<int64_t>(1, last - first);
  switch (random() % 5) {
    case 0:  // fit
      break;
    case 1:  // borders at events' borders
      view.start = track.starts[random() % track.starts.size()];
      view.end = std::max(view.start + 1, track.ends[random() % track.ends.size()]);
      break;
    case 2:  // beyond both sides
      view.start = SaturatingSubtract(first, within(0, span));
      view.end = SaturatingAdd(last, within(1, span));
      break;
    default: {  // zoomed
      const int64_t length = std::max<int64_t>(1, span >> (random() % 40));
      view.start = within(first, last);
      view.end = SaturatingAdd(view.start, within(1, length));
    }
  }
  return view;
}

TEST(LaneIndexTest, EqualsThePlainReading) {
  std::mt19937 random(20261130);
  int64_t slices_seen = 0;
  for (int round = 0; round < 2000; ++round) {
    const RandomTrack track = MakeRandomTrack(random);
    const LaneIndex index = IndexOf(track);
    ASSERT_EQ(index.lanes(), track.lane_count);
    for (int i = 0; i < 10; ++i) {
      const RandomView one = MakeRandomView(track, random);
      const Viewport view(one.start, one.end, one.pixels);
      std::set<std::pair<uint32_t, uint64_t>> pixels_with;
      for (uint32_t lane = 0; lane < std::min(track.lane_count, 20u); ++lane) {
        std::vector<Slice> slices;
        index.Collect(lane, view, kMostPixels * 4, slices);
        const std::vector<Slice> expected = SlowSlices(track, lane, one.start, one.end, one.pixels);
        ASSERT_EQ(slices.size(), expected.size()) << "round " << round << " view " << i << " lane " << lane;
        std::map<uint64_t, int> per_pixel;
        for (size_t k = 0; k < slices.size(); ++k) {
          ASSERT_EQ(slices[k].start, expected[k].start);
          ASSERT_EQ(slices[k].end, expected[k].end);
          ASSERT_EQ(slices[k].row, expected[k].row);
          ASSERT_EQ(slices[k].events, expected[k].events);
          ASSERT_FLOAT_EQ(slices[k].busy, expected[k].busy);
          ASSERT_EQ(slices[k].lane, lane);
          ++per_pixel[slices[k].start < one.start ? 0 : view.PixelOf(slices[k].start)];
        }
        for (const auto& [pixel, count] : per_pixel) ASSERT_LE(count, 3);
        slices_seen += static_cast<int64_t>(slices.size());
      }
    }
  }
  EXPECT_GT(slices_seen, 500'000);
}

TEST(LaneIndexTest, WorkThatOverlapsNeverSharesALane) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const RandomTrack track = MakeRandomTrack(random);
    std::map<uint32_t, Ns> end_of;
    for (size_t i = 0; i < track.starts.size(); ++i) {
      const auto [last, is_new] = end_of.try_emplace(track.lanes[i], track.ends[i]);
      if (is_new) continue;
      ASSERT_GE(track.starts[i], last->second);
      last->second = track.ends[i];
    }
  }
}

// As many lanes as events overlap at one time, and no more.
TEST(LaneAssignerTest, TakesTheLowestFreeLane) {
  LaneAssigner assigner;
  EXPECT_EQ(assigner.Place(0, 10), 0u);
  EXPECT_EQ(assigner.Place(1, 5), 1u);
  EXPECT_EQ(assigner.Place(2, 20), 2u);
  EXPECT_EQ(assigner.Place(5, 6), 1u);
  EXPECT_EQ(assigner.Place(6, 9, 2), 3u);
  EXPECT_EQ(assigner.Place(10, 11), 0u);
  EXPECT_EQ(assigner.Place(10, 10, 1), 1u);
  EXPECT_EQ(assigner.Place(10, 12, 1), 1u);
  EXPECT_EQ(assigner.lanes(), 4u);
}

TEST(LaneAssignerTest, ManyAtOnceAreQuick) {
  constexpr uint32_t kEvents = 300'000;
  LaneAssigner assigner;
  for (uint32_t i = 0; i < kEvents; ++i) ASSERT_EQ(assigner.Place(i, 10'000'000), i);
}

TEST(LaneIndexTest, FindsTheLaneOfARowBeyondThoseThatItKeeps) {
  RandomTrack track;
  LaneAssigner assigner;
  for (int i = 0; i < 1000; ++i) {
    track.starts.push_back(i);
    track.ends.push_back(2000 - i);
    track.lanes.push_back(assigner.Place(i, 2000 - i));
  }
  track.lane_count = assigner.lanes();
  const LaneIndex index = IndexOf(track);
  for (uint32_t row = 0; row < 1000; ++row) EXPECT_EQ(index.LaneOf(row, 0, track.lane_count), track.lanes[row]);
}

TEST(LaneIndexTest, TakesLittleMemory) {
  constexpr uint32_t kEvents = 1'000'000;
  RandomTrack track;
  for (uint32_t i = 0; i < kEvents; ++i) {
    track.starts.push_back(i * 10);
    track.ends.push_back(i * 10 + 7);
  }
  track.lanes.assign(kEvents, 0);
  track.lane_count = 1;
  EXPECT_LT(IndexOf(track).bytes(), kEvents * 13 / 2);
}

TEST(ViewportTest, PixelsTileTheRange) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    const auto length = static_cast<int64_t>(random() >> (1 + random() % 62)) + 1;
    const auto start = static_cast<int64_t>(random() % (uint64_t{1} << 62)) - (int64_t{1} << 61);
    const auto pixels = static_cast<uint32_t>(1 + random() % kMostPixels);
    const Viewport view(start, SaturatingAdd(start, length), pixels);
    Ns at = start;
    for (int i = 0; i < 20 && at < view.end(); ++i) {
      const uint64_t pixel = view.PixelOf(at);
      ASSERT_LT(pixel, pixels);
      const Ns end = view.PixelEnd(pixel);
      ASSERT_GT(end, at);
      ASSERT_EQ(view.PixelOf(end - 1), pixel);
      if (end < view.end()) {
        ASSERT_GT(view.PixelOf(end), pixel);
      }
      at = end;
    }
  }
}

}  // namespace
}  // namespace warpsight::server
