#include "analysis/work_op.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

TEST(WorkOpTest, EveryEntryIsCompleteAndItsExamplesAreWhatItSays) {
  std::set<std::string> ops;
  for (const WorkOpRule& rule : WorkOpRules()) {
    EXPECT_FALSE(rule.source.empty()) << rule.name;
    EXPECT_FALSE(rule.ops.empty()) << rule.name;
    for (const std::string& op : rule.ops) {
      EXPECT_TRUE(ops.insert(op).second) << op << " is listed twice";
      EXPECT_EQ(WorkOpOfOp(op), rule.op) << op;
    }
    EXPECT_EQ(rule.examples.empty(), rule.kernels.empty()) << rule.name;
    for (const std::string& example : rule.examples) EXPECT_EQ(WorkOpOfKernel(example), rule.op) << example;
  }
}

TEST(WorkOpTest, UnknownNamesAreOther) {
  EXPECT_EQ(WorkOpOfOp("aten::conv2d"), WorkOp::kOther);
  EXPECT_EQ(WorkOpOfKernel("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"), WorkOp::kOther);
}

TEST(WorkOpTest, TheOpDecidesAndTheNameHelpsOut) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 10});
  make.Api("cudaLaunchKernel", {1, 5}, 1);
  make.Kernel("splitK with MulFunctor in its name", {10, 20}, 1);
  make.Kernel("MulFunctor", {20, 30});
  make.Copy(CopyKind::kDeviceToHost, {30, 40});
  const Trace trace = make.Seal();
  WorkOpsOf ops(trace);
  EXPECT_EQ(ops.op(0), WorkOp::kMatmul);
  EXPECT_EQ(ops.op(1), WorkOp::kMul);
  EXPECT_EQ(ops.op(2), WorkOp::kOther);
}

}  // namespace
}  // namespace warpsight
