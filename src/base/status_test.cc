#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpsight {
namespace {

TEST(StatusTest, KindsAreTheExitStatusesOfTheProgram) {
  EXPECT_EQ(ExitCode(OkStatus().kind()), 0);
  EXPECT_EQ(ExitCode(UsageError("").kind()), 2);
  EXPECT_EQ(ExitCode(UnreadableError("").kind()), 3);
  EXPECT_EQ(ExitCode(LacksError("").kind()), 4);
  EXPECT_EQ(ExitCode(InternalError("").kind()), 5);
}

TEST(StatusTest, CarriesItsMessage) {
  EXPECT_TRUE(Status().ok());
  const Status status = LacksError("trace.json: no steps");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "trace.json: no steps");
}

TEST(ResultTest, HoldsAValueOrAStatus) {
  const Result<int> good = 7;
  EXPECT_TRUE(good.ok());
  EXPECT_TRUE(good.status().ok());
  EXPECT_EQ(*good, 7);
  const Result<int> bad = UsageError("no");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().kind(), StatusKind::kUsage);
}

TEST(ResultTest, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 3);
}

Status Nested(const Status& inner, bool& reached) {
  WARPSIGHT_RETURN_IF_ERROR(inner);
  reached = true;
  return OkStatus();
}

TEST(StatusTest, ReturnIfErrorReturnsErrorsOnly) {
  bool reached = false;
  EXPECT_EQ(Nested(LacksError("x"), reached).message(), "x");
  EXPECT_FALSE(reached);
  EXPECT_TRUE(Nested(OkStatus(), reached).ok());
  EXPECT_TRUE(reached);
}

TEST(ResultDeathTest, AskingForAMissingValueIsOurBug) {
  const Result<int> bad = UsageError("no");
  EXPECT_EXIT(static_cast<void>(bad.value()), ::testing::ExitedWithCode(5), "internal error: ok\\(\\) does not hold");
}

}  // namespace
}  // namespace warpsight
