#include "analysis/thresholds.h"

#include <gtest/gtest.h>

#include <set>

namespace warpsight {
namespace {

TEST(ThresholdsTest, EveryEntryIsComplete) {
  const std::set<std::string> units = {"ns", "share", "count", "ratio", "bytes"};
  ASSERT_FALSE(AllThresholds().empty());
  for (const Threshold& threshold : AllThresholds()) {
    EXPECT_TRUE(units.contains(threshold.unit)) << threshold.id;
    EXPECT_GT(threshold.value, 0) << threshold.id;
    EXPECT_FALSE(threshold.source.empty()) << threshold.id;
    EXPECT_FALSE(threshold.meaning.empty()) << threshold.id;
    if (threshold.unit == "share") {
      EXPECT_LE(threshold.value, 1) << threshold.id;
    }
  }
}

TEST(ThresholdsTest, AskById) {
  EXPECT_EQ(ThresholdNs("idle_back_to_back"), 2000);
  EXPECT_EQ(ThresholdShare("step_overhead_bound_idle"), 0.5);
}

TEST(ThresholdsDeathTest, AnotherUnitIsOurBug) {
  EXPECT_EXIT((void)ThresholdNs("step_overhead_bound_idle"), testing::ExitedWithCode(5), "internal error");
}

}  // namespace
}  // namespace warpsight
