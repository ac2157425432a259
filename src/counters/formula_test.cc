#include "counters/formula.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

std::optional<double> ValueOf(std::string_view text) {
  return Formula(text).Evaluate([](std::string_view name, std::string_view key) -> std::optional<double> {
    if (name == "a__b.sum" && key.empty()) return 6;
    if (name == "zero") return 0;
    if (name == "ops" && key == "F2F.F64") return 4;
    return std::nullopt;
  });
}

TEST(FormulaTest, Arithmetic) {
  EXPECT_EQ(ValueOf("1 + 2 * 3"), 7);
  EXPECT_EQ(ValueOf("(1 + 2) * 3 - -1"), 10);
  EXPECT_EQ(ValueOf("100 * a__b.sum / (a__b.sum + 2)"), 75);
  EXPECT_EQ(ValueOf("8 - 2 - 1"), 5);
  EXPECT_EQ(ValueOf("max(1, a__b.sum, 2) + min(3, 2) + floor(1.5) + ceil(1.5)"), 11);
  EXPECT_EQ(ValueOf("ops[\"F2F.F64\"] * 0.5"), 2);
}

TEST(FormulaTest, AbsentStaysAbsent) {
  EXPECT_EQ(ValueOf("missing + 1"), std::nullopt);
  EXPECT_EQ(ValueOf("max(missing, 1)"), std::nullopt);
  EXPECT_EQ(ValueOf("1 / zero"), std::nullopt);
  EXPECT_EQ(ValueOf("first(missing, 1 / zero, 3, a__b.sum)"), 3);
}

TEST(FormulaTest, ComparisonsNeedBothSides) {
  const FormulaLookup lookup = [](std::string_view name, std::string_view) {
    return name == "x" ? std::optional<double>(2) : std::nullopt;
  };
  EXPECT_EQ(Comparison("x * 2 > 3").Holds(lookup), true);
  EXPECT_EQ(Comparison("x >= 2").Holds(lookup), true);
  EXPECT_EQ(Comparison("x < 2").Holds(lookup), false);
  EXPECT_EQ(Comparison("x <= 2").Holds(lookup), true);
  EXPECT_EQ(Comparison("x < y").Holds(lookup), std::nullopt);
}

TEST(FormulaTest, NamesAreListedOnce) {
  EXPECT_EQ(Formula("a / (a + b) + min(c, 1)").names(), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace warpsight
