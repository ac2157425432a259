#include "capture/range_follower.h"

#include <gtest/gtest.h>

#include <thread>

#include "capture/range_pattern.h"

namespace warpsight::capture {
namespace {

using Turn = RangeFollower::Turn;

// No range is open in a thread of a test.
Turn Push(RangeFollower& follower, std::string_view text) {
  const RangeEvent event = EventNow(RangeEventKind::kPush, nullptr, 0);
  EXPECT_TRUE(event.outermost);
  return follower.Take(event, text);
}
Turn PushInside(RangeFollower& follower, std::string_view text) {
  RangeEvent event = EventNow(RangeEventKind::kPush, nullptr, 0);
  event.outermost = false;
  return follower.Take(event, text);
}
Turn Pop(RangeFollower& follower) { return follower.Take(EventNow(RangeEventKind::kPop, nullptr, 0), {}); }

TEST(RangePatternTest, IsReadAsItIsWritten) {
  struct Case {
    const char* written;
    const char* text;
    const char* domain;
    bool any;
  };
  for (const Case& one :
       {Case{"step", "step", "", false}, Case{"step@trainer", "step", "trainer", false}, Case{"step@*", "step", "*", true},
        Case{"a\\@b", "a@b", "", false}, Case{"a\\@b@c\\@d", "a@b", "c@d", false}, Case{"a@b@c", "a@b", "c", false},
        Case{"a\\\\@b", "a\\", "b", false}, Case{"a\\b", "a\\b", "", false}, Case{"a@", "a", "", false}}) {
    const std::optional<RangePattern> pattern = ParseRangePattern(one.written);
    ASSERT_TRUE(pattern) << one.written;
    EXPECT_EQ(pattern->text, one.text);
    EXPECT_EQ(pattern->domain, one.domain);
    EXPECT_EQ(pattern->any_domain, one.any);
  }
  EXPECT_FALSE(ParseRangePattern(""));
  EXPECT_FALSE(ParseRangePattern("@domain"));
}

TEST(RangePatternTest, NumbersAreLeftAside) {
  EXPECT_EQ(WithoutNumber("ProfilerStep#12"), "ProfilerStep");
  EXPECT_EQ(WithoutNumber("step 1"), "step");
  EXPECT_EQ(WithoutNumber("step_1"), "step");
  EXPECT_EQ(WithoutNumber("step"), "step");
  EXPECT_EQ(WithoutNumber("step "), "step ");
  EXPECT_EQ(WithoutNumber("12"), "12");
  EXPECT_EQ(WithoutNumber("#12"), "#12");
  EXPECT_EQ(WithoutNumber(""), "");
}

TEST(RangeFollowerTest, EveryRangeOfThePatternIsAWindow) {
  RangeFollower follower(*ParseRangePattern("step"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Push(follower, "other"), Turn::kNone);
    EXPECT_EQ(Pop(follower), Turn::kNone);
    EXPECT_EQ(Push(follower, "step"), Turn::kBegin);
    EXPECT_EQ(PushInside(follower, "step"), Turn::kNone);
    EXPECT_EQ(PushInside(follower, "other"), Turn::kNone);
    EXPECT_EQ(Pop(follower), Turn::kNone);
    // Another thread's is neither the begin nor the end.
    std::thread([&] {
      EXPECT_EQ(Push(follower, "step"), Turn::kNone);
      EXPECT_EQ(Pop(follower), Turn::kNone);
      EXPECT_EQ(Pop(follower), Turn::kNone);
    }).join();
    EXPECT_EQ(Pop(follower), Turn::kNone);
    EXPECT_EQ(Pop(follower), Turn::kEnd);
    EXPECT_EQ(Pop(follower), Turn::kNone);
  }
}

TEST(RangeFollowerTest, DomainsNestApart) {
  const RangeDomain trainer = {"trainer"};
  const RangeDomain same = {"trainer"};
  RangeFollower follower(*ParseRangePattern("step@trainer"));
  const auto take = [&](RangeEventKind kind, const RangeDomain* domain) {
    return follower.Take(EventNow(kind, domain, 0), kind == RangeEventKind::kPush ? "step" : "");
  };
  EXPECT_EQ(take(RangeEventKind::kPush, nullptr), Turn::kNone);
  EXPECT_EQ(take(RangeEventKind::kPush, &trainer), Turn::kBegin);
  EXPECT_EQ(take(RangeEventKind::kPop, nullptr), Turn::kNone);
  EXPECT_EQ(take(RangeEventKind::kPop, &same), Turn::kEnd);
}

TEST(RangeFollowerTest, StartedRangesEndByTheirIdOnAnyThread) {
  RangeFollower follower(*ParseRangePattern("request@*"));
  EXPECT_EQ(follower.Take(EventNow(RangeEventKind::kStart, nullptr, 7), "request"), Turn::kBegin);
  EXPECT_EQ(follower.Take(EventNow(RangeEventKind::kStart, nullptr, 8), "request"), Turn::kNone);
  EXPECT_EQ(follower.Take(EventNow(RangeEventKind::kEnd, nullptr, 8), {}), Turn::kNone);
  std::thread([&] { EXPECT_EQ(follower.Take(EventNow(RangeEventKind::kEnd, nullptr, 7), {}), Turn::kEnd); }).join();
}

TEST(RangeFollowerTest, TheOutermostRangeThatComesAgainIsAStep) {
  RangeFollower follower(2, "");
  EXPECT_EQ(PushInside(follower, "layer"), Turn::kNone);
  EXPECT_EQ(PushInside(follower, "layer"), Turn::kNone);
  EXPECT_EQ(Push(follower, "aten::mm, op_id = 1"), Turn::kNone);
  EXPECT_EQ(Push(follower, "aten::mm, op_id = 2"), Turn::kNone);
  EXPECT_EQ(Push(follower, "iteration 1"), Turn::kNone);
  EXPECT_EQ(Pop(follower), Turn::kNone);
  EXPECT_EQ(Push(follower, "iteration 2"), Turn::kBegin);
  EXPECT_EQ(Pop(follower), Turn::kNone);
  EXPECT_EQ(Push(follower, "other"), Turn::kNone);
  EXPECT_EQ(Pop(follower), Turn::kNone);
  EXPECT_FALSE(follower.over());
  EXPECT_EQ(Push(follower, "iteration 3"), Turn::kNone);
  EXPECT_EQ(Pop(follower), Turn::kEnd);
  EXPECT_TRUE(follower.over());
  EXPECT_EQ(Push(follower, "iteration 4"), Turn::kNone);
  EXPECT_EQ(follower.Answer().steps, 2u);
  EXPECT_EQ(follower.Answer().step, "iteration");
}

TEST(RangeFollowerTest, ProfilerStepsComeBeforeOtherRanges) {
  RangeFollower follower(1, "");
  EXPECT_EQ(Push(follower, "load"), Turn::kNone);
  EXPECT_EQ(Push(follower, "ProfilerStep#8"), Turn::kBegin);
  EXPECT_EQ(Pop(follower), Turn::kEnd);
}

TEST(RangeFollowerTest, WhatMightHaveBeenAStepIsNamed) {
  RangeFollower follower(1, "");
  Push(follower, "main");
  Push(follower, "load 1");
  EXPECT_EQ(follower.Answer().steps, 0u);
  EXPECT_EQ(follower.Answer().seen, "load, main");
}

// 0 is what a program holds that started its range before it was followed.
TEST(RangeFollowerTest, AnEndWithoutANumberEndsNoPushedRange) {
  RangeFollower follower(*ParseRangePattern("step"));
  EXPECT_EQ(Push(follower, "step"), Turn::kBegin);
  EXPECT_EQ(follower.Take(EventNow(RangeEventKind::kEnd, nullptr, 0), {}), Turn::kNone);
  EXPECT_EQ(Pop(follower), Turn::kEnd);
}

}  // namespace
}  // namespace warpsight::capture
