#include "analysis/frame_stacks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

void Add(TraceBuilder& builder, HostKind kind, std::string_view name, Ns start_ns, Ns duration_ns) {
  HostEventRow row;
  row.thread = builder.names().InternThread("1", "1");
  row.kind = kind;
  row.name = builder.Intern(name);
  row.start_ns = start_ns;
  row.duration_ns = duration_ns;
  builder.Add(row);
}

// The latest started frame that is open at `now`, found by looking at all of them, and its ancestors.
std::vector<StringId> PlainStack(const Trace& trace, Ns now, size_t frames) {
  const HostEvents& host = trace.host();
  uint32_t innermost = kNoRow;
  for (uint32_t row = trace.threads()[0].first_frame; row < trace.threads()[0].end; ++row) {
    if (host.start_ns[row] <= now && now < host.end_ns[row]) innermost = row;
  }
  std::vector<StringId> stack;
  for (uint32_t at = innermost; at != kNoRow && stack.size() < frames; at = host.parent[at]) stack.push_back(host.name[at]);
  return stack;
}

TEST(FrameStacksTest, RandomFramesIncludingPartialOverlapsAndEmptyOnes) {
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&random](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    TraceBuilder builder;
    const int frames = pick(0, 20);
    for (int i = 0; i < frames; ++i) {
      Add(builder, HostKind::kPythonFrame, "frame" + std::to_string(pick(0, 5)), pick(0, 60),
          pick(0, 3) == 0 ? 0 : pick(0, 60));
    }
    for (int i = 0; i < 20; ++i) Add(builder, HostKind::kOp, "op", pick(0, 130), pick(0, 10));
    const Trace trace = std::move(builder).Seal();
    const size_t depth = static_cast<size_t>(pick(1, 4));
    const FrameStacks stacks(trace, static_cast<int>(depth));
    for (uint32_t row = trace.threads()[0].first_call; row < trace.threads()[0].first_frame; ++row) {
      const std::span<const StringId> names = stacks.names(stacks.stack_of(row));
      EXPECT_EQ(std::vector<StringId>(names.begin(), names.end()), PlainStack(trace, trace.host().start_ns[row], depth))
          << seed;
    }
  }
}

TEST(FrameStacksTest, EqualStacksAreOneId) {
  TraceBuilder builder;
  Add(builder, HostKind::kPythonFrame, "forward", 0, 10);
  Add(builder, HostKind::kPythonFrame, "forward", 20, 10);
  Add(builder, HostKind::kOp, "a", 1, 1);
  Add(builder, HostKind::kOp, "b", 21, 1);
  Add(builder, HostKind::kOp, "c", 15, 1);
  const Trace trace = std::move(builder).Seal();
  const FrameStacks stacks(trace, 3);
  EXPECT_EQ(stacks.stack_of(0), stacks.stack_of(2));
  EXPECT_NE(stacks.stack_of(0), 0u);
  EXPECT_EQ(stacks.stack_of(1), 0u);  // between the two
}

}  // namespace
}  // namespace warpsight
