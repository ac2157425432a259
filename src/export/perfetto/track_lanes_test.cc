#include "export/perfetto/track_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace warpsight::perfetto {
namespace {

// "A0 B0 -0@10 ...": the lane of each slice, and the ends as they are written.
std::string Placed(TrackLanes::Nesting nesting, const std::vector<Interval>& slices) {
  TrackLanes lanes(nesting);
  std::string text;
  const auto close = [&](uint32_t lane, Ns end) { text += "-" + std::to_string(lane) + "@" + std::to_string(end) + " "; };
  for (const Interval& slice : slices) {
    const uint32_t lane = lanes.Place(slice, close);
    text += "+" + std::to_string(lane) + "@" + std::to_string(slice.start) + " ";
  }
  lanes.Finish(close);
  return text;
}

constexpr auto kNested = TrackLanes::Nesting::kNested;
constexpr auto kFlat = TrackLanes::Nesting::kFlat;

TEST(TrackLanesTest, ChildrenLieInTheLaneOfTheirParent) {
  EXPECT_EQ(Placed(kNested, {{0, 10}, {0, 4}, {4, 9}, {5, 6}, {10, 12}}),
            "+0@0 +0@0 -0@4 +0@4 +0@5 -0@6 -0@9 -0@10 +0@10 -0@12 ");
}

TEST(TrackLanesTest, PartialOverlapGetsAnotherLane) {
  EXPECT_EQ(Placed(kNested, {{0, 10}, {5, 15}, {6, 8}, {15, 16}}), "+0@0 +1@5 +1@6 -0@10 +0@15 -0@16 -1@8 -1@15 ");
}

// [8, 9) is a child of [5, 20), whose lane a sibling takes; it is inside of [0, 10) too, but no child of it.
TEST(TrackLanesTest, NothingNestsWhereItDoesNotBelong) {
  EXPECT_EQ(Placed(kNested, {{0, 10}, {5, 20}, {6, 9}, {8, 10}}), "+0@0 +1@5 +1@6 +2@8 -0@10 -1@9 -1@20 -2@10 ");
}

TEST(TrackLanesTest, FlatSlicesNeverNest) {
  EXPECT_EQ(Placed(kFlat, {{0, 10}, {2, 4}, {3, 5}, {4, 6}, {10, 11}}),
            "+0@0 +1@2 +2@3 -1@4 +1@4 -0@10 +0@10 -0@11 -1@6 -2@5 ");
}

TEST(TrackLanesTest, SlicesWithoutLength) {
  EXPECT_EQ(Placed(kNested, {{5, 5}, {5, 5}}), "+0@5 -0@5 +0@5 -0@5 ");
  EXPECT_EQ(Placed(kNested, {{5, 9}, {5, 5}, {9, 9}}), "+0@5 +0@5 -0@5 -0@9 +0@9 -0@9 ");
  EXPECT_EQ(Placed(kFlat, {{5, 5}, {5, 8}, {6, 6}}), "+0@5 -0@5 +0@5 +1@6 -0@8 -1@6 ");
}

// A lane's slices are laminar, and a slice below another one is that one's child by the stack walk.
TEST(TrackLanesTest, RandomSlicesNestTruly) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    std::vector<Interval> slices;
    for (int i = 0; i < 60; ++i) {
      const Ns start = static_cast<Ns>(random() % 40);
      slices.push_back({start, start + static_cast<Ns>(random() % 15)});
    }
    std::stable_sort(slices.begin(), slices.end(), [](const Interval& a, const Interval& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    TrackLanes lanes(kNested);
    std::map<uint32_t, std::vector<size_t>> open;  // by lane
    std::vector<size_t> nest;
    const auto close = [&](uint32_t lane, Ns end) {
      ASSERT_FALSE(open[lane].empty());
      EXPECT_EQ(slices[open[lane].back()].end, end);
      open[lane].pop_back();
    };
    for (size_t i = 0; i < slices.size(); ++i) {
      while (!nest.empty() && (slices[nest.back()].end <= slices[i].start || slices[nest.back()].end < slices[i].end)) {
        nest.pop_back();
      }
      const uint32_t lane = lanes.Place(slices[i], close);
      if (!open[lane].empty()) {
        ASSERT_FALSE(nest.empty());
        EXPECT_EQ(open[lane].back(), nest.back());
      }
      open[lane].push_back(i);
      nest.push_back(i);
    }
    lanes.Finish(close);
    for (const auto& [lane, left] : open) EXPECT_TRUE(left.empty());
  }
}

}  // namespace
}  // namespace warpsight::perfetto
