#include "export/decimal_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.h"

namespace warpsight {
namespace {

std::string DecimalOf(int64_t value) {
  char text[2 * kMostDecimal];
  return {text, WriteInteger(text, value)};
}

std::string MicrosecondsOf(int64_t ns) {
  char text[2 * kMostDecimal];
  return {text, WriteMicroseconds(text, ns)};
}

std::vector<int64_t> TellingValues() {
  std::vector<int64_t> values = {0, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  for (int64_t power = 1; power < std::numeric_limits<int64_t>::max() / 10; power *= 10) {
    for (const int64_t near : {power - 1, power, power + 1, 7 * power + power / 3}) {
      values.push_back(near);
      values.push_back(-near);
    }
  }
  return values;
}

TEST(DecimalTextTest, IntegersOfEveryLength) {
  for (const int64_t value : TellingValues()) EXPECT_EQ(DecimalOf(value), std::to_string(value));
  char text[2 * kMostDecimal];
  EXPECT_EQ(std::string_view(text, static_cast<size_t>(WriteUnsigned(text, ~uint64_t{0}) - text)), "18446744073709551615");
}

TEST(DecimalTextTest, MicrosecondsReadBackAsTheSameNanoseconds) {
  for (const int64_t ns : TellingValues()) {
    if (ns == std::numeric_limits<int64_t>::min()) continue;  // no reader's
    const DecimalNs again = ParseMicroseconds(MicrosecondsOf(ns));
    EXPECT_EQ(again.fault, DecimalFault::kNone) << ns;
    EXPECT_EQ(again.ns, ns);
    EXPECT_FALSE(again.rounded);
  }
  EXPECT_EQ(MicrosecondsOf(5108425130290728), "5108425130290.728");
  EXPECT_EQ(MicrosecondsOf(-5), "-0.005");
  EXPECT_EQ(MicrosecondsOf(1000), "1.000");
}

}  // namespace
}  // namespace warpsight
