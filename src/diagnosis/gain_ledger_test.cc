#include "diagnosis/gain_ledger.h"

#include <gtest/gtest.h>

#include "diagnosis/launched_trace.h"

namespace warpsight::testing {
namespace {

constexpr size_t kHostWork = static_cast<size_t>(IdleClass::kHostWork);

StepFrame MakeFrame() {
  StepFrame frame;
  frame.wall_ns = 1000;
  frame.busy_ns = 600;
  frame.idle[kHostWork] = 400;
  return frame;
}

FrameWork MakeWork() {
  FrameWork work;
  work.first_row = 10;
  work.own_ns = {100, 200, 300};
  return work;
}

TEST(GainLedgerTest, NothingIsGrantedTwice) {
  GainLedger ledger(MakeFrame(), MakeWork());
  Claims first;
  first.idle[kHostWork] = 300;
  first.Add(11, 150);
  const std::optional<Granted> granted = ledger.Grant(first, 0);
  ASSERT_TRUE(granted.has_value());
  EXPECT_EQ(granted->idle_ns, 300);
  EXPECT_EQ(granted->busy_ns, 150);

  Claims second;
  second.idle[kHostWork] = 300;
  second.Add(11, 200);
  second.Add(12, 300);
  const std::optional<Granted> rest = ledger.Grant(second, 0);
  ASSERT_TRUE(rest.has_value());
  EXPECT_EQ(rest->idle_ns, 100);
  EXPECT_EQ(rest->busy_ns, 350);
  EXPECT_EQ(ledger.granted().total_ns(), 900);
}

TEST(GainLedgerTest, WhatIsTooLittleIsGivenBack) {
  GainLedger ledger(MakeFrame(), MakeWork());
  Claims claims;
  claims.idle[kHostWork] = 50;
  claims.Add(10, 60);
  EXPECT_FALSE(ledger.Grant(claims, 111).has_value());
  EXPECT_EQ(ledger.granted().total_ns(), 0);
  EXPECT_EQ(ledger.Grant(claims, 110)->total_ns(), 110);
}

TEST(GainLedgerTest, RowsOutsideOfTheFrameAndNegativeClaimsGiveNothing) {
  GainLedger ledger(MakeFrame(), MakeWork());
  Claims claims;
  claims.Add(9, 100);
  claims.Add(13, 100);
  claims.Add(kNoRow, 100);
  claims.Add(10, -5);
  EXPECT_EQ(ledger.Grant(claims, 0)->total_ns(), 0);
}

TEST(GainLedgerTest, BusyTimeWithoutRowsIsWhatIsLeft) {
  GainLedger ledger(MakeFrame(), MakeWork());
  EXPECT_EQ(ledger.GrantBusy(500).busy_ns, 500);
  Claims claims;
  claims.Add(12, 300);
  EXPECT_EQ(ledger.Grant(claims, 0)->busy_ns, 100);
  EXPECT_EQ(ledger.GrantBusy(500).busy_ns, 0);
}

// A row owns what no earlier row covers, so that the sum is busy time, whatever the streams do.
TEST(FrameWorkTest, OwnTimeIsBusyTimeSharedOut) {
  LaunchedTrace made;
  made.Step(1, {0, 100}).Step(2, {120, 200});
  made.Launch("a", {0, 5}, {10, 50})
      .Launch("b", {5, 8}, {30, 60}, {.stream = 8})
      .Launch("c", {8, 9}, {35, 45}, {.stream = 8});
  made.Launch("d", {80, 85}, {90, 150});  // 10 us in the first step, 30 us in the second
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  ASSERT_TRUE(work.ok());
  EXPECT_EQ(work->own_ns, (std::vector<Ns>{40 * kUs, 10 * kUs, 0, 40 * kUs}));
  Ns sum = 0;
  for (const Ns own : work->own_ns) sum += own;
  EXPECT_EQ(sum, MakeStepFrame(analysis)->busy_ns);
  EXPECT_EQ(work->step, (std::vector<uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(work->by_stream.size(), 2u);
}

}  // namespace
}  // namespace warpsight::testing
