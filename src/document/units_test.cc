#include "document/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace warpsight {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(FormatDuration, PicksUnitWithFourDigits) {
  EXPECT_EQ(FormatDuration(0), "0 ns");
  EXPECT_EQ(FormatDuration(998), "998 ns");
  EXPECT_EQ(FormatDuration(999), "999 ns");
  EXPECT_EQ(FormatDuration(1000), "1.000 us");
  EXPECT_EQ(FormatDuration(1984), "1.984 us");
  EXPECT_EQ(FormatDuration(47'101'234), "47.10 ms");
  EXPECT_EQ(FormatDuration(1'234'000'000), "1.234 s");
  EXPECT_EQ(FormatDuration(123'456), "123.5 us");
}

TEST(FormatDuration, RoundsUpIntoTheNextUnit) {
  EXPECT_EQ(FormatDuration(9'999), "9.999 us");
  EXPECT_EQ(FormatDuration(99'994), "99.99 us");
  EXPECT_EQ(FormatDuration(99'995), "100.0 us");
  EXPECT_EQ(FormatDuration(999'949), "999.9 us");
  EXPECT_EQ(FormatDuration(999'950), "1.000 ms");
  EXPECT_EQ(FormatDuration(999'999'999), "1.000 s");
}

TEST(FormatDuration, LongTimes) {
  EXPECT_EQ(FormatDuration(3'600'000'000'000), "3600 s");
  EXPECT_EQ(FormatDuration(9'999'400'000'000), "9999 s");
  EXPECT_EQ(FormatDuration(9'999'500'000'000), "2.778 h");
  EXPECT_EQ(FormatDuration(std::int64_t{86'400'000'000'000} * 100), "100.0 d");
}

TEST(FormatDuration, NegativeAndExtremes) {
  EXPECT_EQ(FormatDuration(-1), "-1 ns");
  EXPECT_EQ(FormatDuration(-1984), "-1.984 us");
  EXPECT_EQ(FormatDuration(kMax), "106752 d");
  EXPECT_EQ(FormatDuration(kMin), "-106752 d");
}

TEST(FormatDuration, ExactKeepsEveryNanosecond) {
  EXPECT_EQ(FormatDuration(47'101'234, Precision::kExact), "47,101,234 ns");
  EXPECT_EQ(FormatDuration(-999, Precision::kExact), "-999 ns");
  EXPECT_EQ(FormatDuration(-1000, Precision::kExact), "-1,000 ns");
  EXPECT_EQ(FormatDuration(kMax, Precision::kExact), "9,223,372,036,854,775,807 ns");
  EXPECT_EQ(FormatDuration(kMin, Precision::kExact), "-9,223,372,036,854,775,808 ns");
}

// The shown value is never off by more than half of its last digit: at most 1 part in 2000.
TEST(FormatDuration, ShownValueIsNearTheTrueOne) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto ns = static_cast<std::int64_t>(random() >> (1 + random() % 63));
    const std::string text = FormatDuration(ns);
    const std::string unit = text.substr(text.find(' ') + 1);
    const double size = unit == "ns"   ? 1
                        : unit == "us" ? 1e3
                        : unit == "ms" ? 1e6
                        : unit == "s"  ? 1e9
                        : unit == "h"  ? 3.6e12
                                       : 8.64e13;
    EXPECT_NEAR(std::stod(text) * size, static_cast<double>(ns), static_cast<double>(ns) / 1999.0) << text << " for " << ns;
  }
}

TEST(FormatBytes, DecimalPrefixes) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(999), "999 B");
  EXPECT_EQ(FormatBytes(1536), "1.536 kB");
  EXPECT_EQ(FormatBytes(2'200'000'000), "2.200 GB");
  EXPECT_EQ(FormatBytes(999'960'000), "1.000 GB");
  EXPECT_EQ(FormatBytes(kMax), "9.223 EB");
  EXPECT_EQ(FormatBytes(kMin), "-9.223 EB");
  EXPECT_EQ(FormatBytes(1536, Precision::kExact), "1,536 B");
}

TEST(FormatCount, GroupsDigits) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(2775), "2,775");
  EXPECT_EQ(FormatCount(-123'456), "-123,456");
  EXPECT_EQ(FormatCount(1'000'000), "1,000,000");
  EXPECT_EQ(FormatCount(kMin), "-9,223,372,036,854,775,808");
}

TEST(FormatShare, NeverShowsSomethingAsNothingOrPartAsAll) {
  EXPECT_EQ(FormatShare(0.0), "0.0 %");
  EXPECT_EQ(FormatShare(0.044), "4.4 %");
  EXPECT_EQ(FormatShare(0.00049), "<0.1 %");
  EXPECT_EQ(FormatShare(1e-300), "<0.1 %");
  EXPECT_EQ(FormatShare(0.0005), "0.1 %");
  EXPECT_EQ(FormatShare(0.9994), "99.9 %");
  EXPECT_EQ(FormatShare(0.9996), ">99.9 %");
  EXPECT_EQ(FormatShare(1.0 - 1e-9), ">99.9 %");
  EXPECT_EQ(FormatShare(1.0), "100.0 %");
}

TEST(FormatShare, SumsOfDoublesCountAsAll) {
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += 0.1;
  ASSERT_NE(sum, 1.0);
  EXPECT_EQ(FormatShare(sum), "100.0 %");
}

TEST(FormatShare, BeyondAllNegativeAndNotFinite) {
  EXPECT_EQ(FormatShare(1.0002), ">100.0 %");
  EXPECT_EQ(FormatShare(22.47), "2,247.0 %");
  EXPECT_EQ(FormatShare(-0.0312), "-3.1 %");
  EXPECT_EQ(FormatShare(-0.0001), ">-0.1 %");
  EXPECT_EQ(FormatShare(std::nan("")), "-");
  EXPECT_EQ(FormatShare(std::numeric_limits<double>::infinity()), "-");
}

TEST(FormatShare, IntegerPartsAreComparedExactly) {
  EXPECT_EQ(FormatShare(std::int64_t{0}, std::int64_t{10}), "0.0 %");
  EXPECT_EQ(FormatShare(std::int64_t{1}, kMax), "<0.1 %");
  EXPECT_EQ(FormatShare(kMax - 1, kMax), ">99.9 %");
  EXPECT_EQ(FormatShare(kMax, kMax), "100.0 %");
  EXPECT_EQ(FormatShare(std::int64_t{1}, std::int64_t{0}), "-");
}

TEST(FormatNumber, FourSignificantDigits) {
  EXPECT_EQ(FormatNumber(0.0), "0");
  EXPECT_EQ(FormatNumber(-0.0), "0");
  EXPECT_EQ(FormatNumber(1.53), "1.53");
  EXPECT_EQ(FormatNumber(0.012344), "0.01234");
  EXPECT_EQ(FormatNumber(781.23), "781.2");
  EXPECT_EQ(FormatNumber(43124.6), "43,125");
  EXPECT_EQ(FormatNumber(9.99996), "10");
  EXPECT_EQ(FormatNumber(-1234567.0), "-1,234,567");
  EXPECT_EQ(FormatNumber(0.0000123456), "1.235e-05");
  EXPECT_EQ(FormatNumber(1e300), "1.000e+300");
  EXPECT_EQ(FormatNumber(std::nan("")), "-");
  EXPECT_EQ(FormatNumber(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(FormatNumber, FixedDecimalsDoNotVanish) {
  EXPECT_EQ(FormatNumber(1.0, 2), "1.00");
  EXPECT_EQ(FormatNumber(0.004, 2), "<0.01");
  EXPECT_EQ(FormatNumber(-0.004, 2), ">-0.01");
  EXPECT_EQ(FormatNumber(-0.0, 2), "0.00");
  EXPECT_EQ(FormatNumber(12345.678, 1), "12,345.7");
  EXPECT_EQ(FormatNumber(0.4, 0), "<1");
}

}  // namespace
}  // namespace warpsight
