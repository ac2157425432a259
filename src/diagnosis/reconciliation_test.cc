#include "diagnosis/reconciliation.h"

#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"
#include "diagnosis/what_ifs.h"

namespace warpsight::testing {
namespace {

// Ten launches a step, the GPU waits for each: 100 us of work in 1000 us.
Trace Profiled() {
  LaunchedTrace made;
  for (int step = 0; step < 2; ++step) {
    const int64_t start = step * 1000;
    made.Step(step, {start, start + 1000});
    for (int64_t at = start; at < start + 1000; at += 100) made.Launch("k", {at + 80, at + 90}, {at + 90, at + 100});
  }
  return made.Seal();
}

Given Measured(Ns ns) {
  Given given;
  given.measured_step_ns = ns;
  return given;
}

TEST(ReconciliationTest, HostTimesAreScaledAndGpuTimesAreNot) {
  const Trace trace = Profiled();
  Analysis analysis(trace, {}, Measured(550 * kUs));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(measured->profiled_ns, 1000 * kUs);
  EXPECT_EQ(measured->busy_ns, 100 * kUs);
  EXPECT_EQ(measured->idle_ns(), 450 * kUs);
  EXPECT_NEAR(measured->inflation, 1000.0 / 550, 1e-9);
  EXPECT_EQ(measured->ScaleIdle(900 * kUs), 450 * kUs);
  EXPECT_EQ(measured->ScaleIdle(90 * kUs), 45 * kUs);
  EXPECT_NE(measured->Text().find("1.82 times as long: 1.000 ms recorded, 550.0 us measured"), std::string::npos)
      << measured->Text();

  const Diagnosis diagnosis = Diagnose(analysis);
  EXPECT_EQ(diagnosis.step_ns, 550 * kUs);
  ASSERT_NE(Find(diagnosis, "serial_dispatch"), nullptr);
  EXPECT_EQ(Find(diagnosis, "serial_dispatch")->gain_ns, 450 * kUs);
  const std::vector<WhatIf> what_ifs = MakeWhatIfs(analysis, diagnosis, std::nullopt);
  ASSERT_FALSE(what_ifs.empty());
  EXPECT_EQ(what_ifs[0].id, "gaps_removed");
  EXPECT_EQ(what_ifs[0].step_ns, 100 * kUs);
  EXPECT_EQ(what_ifs[0].gain_ns, 450 * kUs);
}

TEST(ReconciliationTest, AShorterStepThanTheGpuWorkedIsAContradiction) {
  const Trace trace = Profiled();
  Analysis analysis(trace, {}, Measured(99 * kUs));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  ASSERT_TRUE(measured.ok());
  EXPECT_TRUE(measured->contradiction);
  EXPECT_EQ(measured->ScaleIdle(900), 900);
  EXPECT_NE(measured->Text().find("shorter than the 100.0 us that the GPU worked"), std::string::npos) << measured->Text();
  EXPECT_EQ(Diagnose(analysis).step_ns, 1000 * kUs);
}

TEST(ReconciliationTest, ALongerStepThanTheRecordedOneIsSaid) {
  const Trace trace = Profiled();
  Analysis analysis(trace, {}, Measured(2000 * kUs));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  ASSERT_TRUE(measured.ok());
  EXPECT_FALSE(measured->contradiction);
  EXPECT_EQ(measured->idle_ns(), 1900 * kUs);
  EXPECT_NE(measured->Text().find("the runs differ"), std::string::npos) << measured->Text();
}

TEST(ReconciliationTest, ExactlyBusyLeavesNoIdleTime) {
  const Trace trace = Profiled();
  Analysis analysis(trace, {}, Measured(100 * kUs));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  ASSERT_TRUE(measured.ok());
  EXPECT_FALSE(measured->contradiction);
  EXPECT_EQ(measured->idle_ns(), 0);
  const Diagnosis diagnosis = Diagnose(analysis);
  EXPECT_EQ(Find(diagnosis, "serial_dispatch")->gain_ns, 0);
}

TEST(ReconciliationTest, LacksStepsOrAFigure) {
  const Trace with_steps = Profiled();
  Analysis not_given(with_steps, {});
  EXPECT_FALSE(not_given.Get<ReconciliationPass>().ok());
  const Trace no_steps = LaunchedTrace().Launch("k", {0, 10}, {10, 20}).Seal();
  Analysis analysis(no_steps, {}, Measured(1000));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  ASSERT_FALSE(measured.ok());
  EXPECT_EQ(measured.status().kind(), StatusKind::kLacks);
  EXPECT_NE(measured.status().message().find("no steps"), std::string::npos);
}

}  // namespace
}  // namespace warpsight::testing
