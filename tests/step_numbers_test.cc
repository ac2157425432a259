// Steps of our own sample recordings: numbers that were worked out by other means, and markers that must be found.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "analysis/gpu_busy.h"
#include "analysis/steps_pass.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::step_numbers_test {
namespace {

struct ExpectedStep {
  Ns wall_ns;
  Ns busy_ns;
};

struct Expectation {
  const char* file;
  StepSource source;
  std::vector<ExpectedStep> steps;
  Ns work_ns;  // whole capture
  Ns busy_ns;
};

class StepNumbersTest : public ::testing::TestWithParam<Expectation> {};

TEST_P(StepNumbersTest, MatchWhatIsKnown) {
  const Expectation& expected = GetParam();
  const std::string path = testing::SharedData() / "h200/torch" / expected.file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared recordings";
  Result<Trace> trace = OpenTrace(path, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  Analysis analysis(*trace, {});
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(steps->source, expected.source);
  ASSERT_EQ(steps->rows.size(), expected.steps.size());
  for (size_t i = 0; i < expected.steps.size(); ++i) {
    const StepRow& row = steps->rows[i];
    if (expected.steps[i].wall_ns > 0) {
      EXPECT_EQ(steps->steps[row.step].time.duration(), expected.steps[i].wall_ns) << i;
      EXPECT_EQ(row.gpu->busy_ns, expected.steps[i].busy_ns) << i;
    }
    EXPECT_EQ(row.gpu->busy_ns + row.gpu->idle_ns, steps->steps[row.step].time.duration());
  }
  if (expected.work_ns > 0) {
    const DeviceBusy& device = analysis.Get<GpuBusyPass>()->devices[0];
    EXPECT_EQ(device.Work(trace->capture()), expected.work_ns);
    EXPECT_EQ(device.Busy(trace->capture()), expected.busy_ns);
  }
}

// Steps with a wall of 0 are counted only.
INSTANTIATE_TEST_SUITE_P(
    Samples, StepNumbersTest,
    ::testing::Values(Expectation{"decode_b1.pt.trace.json.gz",
                                  StepSource::kProfilerStep,
                                  {{47'097'189, 2'204'508}, {50'610'221, 2'199'845}, {52'272'464, 2'208'046}},
                                  6'612'399,
                                  6'612'399},
                      Expectation{
                          "decode_b8.pt.trace.json.gz", StepSource::kProfilerStep, {{}, {}, {}}, 7'531'960, 7'530'777},
                      Expectation{"train_b2.pt.trace.json.gz", StepSource::kProfilerStep, {{}, {}}, 99'311'387, 99'311'067},
                      Expectation{"graph_b1.pt.trace.json.gz", StepSource::kRepetition, {{}, {}, {}}, 0, 0},
                      Expectation{"prefill_b4.pt.trace.json.gz", StepSource::kRepetition, {{}, {}}, 0, 0},
                      Expectation{"tp_rank0.pt.trace.json.gz", StepSource::kRange, {{}, {}, {}}, 0, 0},
                      Expectation{"ddp_rank0.pt.trace.json.gz", StepSource::kProfilerStep, {{}, {}, {}}, 0, 0}),
    [](const auto& param) { return std::string(param.param.file).substr(0, std::string(param.param.file).find('.')); });

}  // namespace
}  // namespace warpsight::step_numbers_test
