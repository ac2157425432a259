#include "analysis/work_steps_pass.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

TEST(WorkStepsTest, WorkBelongsToTheStepThatLaunchedIt) {
  HandMadeTrace made;
  made.Range("ProfilerStep#1", {0, 100});
  made.Range("ProfilerStep#2", {100, 200});
  made.Api("cudaLaunchKernel", {10, 20}, 1);
  made.Api("cudaLaunchKernel", {90, 95}, 2);
  made.Api("cudaLaunchKernel", {250, 260}, 3);
  made.Kernel("in its step", {30, 40}, 1);
  made.Kernel("later", {120, 130}, 2);
  made.Kernel("no launch", {150, 160}, 0);
  made.Kernel("behind all steps", {270, 280}, 3);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Result<WorkSteps>& steps = analysis.Get<WorkStepsPass>();
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(steps->steps, 2);
  EXPECT_EQ(steps->of_row, (std::vector<uint32_t>{0, 0, 1, kNoRow}));
}

TEST(WorkStepsTest, WithoutStepsThereAreNone) {
  HandMadeTrace made;
  made.Kernel("k", {30, 40}, 0);
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  EXPECT_FALSE(analysis.Get<WorkStepsPass>()->any());
}

}  // namespace
}  // namespace warpsight
