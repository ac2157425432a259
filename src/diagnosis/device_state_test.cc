// Clocks of the judged device over its steps, and the finding that is made of them.
#include "diagnosis/device_state.h"

#include <gtest/gtest.h>

#include <string>

#include "base/gpu_counter_names.h"
#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

// Two steps of a millisecond each, the GPU busy in both, and samples of it.
class SampledTrace {
 public:
  SampledTrace() {
    made_.Step(1, {0, 1000}).Launch("k", {0, 10}, {100, 900});
    made_.Step(2, {1000, 2000}).Launch("k", {1000, 1010}, {1100, 1900});
  }
  SampledTrace& Sample(GpuCounter counter, int64_t us, int64_t value, int32_t device = 0, std::string_view process = "1") {
    TraceBuilder& builder = made_.make().builder();
    CounterSeries series;
    series.name = builder.Intern(NameOf(counter).name);
    series.unit = builder.Intern(NameOf(counter).unit);
    series.process = builder.Intern(process);
    series.device = device;
    builder.shard().counters.AddInteger(builder.names().InternCounter(series), us * kUs, value);
    builder.shard().log.CountRead();
    return *this;
  }
  // Reasons as a damaged capture may have them.
  SampledTrace& Reasons(int64_t us, double value) {
    TraceBuilder& builder = made_.make().builder();
    CounterSeries series;
    series.name = builder.Intern(NameOf(GpuCounter::kThrottleReasons).name);
    series.unit = builder.Intern(NameOf(GpuCounter::kThrottleReasons).unit);
    series.process = builder.Intern("2");
    series.device = 0;
    series.kind = CounterKind::kDouble;
    builder.shard().counters.AddDouble(builder.names().InternCounter(series), us * kUs, value);
    builder.shard().log.CountRead();
    return *this;
  }
  // A turn of the sampler.
  SampledTrace& Turn(int64_t us, int64_t mhz, int64_t reasons) {
    return Sample(GpuCounter::kSmClock, us, mhz).Sample(GpuCounter::kThrottleReasons, us, reasons);
  }
  Trace Seal() { return made_.Seal(); }

 private:
  LaunchedTrace made_;
};

