#include "analysis/range.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

constexpr Interval kCapture{5'000'000'000'000, 5'000'100'000'000};  // 100 ms long

Interval Range(const std::string& text) {
  const Result<Interval> range = ParseRange(text, kCapture);
  EXPECT_TRUE(range.ok()) << text << ": " << range.status().message();
  return range.ok() ? *range : Interval{};
}

TEST(ParseRangeTest, NanosecondsAsJsonOutputHasThem) {
  EXPECT_EQ(Range("5000010000000:5000020000000"), (Interval{5'000'010'000'000, 5'000'020'000'000}));
}

TEST(ParseRangeTest, Units) {
  const Interval expected{5'000'010'000'000, 5'000'020'500'000};
  EXPECT_EQ(Range("5000010000000ns:5000020500000ns"), expected);
  EXPECT_EQ(Range("5000010000us:5000020500us"), expected);
  EXPECT_EQ(Range("5000010ms:5000020.5ms"), expected);
  EXPECT_EQ(Range("5000.01s:5000.0205s"), expected);
  EXPECT_EQ(Range("5000.01s:5000020500000"), expected);
}

TEST(ParseRangeTest, FromTheStartOfTheCapture) {
  EXPECT_EQ(Range("+10ms:+20ms"), (Interval{5'000'010'000'000, 5'000'020'000'000}));
  EXPECT_EQ(Range("+0:+1"), (Interval{5'000'000'000'000, 5'000'000'000'001}));
  EXPECT_EQ(Range("+0.5us:+1s"), (Interval{5'000'000'000'500, 5'001'000'000'000}));
  EXPECT_EQ(Range("+10ms:5000020ms"), (Interval{5'000'010'000'000, 5'000'020'000'000}));
}

TEST(ParseRangeTest, EmptySidesAreTheCaptures) {
  EXPECT_EQ(Range(":"), kCapture);
  EXPECT_EQ(Range("+10ms:"), (Interval{5'000'010'000'000, kCapture.end}));
  EXPECT_EQ(Range(":+10ms"), (Interval{kCapture.start, 5'000'010'000'000}));
  EXPECT_EQ(Range("0:+10ms"), (Interval{0, 5'000'010'000'000}));  // may reach beyond the capture
}

TEST(ParseRangeTest, NegativeTimesOfTheClock) {
  const Result<Interval> range = ParseRange("-5us:5us", {-10'000, 10'000});
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(*range, (Interval{-5'000, 5'000}));
}

void ExpectError(const std::string& text, const std::string& words) {
  const Result<Interval> range = ParseRange(text, kCapture);
  ASSERT_FALSE(range.ok()) << text;
  EXPECT_EQ(range.status().kind(), StatusKind::kUsage) << text;
  EXPECT_NE(range.status().message().find("--range " + text), std::string::npos) << range.status().message();
  EXPECT_NE(range.status().message().find(words), std::string::npos) << range.status().message();
}

TEST(ParseRangeTest, TextThatIsNoRange) {
  for (const char* text : {"", "10ms", "a:b", "1h:2h", "+:+", "1:2:3", "+10 ms:+20ms", "++1:+2", "+10ms:+20m", "1..5:2",
                           "ms:s", "1e3:1e4", "+1MS:+2MS", "99999999999999999999:", ":99999999999s", "-:5"}) {
    ExpectError(text, "give START:END");
  }
}

TEST(ParseRangeTest, RangesWithoutTime) {
  ExpectError("+20ms:+10ms", "the end is not after the start");
  ExpectError("+10ms:+10ms", "the end is not after the start");
  ExpectError("+200ms:", "the end is not after the start");
}

TEST(ParseRangeTest, RangesOutsideOfTheCapture) {
  ExpectError("0:1s", "lies outside of the capture, which is 5000000000000:5000100000000 ns");
  ExpectError("+100ms:+200ms", "lies outside of the capture");
}

}  // namespace
}  // namespace warpsight
