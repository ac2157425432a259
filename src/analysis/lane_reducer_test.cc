#include "analysis/lane_reducer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analysis/interval_union.h"

namespace warpsight {
namespace {

Ns BusySum(const std::vector<Span>& spans) {
  Ns sum = 0;
  for (const Span& span : spans) sum += span.busy_ns;
  return sum;
}

TEST(ReduceLane, LongEventsKeepTheirBorders) {
  const std::vector<LaneEvent> events = {{{103, 350}, 2, "long"}, {{400, 700}, 1, "next"}};
  const std::vector<Span> spans = ReduceLane(events, {0, 1000}, 100);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].start_ns, 103);
  EXPECT_EQ(spans[0].end_ns, 350);
  EXPECT_EQ(spans[0].label, "long");
  EXPECT_EQ(spans[0].category, 2u);
  EXPECT_TRUE(spans[0].is_whole_event());
  EXPECT_EQ(spans[1].start_ns, 400);
}

// 100 events of 1 ns, one every 10 ns: a picture that showed them as busy would be a lie.
TEST(ReduceLane, ShortEventsBecomeOneLowSpan) {
  std::vector<LaneEvent> events;
  for (Ns at = 0; at < 1000; at += 10) events.push_back({{at, at + 1}, 0, "tiny"});
  const std::vector<Span> spans = ReduceLane(events, {0, 1000}, 20);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].busy_ns, 100);
  EXPECT_EQ(spans[0].events, 100);
  EXPECT_DOUBLE_EQ(spans[0].fill(), 0.1);
}

TEST(ReduceLane, AnEmptyColumnStaysEmpty) {
  const std::vector<LaneEvent> events = {{{0, 5}, 0, "a"}, {{5, 9}, 0, "b"}, {{30, 35}, 0, "c"}};
  const std::vector<Span> spans = ReduceLane(events, {0, 100}, 10);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].end_ns, 10);
  EXPECT_EQ(spans[0].events, 2);
  EXPECT_EQ(spans[0].label, "a");
  EXPECT_EQ(spans[1].start_ns, 30);
}

TEST(ReduceLane, AnEventOverABorderIsOneEvent) {
  const std::vector<Span> spans = ReduceLane(std::vector<LaneEvent>{{{5, 15}, 0, "a"}}, {0, 100}, 10);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].start_ns, 0);
  EXPECT_EQ(spans[0].end_ns, 20);
  EXPECT_EQ(spans[0].busy_ns, 10);
}

TEST(ReduceLane, LabelsOfKernelsAreShortAndNoneIsLong) {
  const std::string longest(5000, 'x');
  const std::vector<LaneEvent> events = {{{0, 50}, 0, "void at::native::f<int>(int)", true}, {{50, 100}, 0, longest}};
  const std::vector<Span> spans = ReduceLane(events, {0, 100}, 10);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].label, "at::native::f<int>");
  EXPECT_EQ(spans[1].label.size(), 200u);
}

TEST(ReduceLane, NothingInAnEmptyWindow) {
  EXPECT_TRUE(ReduceLane(std::vector<LaneEvent>{{{0, 5}, 0, "a"}}, {3, 3}, 10).empty());
  EXPECT_TRUE(ReduceLane({}, {0, 100}, 10).empty());
}

// Against the union: the same time, in the same columns, in order and bounded.
TEST(ReduceLane, BusyTimeIsThatOfTheUnionOnRandomLanes) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<LaneEvent> events;
    IntervalUnion all;
    Ns at = -50;
    const int count = static_cast<int>(random() % 200);
    for (int i = 0; i < count; ++i) {
      at += static_cast<Ns>(random() % 30);
      const Ns length = random() % 10 == 0 ? static_cast<Ns>(random() % 400) : static_cast<Ns>(random() % 12);
      events.push_back({{at, at + length}, random() % 20, "e"});
      all.Append({at, at + length});
    }
    const Interval window{0, 2000};
    const std::size_t columns = 1 + random() % 120;
    const std::vector<Span> spans = ReduceLane(events, window, columns);
    EXPECT_EQ(BusySum(spans), all.Measure(window));
    EXPECT_LE(spans.size(), 2 * columns + 2);
    Ns before = window.start;
    for (const Span& span : spans) {
      EXPECT_GE(span.start_ns, before);
      EXPECT_LE(span.end_ns, window.end);
      EXPECT_GT(span.busy_ns, 0);
      EXPECT_EQ(span.busy_ns, all.Measure({span.start_ns, span.end_ns}));
      before = span.end_ns;
    }
  }
}

}  // namespace
}  // namespace warpsight
