#include "counters/metric_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace warpsight {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The texts of a column.
std::vector<std::string> Column(const std::string& unit, const std::vector<CounterValue>& values) {
  MetricScale scale(unit);
  for (const CounterValue& value : values) scale.Include(value);
  std::vector<std::string> texts = {scale.unit()};
  for (const CounterValue& value : values) texts.push_back(scale.Print(value));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(MetricScaleTest, TheLargestChoosesThePrefix) {
  EXPECT_EQ(Column("byte/s", {304565575.4, 11873249012.0}), (Texts{"Gbyte/s", "0.304566", "11.873249"}));
  EXPECT_EQ(Column("ns", {3154272.0}), (Texts{"ms", "3.154272"}));
  EXPECT_EQ(Column("ns", {uint64_t{1500}}), (Texts{"us", "1.500000"}));
  EXPECT_EQ(Column("hz", {412983542.8}), (Texts{"Mhz", "412.983543"}));
  EXPECT_EQ(Column("sector/s", {2238538.681948}), (Texts{"sector/us", "2.238539"}));
  EXPECT_EQ(Column("byte/block", {uint64_t{1024}, uint64_t{0}}), (Texts{"Kbyte/block", "1.024000", "0.000000"}));
  EXPECT_EQ(Column("%/byte", {2614.0}), (Texts{"%/Kbyte", "2.614000"}));
  EXPECT_EQ(Column("byte", {999.0}), (Texts{"byte", "999.000000"}));
}

TEST(MetricScaleTest, PlainNumbersHaveSeparators) {
  EXPECT_EQ(Column("", {uint64_t{1980000}, 46.5454, 4096.0, 129728567410108.64, kNan}),
            (Texts{"", "1,980,000", "46.55", "4,096", "129,728,567,410,108.64", "nan"}));
  EXPECT_EQ(Column("sector", {1048840.0, uint64_t{7}}), (Texts{"sector", "1048840.000000", "7"}));
}

TEST(MetricScaleTest, NothingAboveZeroIsZero) {
  EXPECT_EQ(Column("byte/s", {0.0, kNan}), (Texts{"byte/s", "0", "0"}));
  EXPECT_EQ(Column("sector", {-3.0}), (Texts{"sector", "0"}));
  EXPECT_EQ(Column("%", {-0.02, 1.0}), (Texts{"%", "-0.020000", "1.000000"}));
}

TEST(MetricScaleTest, NotANumberKeepsItsSign) {
  EXPECT_EQ(Column("ns", {16448.0, -kNan, kNan}), (Texts{"us", "16.448000", "-nan", "nan"}));
  EXPECT_EQ(Column("%", {std::numeric_limits<double>::infinity(), 0.0}), (Texts{"%", "-nan", "-nan"}));
}

TEST(MetricScaleTest, AbsentIsEmpty) {
  EXPECT_EQ(Column("", {CounterValue(), std::string_view("CachePreferNone")}), (Texts{"", "", "CachePreferNone"}));
}

TEST(MetricScaleTest, ShortFormHasTwoDecimals) {
  MetricScale time("ns");
  time.Include(3154272.0);
  EXPECT_EQ(time.PrintShort(3154272.0), "3.15");
  MetricScale cycles("cycle");
  cycles.Include(6143749.36);
  EXPECT_EQ(cycles.PrintShort(6143749.36), "6,143,749.36");
  EXPECT_EQ(cycles.PrintShort(uint64_t{6245099}), "6,245,099");
}

}  // namespace
}  // namespace warpsight
