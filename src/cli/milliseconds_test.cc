#include "cli/milliseconds.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(ParseMillisecondsTest, ExactToTheNanosecond) {
  EXPECT_EQ(ParseMilliseconds("34.3"), 34'300'000);
  EXPECT_EQ(ParseMilliseconds("50"), 50'000'000);
  EXPECT_EQ(ParseMilliseconds("0.000001"), 1);
  EXPECT_EQ(ParseMilliseconds("29.419674"), 29'419'674);
  EXPECT_EQ(ParseMilliseconds(".5"), 500'000);
  EXPECT_EQ(ParseMilliseconds("86400000"), Ns{86'400} * 1'000'000'000);
}

TEST(ParseMillisecondsTest, WhatIsNoTime) {
  for (const char* text : {"", "0", "0.0", "-1", "+1", "nan", "inf", "1e3", "5ms", "1,5", " 5", "5 ", "1.2.3", ".",
                           "0.0000001", "86400001", "99999999999999999999999"}) {
    EXPECT_EQ(ParseMilliseconds(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpsight
