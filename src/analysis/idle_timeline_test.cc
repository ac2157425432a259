#include "analysis/idle_timeline.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

IdleTimeline ThreeGaps() {
  IdleTimeline timeline(0, {0, 100});
  timeline.OpenGap({0, 10}, kNoRow, kNoRow);
  timeline.AddPiece({0, 4}, IdleClass::kHostWork);
  timeline.AddPiece({4, 10}, IdleClass::kLaunch);
  timeline.CloseGap();
  timeline.OpenGap({20, 30}, kNoRow, kNoRow);
  timeline.AddPiece({20, 20}, IdleClass::kSync);
  timeline.AddPiece({20, 30}, IdleClass::kLaunch);
  timeline.CloseGap();
  timeline.OpenGap({90, 100}, kNoRow, kNoRow);
  timeline.AddPiece({90, 100}, IdleClass::kEdge);
  timeline.CloseGap();
  return timeline;
}

TEST(IdleTimelineTest, WindowsCutPieces) {
  const IdleTimeline timeline = ThreeGaps();
  const IdleParts parts = timeline.Cut(Interval{2, 25});
  EXPECT_EQ(PartOf(parts, IdleClass::kHostWork), 2);
  EXPECT_EQ(PartOf(parts, IdleClass::kLaunch), 6 + 5);
  EXPECT_EQ(Sum(parts), 13);
}

TEST(IdleTimelineTest, ConsecutiveWindowsAddUp) {
  const IdleTimeline timeline = ThreeGaps();
  const IdleParts whole = timeline.Cut(Interval{-5, 120});
  for (Ns border = -5; border <= 120; ++border) {
    const IdleParts left = timeline.Cut(Interval{-5, border});
    const IdleParts right = timeline.Cut(Interval{border, 120});
    for (size_t kind = 0; kind < kIdleClassCount; ++kind) EXPECT_EQ(left[kind] + right[kind], whole[kind]) << border;
  }
}

TEST(IdleTimelineTest, OutsideOfTheCaptureIsEdge) {
  const IdleParts parts = ThreeGaps().Cut(Interval{-50, -10});
  EXPECT_EQ(PartOf(parts, IdleClass::kEdge), 40);
  EXPECT_EQ(Sum(ThreeGaps().Cut(Interval{50, 10})), 0) << "an empty window";
}

TEST(IdleTimelineTest, GapsInAWindowAreThoseThatShareTime) {
  const IdleTimeline timeline = ThreeGaps();
  EXPECT_EQ(timeline.GapsIn({10, 20}), (std::pair<uint32_t, uint32_t>(1, 1)));
  EXPECT_EQ(timeline.GapsIn({9, 21}), (std::pair<uint32_t, uint32_t>(0, 2)));
  EXPECT_EQ(timeline.GapsIn({95, 200}), (std::pair<uint32_t, uint32_t>(2, 3)));
}

TEST(IdleTimelineTest, EmptyPiecesAreDropped) {
  const IdleTimeline timeline = ThreeGaps();
  EXPECT_EQ(timeline.pieces(timeline.gaps()[1]).size(), 1u);
}

TEST(IdleTimelineDeathTest, PiecesMustFillTheGap) {
  IdleTimeline timeline(0, {0, 100});
  timeline.OpenGap({0, 10}, kNoRow, kNoRow);
  timeline.AddPiece({0, 9}, IdleClass::kEdge);
  EXPECT_EXIT(timeline.CloseGap(), ::testing::ExitedWithCode(5), "internal error");
}

}  // namespace
}  // namespace warpsight
