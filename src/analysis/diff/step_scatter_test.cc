#include "analysis/diff/step_scatter.h"

#include <gtest/gtest.h>

#include "base/time.h"

namespace warpsight {
namespace {

TEST(StepScatterTest, MedianMeanAndScatter) {
  const StepStatistics odd = StatisticsOf({30, 10, 20});
  EXPECT_EQ(odd.median, 20);
  EXPECT_EQ(odd.mean(), 20);
  EXPECT_EQ(odd.scatter, 15);  // 1.4826 x 10
  const StepStatistics even = StatisticsOf({4, 1, 2, 9});
  EXPECT_EQ(even.median, 3);
  EXPECT_EQ(StatisticsOf({-4, -1}).median, -3) << "-2.5, rounded down";
  EXPECT_FALSE(StatisticsOf({5}).scatter) << "one step says nothing of the others";
}

TEST(StepScatterTest, OneSlowStepDoesNotMoveTheScatter) { EXPECT_EQ(StatisticsOf({100, 101, 99, 100, 100'000}).scatter, 1); }

TEST(StepScatterTest, StepsWithoutAValueAreZero) {
  EXPECT_EQ(StatisticsOfSome({{0, 10}, {2, 5}, {2, 5}}, 3).median, 10) << "two values of one step are one";
  const StepStatistics rare = StatisticsOfSome({{7, 100}}, 1'000'000'000);
  EXPECT_EQ(rare.median, 0);
  EXPECT_EQ(rare.sum, 100);
  EXPECT_EQ(rare.scatter, 0);
  EXPECT_EQ(StatisticsOfSome({}, 4).sum, 0);
  EXPECT_FALSE(StatisticsOfSome({}, 1).scatter) << "of one step nothing is known, also where it has none";
  EXPECT_FALSE(StatisticsOfSome({{0, 3}}, 1).scatter);
}

TEST(StepScatterTest, NoiseIsTwiceTheScatterOfTheDifference) {
  StepStatistics a{3, 0, 0, 30};
  StepStatistics b{3, 0, 0, 40};
  EXPECT_EQ(NoiseOf(a, b), 100);
  EXPECT_EQ(IsWithin(100, NoiseOf(a, b)), true);
  EXPECT_EQ(IsWithin(-101, NoiseOf(a, b)), false);
  b.scatter.reset();
  EXPECT_EQ(NoiseOf(a, b), std::nullopt);
  EXPECT_EQ(IsWithin(5, std::nullopt), std::nullopt);
}

TEST(StepScatterTest, RoundedMeansOfPartsAddUpToTheRoundedWhole) {
  for (const int64_t steps : {1, 3, 7}) {
    ReconciledMeans means(steps);
    int64_t sum = 0;
    int64_t whole = 0;
    for (const int64_t part : {1, 1, 1, 5, 100, 0, 23, 999}) {
      const int64_t mean = means.Next(part);
      EXPECT_LE(std::abs(static_cast<double>(mean) - static_cast<double>(part) / static_cast<double>(steps)), 1.0);
      sum += mean;
      whole += part;
    }
    EXPECT_EQ(sum, RoundedMean(whole, steps));
  }
}

TEST(StepScatterTest, TimesNearTheEndOfTheRangeDoNotWrap) {
  const StepStatistics huge = StatisticsOf({kMaxNs, kMaxNs, kMaxNs - 4});
  EXPECT_EQ(huge.sum, kMaxNs);
  EXPECT_EQ(huge.median, kMaxNs);
  EXPECT_EQ(RoundedMean(kMaxNs, 1), kMaxNs);
  EXPECT_EQ(NoiseOf({2, 0, 0, kMaxNs}, {2, 0, 0, kMaxNs}), kMaxNs);
}

}  // namespace
}  // namespace warpsight
