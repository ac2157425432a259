#include "analysis/interval_union.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warpsight {
namespace {

IntervalUnion Make(std::initializer_list<Interval> intervals) {
  IntervalUnion all;
  for (Interval interval : intervals) all.Append(interval);
  return all;
}

TEST(IntervalUnionTest, NothingIsNothing) {
  const IntervalUnion none;
  EXPECT_EQ(none.Measure({0, 100}), 0);
}

TEST(IntervalUnionTest, OverlappingAndTouchingIntervalsMerge) {
  const IntervalUnion all = Make({{0, 10}, {5, 20}, {6, 7}, {20, 25}, {30, 40}});
  ASSERT_EQ(all.merged().size(), 2u);
  EXPECT_EQ(all.merged()[0], (Interval{0, 25}));
  EXPECT_EQ(all.Measure({0, 100}), 35);
}

TEST(IntervalUnionTest, WindowsCutIntervals) {
  const IntervalUnion all = Make({{0, 10}, {20, 30}, {30, 30}});
  EXPECT_EQ(all.Measure({5, 25}), 10);
  EXPECT_EQ(all.Measure({10, 20}), 0);
  EXPECT_EQ(all.Measure({9, 21}), 2);
  EXPECT_EQ(all.Measure({25, 5}), 0) << "an empty window";
  EXPECT_EQ(all.Measure({-50, -10}), 0);
}

TEST(IntervalUnionTest, ExtremeTimesDoNotOverflow) {
  const IntervalUnion all = Make({{kMinNs, 0}, {1, kMaxNs}});
  EXPECT_EQ(all.Measure({0, 10}), 9);
  EXPECT_EQ(all.Measure({kMinNs, kMaxNs}), kMaxNs);
}

TEST(IntervalUnionTest, RandomWindowsAddUp) {
  std::mt19937 random(7);
  std::vector<Interval> intervals(300);
  for (Interval& interval : intervals) {
    interval.start = static_cast<Ns>(random() % 5000);
    interval.end = interval.start + static_cast<Ns>(random() % 12);
  }
  std::sort(intervals.begin(), intervals.end(), [](Interval a, Interval b) { return a.start < b.start; });
  IntervalUnion all;
  std::vector<bool> covered(6000, false);
  for (Interval interval : intervals) {
    all.Append(interval);
    for (Ns t = interval.start; t < interval.end; ++t) covered[static_cast<size_t>(t)] = true;
  }
  for (int i = 0; i < 500; ++i) {
    Interval window = {static_cast<Ns>(random() % 5500), static_cast<Ns>(random() % 5500)};
    if (window.end < window.start) std::swap(window.start, window.end);
    const Ns expected = std::count(covered.begin() + window.start, covered.begin() + window.end, true);
    EXPECT_EQ(all.Measure(window), expected);
  }
}

}  // namespace
}  // namespace warpsight
