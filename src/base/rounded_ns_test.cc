#include "base/rounded_ns.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpsight {
namespace {

TEST(RoundedNsTest, RoundsToTheNearest) {
  EXPECT_EQ(RoundedNs(0.4), 0);
  EXPECT_EQ(RoundedNs(0.5), 1);
  EXPECT_EQ(RoundedNs(-2.6), -3);
  EXPECT_EQ(RoundedNs(431'012.7), 431'013);
}

TEST(RoundedNsTest, IsHeldAtTheEndsOfTheRange) {
  EXPECT_EQ(RoundedNs(1e300), kMaxNs);
  EXPECT_EQ(RoundedNs(static_cast<double>(kMaxNs)), kMaxNs);
  EXPECT_EQ(RoundedNs(-std::numeric_limits<double>::infinity()), kMinNs);
  EXPECT_EQ(RoundedNs(std::numeric_limits<double>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace warpsight
