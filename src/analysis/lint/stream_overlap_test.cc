#include "analysis/lint/stream_overlap.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

// What the only overlap of a trace is.
OverlapKind OnlyOverlap(HandMadeTrace& make) {
  const Trace trace = make.Seal();
  const auto overlaps = FindStreamOverlaps(trace, 3);
  int kinds = 0;
  OverlapKind only = OverlapKind::kClock;
  for (size_t kind = 0; kind < kOverlapKindCount; ++kind) {
    if (overlaps[kind].count == 0) continue;
    ++kinds;
    only = static_cast<OverlapKind>(kind);
    EXPECT_EQ(overlaps[kind].count, 1);
    EXPECT_EQ(overlaps[kind].first_rows.size(), 1u);
  }
  EXPECT_EQ(kinds, 1);
  return only;
}

TEST(StreamOverlapTest, InOrderWorkDoesNotOverlap) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10'000});
  make.Kernel("b", {10'000, 20'000});
  make.Kernel("none", {15'000, 15'000});  // no duration, no overlap
  make.OnStream(8).Kernel("c", {5'000, 15'000});
  const Trace trace = make.Seal();
  for (const OverlapSummary& overlap : FindStreamOverlaps(trace, 3)) EXPECT_EQ(overlap.count, 0);
}

TEST(StreamOverlapTest, AStartAheadOfTimeIsDependentLaunch) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10'000});
  make.Kernel("b", {8'000, 20'000});
  EXPECT_EQ(OnlyOverlap(make), OverlapKind::kDependent);
}

TEST(StreamOverlapTest, ATickIsTheClock) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10'000});
  make.Kernel("b", {9'500, 20'000});
  EXPECT_EQ(OnlyOverlap(make), OverlapKind::kClock);
}

TEST(StreamOverlapTest, ARecordInsideOfAnotherIsSuspect) {
  HandMadeTrace make;
  make.Kernel("a", {0, 100'000});
  make.Kernel("b", {10'000, 20'000});
  EXPECT_EQ(OnlyOverlap(make), OverlapKind::kSwallowed);
}

TEST(StreamOverlapTest, TheSameRecordTwiceIsADuplicate) {
  HandMadeTrace make;
  make.Kernel("a", {0, 10'000});
  make.Kernel("a", {0, 10'000});
  EXPECT_EQ(OnlyOverlap(make), OverlapKind::kDuplicate);
}

TEST(StreamOverlapTest, BranchesOfOneGraphMayOverlap) {
  HandMadeTrace make;
  make.Api("cudaGraphLaunch", {0, 5}, 1);
  make.Kernel("a", {10, 100'000}, 1);
  make.Kernel("b", {10'000, 20'000}, 1);
  EXPECT_EQ(OnlyOverlap(make), OverlapKind::kGraph);
}

}  // namespace
}  // namespace warpsight