TEST(DeviceStateTest, SamplesOfTheWorkingGpuInTheSteps) {
  SampledTrace made;
  made.Turn(-500, 300, 0).Turn(100, 1900, 0).Turn(500, 1800, 4).Turn(900, 345, 1).Turn(1500, 1700, 4).Turn(2500, 100, 0);
  made.Sample(GpuCounter::kSmClock, 500, 50, 1);  // another device
  made.Sample(GpuCounter::kSmClockMax, -500, 1980).Sample(GpuCounter::kPowerLimit, -500, 700'000);
  made.Sample(GpuCounter::kPower, 100, 600'000).Sample(GpuCounter::kPower, 1500, 700'000);
  made.Sample(GpuCounter::kTemperature, 100, 61).Sample(GpuCounter::kTemperature, 2500, 99);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Result<DeviceState>& state = analysis.Get<DeviceStatePass>();
  ASSERT_TRUE(state.ok()) << state.status().message();
  EXPECT_EQ(state->sm_clock_mhz.samples, 3);
  EXPECT_EQ(state->idle_samples, 1);
  EXPECT_DOUBLE_EQ(state->sm_clock_mhz.mean, 1800);
  EXPECT_DOUBLE_EQ(state->sm_clock_mhz.least, 1700);
  EXPECT_DOUBLE_EQ(state->sm_clock_limit_mhz.value_or(0), 1980);
  EXPECT_DOUBLE_EQ(state->power_mw->mean, 650'000);
  EXPECT_DOUBLE_EQ(state->power_limit_mw.value_or(0), 700'000);
  EXPECT_DOUBLE_EQ(state->temperature_c->largest, 61);
  ASSERT_EQ(state->reasons.size(), 1u);
  EXPECT_EQ(state->reasons[0].words, "power limit");
  EXPECT_DOUBLE_EQ(state->reasons[0].sample_share, 2.0 / 3);
  EXPECT_DOUBLE_EQ(state->fault_share, 0);
}

TEST(DeviceStateTest, ReasonsThatNoNumberOfBitsHasAreNone) {
  SampledTrace made;
  made.Turn(100, 1900, 0).Turn(500, 1900, 0).Turn(900, 1900, 0).Reasons(500, 1e300).Reasons(900, -1e300);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Result<DeviceState>& state = analysis.Get<DeviceStatePass>();
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(state->reasons.empty());
  EXPECT_DOUBLE_EQ(state->fault_share, 0);
}

TEST(ClocksTest, APowerLimitThatCostsLittleIsNone) {
  SampledTrace made;
  made.Turn(100, 1900, 4).Turn(500, 1900, 4).Turn(900, 1900, 4).Sample(GpuCounter::kSmClockMax, 100, 1980);
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  EXPECT_EQ(Find(diagnosis, "clocks"), nullptr);
  EXPECT_EQ(WhyNot(diagnosis, "clocks"), "");
}

TEST(ClocksTest, ALowClockNamesWhatHoldsIt) {
  SampledTrace made;
  made.Turn(100, 1500, 4).Turn(500, 1500, 4).Turn(900, 1500, 4).Turn(1500, 1500, 0);
  made.Sample(GpuCounter::kSmClockMax, 100, 1980);
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* const finding = Find(diagnosis, "clocks");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::kLow);
  EXPECT_FALSE(finding->gain_ns.has_value());
  EXPECT_NE(Evidence(*finding).find("1,500 MHz on average (1,500 to 1,500), 75.8 % of the 1,980 MHz"), std::string::npos)
      << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("held back by power limit in 75.0 % of the samples"), std::string::npos);
  EXPECT_NE(finding->advice.find("nvidia-smi -pl"), std::string::npos) << finding->advice;
}

TEST(ClocksTest, HeatIsOneHoweverHighTheClock) {
  SampledTrace made;
  made.Turn(100, 1950, 0x44).Turn(500, 1950, 0).Turn(900, 1950, 0).Turn(1500, 1950, 0);
  made.Sample(GpuCounter::kSmClockMax, 100, 1980);
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* const finding = Find(diagnosis, "clocks");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::kMedium);
  EXPECT_EQ(finding->title, "The GPU is throttled");
  EXPECT_NE(finding->advice.find("cooling"), std::string::npos);
}

TEST(ClocksTest, AnIdleGpuIsNotBlamedForItsClock) {
  SampledTrace made;
  made.Turn(100, 345, 1).Turn(500, 345, 1).Turn(900, 345, 1).Turn(1500, 345, 1).Sample(GpuCounter::kSmClockMax, 100, 1980);
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  EXPECT_EQ(Find(diagnosis, "clocks"), nullptr);
  EXPECT_NE(WhyNot(diagnosis, "clocks"), "");
}

TEST(ClocksTest, ClocksOfNsysAreShownButNotJudged) {
  LaunchedTrace made;
  made.Step(1, {0, 1000}).Launch("k", {0, 10}, {100, 900});
  TraceBuilder& builder = made.make().builder();
  CounterSeries series;
  series.name = builder.Intern("GPC Clock Frequency");
  series.unit = builder.Intern("Hz");
  series.device = 0;
  for (const int64_t us : {100, 500, 900})
    builder.shard().counters.AddInteger(builder.names().InternCounter(series), us * kUs, 1'410'000'000);
  builder.shard().log.CountRead(3);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Result<DeviceState>& state = analysis.Get<DeviceStatePass>();
  ASSERT_TRUE(state.ok());
  EXPECT_DOUBLE_EQ(state->sm_clock_mhz.mean, 1410);
  EXPECT_NE(WhyNot(Diagnose(analysis), "clocks").find("neither how high"), std::string::npos);
}

TEST(ClocksTest, WithoutReasonsTheClockAloneIsJudged) {
  SampledTrace made;
  for (const int64_t us : {100, 500, 900})
    made.Sample(GpuCounter::kSmClock, us, 1000).Sample(GpuCounter::kSmClock, us, 1000, 0, "2");
  made.Sample(GpuCounter::kSmClockMax, 100, 1980);
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* const finding = Find(diagnosis, "clocks");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(Evidence(*finding).find("samples: 6"), std::string::npos) << Evidence(*finding);
}

}  // namespace
}  // namespace warpsight::testing
