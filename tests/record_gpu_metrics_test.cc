// `warpsight record --gpu-metrics-devices`, with what stands for CUPTI's PM sampling.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "record/record_fixture.h"

namespace warpsight::record_gpu_metrics_test {
namespace {

class RecordGpuMetricsTest : public RecordTest {
 protected:
  static const CounterSeries* Find(const Trace& trace, std::string_view name, int32_t device) {
    for (const CounterSeries& series : trace.counters()) {
      if (trace.Text(series.name) == name && series.device == device) return &series;
    }
    return nullptr;
  }
  static double Value(const Trace& trace, uint32_t sample) {
    return std::bit_cast<double>(trace.counter_samples().value[sample]);
  }
};

TEST_F(RecordGpuMetricsTest, EverySampleOfEveryDeviceIsThereOnce) {
  const Recording recording =
      Record("--nvml-frequency 0 --gpu-metrics-devices=all --gpu-metrics-frequency 1000", "launches=20 for_ms=800 status=3");
  EXPECT_EQ(recording.status, 3) << recording.err;
  EXPECT_EQ(recording.out, "output of the program\n");
  EXPECT_NE(recording.err.find(" of 1 process, "), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  ASSERT_EQ(trace.counters().size(), 10u) << "five metrics of two devices: NVLink is not there, more do not fit";
  for (const int32_t device : {0, 1}) {
    const CounterSeries* const active = Find(trace, "SMs active", device);
    ASSERT_NE(active, nullptr);
    EXPECT_EQ(active->process, StringId::kEmpty);
    EXPECT_GT(active->size(), 400u);
    // Without holes, also where the image of decoded samples was full; the first, which began before the sampling, is none.
    for (uint32_t i = active->first; i < active->end; ++i) EXPECT_EQ(Value(trace, i), i - active->first + 1);
    for (uint32_t i = active->first + 1; i < active->end; ++i) {
      const Ns apart = trace.counter_samples().time_ns[i] - trace.counter_samples().time_ns[i - 1];
      EXPECT_NEAR(static_cast<double>(apart), 1e6, 2e5);  // the clocks are compared anew each round
    }
    const CounterSeries* const read = Find(trace, "DRAM read", device);
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(Value(trace, read->first), 7.5);
    EXPECT_EQ(Find(trace, "NVLink received", device), nullptr);
  }
  // On the clock of the kernels: the sampling spans them.
  const CounterSeries* const active = Find(trace, "SMs active", 1);
  EXPECT_LT(trace.counter_samples().time_ns[active->first], trace.gpu().start_ns[0]);
  EXPECT_GT(trace.counter_samples().time_ns[active->end - 1], trace.gpu().end_ns[trace.gpu().size() - 1] - 100'000'000);
  // The program's device 0 is the machine's device 1, as which it is counted.
  ASSERT_EQ(trace.devices().size(), 2u);
  EXPECT_EQ(trace.devices()[1].end_work - trace.devices()[1].first_work, trace.gpu().size());
  EXPECT_EQ(trace.devices()[1].sm_count, 132);
}

TEST_F(RecordGpuMetricsTest, OneDeviceAndWhatCantBeSampled) {
  const Recording one = Record("--nvml-frequency 0 --gpu-metrics-devices=1,7", "launches=5 for_ms=300");
  EXPECT_EQ(one.status, 0);
  EXPECT_NE(one.err.find("GPU metrics of device 7 are not sampled: there is no such device"), std::string::npos) << one.err;
  EXPECT_EQ(Open(one).counters().size(), 5u);

  const Recording refused = Record("--gpu-metrics-devices=all", "launches=5", "FAKE_PM=refused");
  EXPECT_EQ(refused.status, 0);
  EXPECT_NE(refused.err.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << refused.err;
  EXPECT_EQ(Open(refused).gpu().size(), 5u);

  const Recording full = Record("--nvml-frequency 0 --gpu-metrics-devices=0", "launches=5 for_ms=600", "FAKE_PM=overflow");
  EXPECT_NE(full.err.find("the buffer of the hardware was full 1 times"), std::string::npos) << full.err;
  const Trace trace = Open(full);
  EXPECT_EQ(CountOf(trace, "recorder_problem") > 0, true);
  EXPECT_GT(trace.counters()[0].size(), 0u);
}

TEST_F(RecordGpuMetricsTest, WindowsHaveTheirSamples) {
  EXPECT_EQ(
      Script("\"$WARPSIGHT\" record -f -o run.wscap --cupti \"$CUPTI\" --nvml-frequency 0 --gpu-metrics-devices=1 -c nvtx "
             "-p window --capture-range-end=repeat -- $PROGRAM launches=5 windows=2 gap_ms=300 2> err"),
      0);
  const Trace first = OpenFile(folder_.File("run-1.wscap"), Said("err"));
  const Trace second = OpenFile(folder_.File("run-2.wscap"), Said("err"));
  ASSERT_EQ(first.counters().size(), 5u);
  ASSERT_EQ(second.counters().size(), 5u);
  EXPECT_LT(first.counter_samples().time_ns[first.counters()[0].end - 1],
            second.counter_samples().time_ns[second.counters()[0].first]);
}

TEST_F(RecordGpuMetricsTest, WhateverEndsTheSamplerEndsInOrder) {
  // `record` itself is killed: the sampler finds its input closed. Nothing is left running.
  EXPECT_EQ(
      Script("\"$WARPSIGHT\" record -f -o run.wscap --cupti \"$CUPTI\" --gpu-metrics-devices=all -- $PROGRAM for_ms=3000 "
             "> /dev/null 2>&1 & R=$!\nsleep 1\npgrep -f gpu-metrics-sampler.$PWD > before\nkill -9 $R\nsleep 1.5\n"
             "pgrep -f gpu-metrics-sampler.$PWD > after\ntest -s before && ! test -s after"),
      0)
      << Said("before") << "|" << Said("after");
  // A program that records nothing has no file, whatever was sampled.
  const Recording none = RecordCommand("--gpu-metrics-devices=all --cupti " WARPSIGHT_FAKE_CUPTI, "sleep 0.3");
  EXPECT_NE(none.err.find("nothing was recorded"), std::string::npos) << none.err;
}

TEST_F(RecordGpuMetricsTest, WrongOptions) {
  EXPECT_EQ(Record("--gpu-metrics-devices=one", "launches=1").status, 2);
  EXPECT_EQ(Record("--gpu-metrics-devices=", "launches=1").status, 2);
  EXPECT_EQ(Record("--gpu-metrics-devices=all --gpu-metrics-frequency 5", "launches=1").status, 2);
  EXPECT_EQ(Record("--gpu-metrics-devices=all --armed", "launches=1").status, 2);
}

}  // namespace
}  // namespace warpsight::record_gpu_metrics_test
