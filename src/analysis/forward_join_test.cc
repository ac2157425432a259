#include "analysis/forward_join.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

class ForwardJoinTest : public ::testing::Test {
 protected:
  void Op(std::string_view process, std::string_view name, Ns start, uint32_t sequence, uint16_t forward_thread = 0) {
    HostEventRow row;
    row.kind = HostKind::kOp;
    row.name = builder_.Intern(name);
    row.thread = builder_.names().InternThread(process, forward_thread == 0 ? "1" : "2");
    row.start_ns = start;
    row.duration_ns = 10;
    row.sequence_plus_one = sequence + 1;
    row.forward_thread = forward_thread;
    builder_.Add(row);
  }
  TraceBuilder builder_;
};

// Every process numbers its threads and its nodes anew.
TEST_F(ForwardJoinTest, ProcessesAreNotMixed) {
  Op("5", "aten::linear", 100, 3);
  Op("5", "aten::gelu", 200, 4);
  Op("6", "aten::mul", 300, 3);
  Op("6", "aten::conv2d", 400, 4);
  Op("6", "Conv2dBackward0", 500, 4, 1);
  Op("5", "GeluBackward0", 600, 4, 1);
  Op("7", "MulBackward0", 700, 3, 1);  // of a process whose forward pass was not recorded
  const Trace trace = std::move(builder_).Seal();
  const ForwardJoin join(trace);
  const auto forward_of = [&](std::string_view name) -> std::string {
    for (uint32_t row = 0; row < trace.host().size(); ++row) {
      if (trace.Text(trace.host().name[row]) != name) continue;
      const uint32_t forward = join.ForwardOf(row);
      return forward == kNoRow ? "none" : std::string(trace.Text(trace.host().name[forward]));
    }
    return "missing";
  };
  EXPECT_EQ(forward_of("Conv2dBackward0"), "aten::conv2d");
  EXPECT_EQ(forward_of("GeluBackward0"), "aten::gelu");
  EXPECT_EQ(forward_of("MulBackward0"), "none");
  EXPECT_EQ(forward_of("aten::gelu"), "none");
}

}  // namespace
}  // namespace warpsight
