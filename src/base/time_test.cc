#include "base/time.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(TimeTest, SumsAndDifferencesStayAtTheEnds) {
  EXPECT_EQ(SaturatingAdd(1, 2), 3);
  EXPECT_EQ(SaturatingAdd(kMaxNs, 1), kMaxNs);
  EXPECT_EQ(SaturatingAdd(kMinNs, -1), kMinNs);
  EXPECT_EQ(SaturatingAdd(kMaxNs, kMinNs), -1);
  EXPECT_EQ(SaturatingSubtract(1, 2), -1);
  EXPECT_EQ(SaturatingSubtract(kMinNs, 1), kMinNs);
  EXPECT_EQ(SaturatingSubtract(kMaxNs, -1), kMaxNs);
  EXPECT_EQ(SaturatingSubtract(0, kMinNs), kMaxNs);
}

TEST(TimeTest, IntervalsAreHalfOpen) {
  constexpr Interval kTen{10, 20};
  EXPECT_EQ(kTen.duration(), 10);
  EXPECT_TRUE(kTen.Contains(10));
  EXPECT_FALSE(kTen.Contains(20));
  EXPECT_FALSE(kTen.Contains(9));
  EXPECT_FALSE((Interval{5, 5}).Contains(5));
}

TEST(TimeTest, EmptyIntervalsLastNoTime) {
  EXPECT_TRUE((Interval{5, 5}).empty());
  EXPECT_TRUE((Interval{6, 5}).empty());
  EXPECT_EQ((Interval{6, 5}).duration(), 0);
  EXPECT_EQ((Interval{kMaxNs, kMinNs}).duration(), 0);
  EXPECT_EQ((Interval{kMinNs, kMaxNs}).duration(), kMaxNs);
}

TEST(TimeTest, Intersection) {
  EXPECT_EQ(Intersect({0, 10}, {5, 15}), (Interval{5, 10}));
  EXPECT_EQ(Intersect({0, 10}, {2, 3}), (Interval{2, 3}));
  EXPECT_TRUE(Intersect({0, 10}, {10, 20}).empty());
  EXPECT_TRUE(Intersect({0, 10}, {30, 40}).empty());
}

}  // namespace
}  // namespace warpsight
