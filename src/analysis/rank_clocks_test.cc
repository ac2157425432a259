#include "analysis/rank_clocks.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(RankClocksTest, MedianAndErrorBar) {
  std::vector<Ns> differences;
  for (Ns i = 0; i < 101; ++i) differences.push_back(-11'000'000'000 + (i - 50) * 100);  // 11 s behind, +- 5 us
  const ClockOffset offset = EstimateOffset(differences);
  EXPECT_TRUE(offset.usable());
  EXPECT_EQ(offset.offset_ns, -11'000'000'000);
  EXPECT_EQ(offset.error_ns, 4500);  // the middle 90 %
  EXPECT_EQ(offset.mad_ns, 2500);
  EXPECT_EQ(offset.collectives, 101);
}

TEST(RankClocksTest, AFewOutliersDoNotMoveIt) {
  std::vector<Ns> differences(100, 500);
  differences[3] = 9'000'000'000;
  differences[77] = -9'000'000'000;
  const ClockOffset offset = EstimateOffset(differences);
  EXPECT_TRUE(offset.usable());
  EXPECT_EQ(offset.offset_ns, 500);
  EXPECT_EQ(offset.error_ns, 0);
}

TEST(RankClocksTest, TooFewOrTooWideIsRefused) {
  EXPECT_FALSE(EstimateOffset({}).usable());
  EXPECT_FALSE(EstimateOffset({5, 5, 5}).usable());
  EXPECT_NE(EstimateOffset({5, 5, 5}).problem.find("3 collectives in common"), std::string::npos);
  std::vector<Ns> wide;
  for (Ns i = 0; i < 100; ++i) wide.push_back(i * 1'000'000);
  EXPECT_FALSE(EstimateOffset(wide).usable());
  EXPECT_NE(EstimateOffset(wide).problem.find("from a constant distance"), std::string::npos);
  // Ends of the range must not wrap.
  EXPECT_FALSE(EstimateOffset({kMinNs, kMinNs, kMinNs, kMinNs, 0, kMaxNs, kMaxNs, kMaxNs, kMaxNs}).usable());
}

}  // namespace
}  // namespace warpsight
