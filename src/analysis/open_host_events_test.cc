#include "analysis/open_host_events.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

// "a:10 b:5 -:3": which event was innermost for how long, neighbours of one name joined.
std::string Sweep(const Trace& trace, std::initializer_list<Interval> intervals) {
  const auto overhead = OverheadByThread(trace);
  OpenHostEvents sweep(trace, 0, overhead[0]);
  std::string text;
  for (Interval interval : intervals) {
    std::string_view last = "?";
    Ns time = 0;
    const auto flush = [&] {
      if (time > 0) text += std::string(text.empty() ? "" : " ") + std::string(last) + ":" + std::to_string(time);
      time = 0;
    };
    sweep.ForEach(interval, [&](uint32_t row, Interval part) {
      const std::string_view name = row == kNoRow ? "-" : trace.Text(trace.host().name[row]);
      if (name != last) flush();
      last = name;
      time += part.duration();
    });
    flush();
  }
  return text;
}

TEST(OpenHostEventsTest, TheInnermostEventCounts) {
  HandMadeTrace make;
  make.Op("outer", {10, 50});
  make.Op("inner", {20, 30});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 60}}), "-:10 outer:10 inner:10 outer:20 -:10");
}

TEST(OpenHostEventsTest, WhatACallDoesInsideIsTheCalls) {
  HandMadeTrace make;
  const auto add = [&make](HostKind kind, std::string_view name, Interval time) {
    HostEventRow row;
    row.thread = make.builder().names().InternThread("1", "1");
    row.kind = kind;
    row.name = make.builder().Intern(name);
    row.start_ns = time.start;
    row.duration_ns = time.duration();
    make.builder().Add(row);
  };
  add(HostKind::kApi, "cudaStreamSynchronize", {10, 50});
  add(HostKind::kOther, "ioctl", {20, 40});
  add(HostKind::kOther, "poll", {60, 70});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 80}}), "-:10 cudaStreamSynchronize:40 -:10 poll:10 -:10");
}

TEST(OpenHostEventsTest, FramesAndCallsAreOneOrder) {
  HandMadeTrace make;
  make.Frame("frame", {0, 100});
  make.Op("op", {10, 60});
  make.Frame("late frame", {20, 40});  // started after the op: nearer to what the thread does
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 100}}), "frame:10 op:10 late frame:20 op:20 frame:40");
}

TEST(OpenHostEventsTest, OfEqualStartsTheCallLiesInsideOfTheFrame) {
  HandMadeTrace make;
  make.Frame("frame", {0, 10});
  make.Op("op", {0, 20});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 30}}), "op:20 -:10");
}

TEST(OpenHostEventsTest, IntervalsAreVisitedInOneForwardSweep) {
  HandMadeTrace make;
  make.Op("a", {0, 100});
  for (int i = 0; i < 10; ++i) make.Op("b", {i * 10, i * 10 + 5});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{2, 4}, {33, 47}, {98, 120}}), "b:2 b:2 a:5 b:5 a:2 a:2 -:20");
}

TEST(OpenHostEventsTest, PartialOverlapGoesToTheLaterStart) {
  HandMadeTrace make;
  make.Op("a", {0, 10});
  make.Op("b", {5, 15});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 20}}), "a:5 b:10 -:5");
}

TEST(OpenHostEventsTest, TheRecordersOwnSpanIsNoEvent) {
  HandMadeTrace make;
  make.Host(HostKind::kRecording, "PyTorch Profiler (0)", {0, 100});
  make.Op("a", {10, 20});
  const Trace trace = make.Seal();
  EXPECT_EQ(Sweep(trace, {{0, 30}}), "-:10 a:10 -:10");
}

TEST(OpenHostEventsTest, RandomStacksAgreeWithALookAtEveryEvent) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    HandMadeTrace make;
    for (int i = 0; i < 25; ++i) {
      const Ns start = static_cast<Ns>(random() % 60);
      make.Host(random() % 2 == 0 ? HostKind::kOp : HostKind::kPythonFrame, std::to_string(i),
                {start, start + static_cast<Ns>(random() % 30)});
    }
    const Trace trace = make.Seal();
    const HostEvents& host = trace.host();
    OpenHostEvents sweep(trace, 0, {});
    for (Ns t = 0; t < 100; t += 1 + static_cast<Ns>(random() % 3)) {
      uint32_t expected = kNoRow;
      for (uint32_t row = 0; row < host.size(); ++row) {
        if (host.start_ns[row] > t || host.end_ns[row] <= t) continue;
        const bool later =
            expected == kNoRow || host.start_ns[row] > host.start_ns[expected] ||
            (host.start_ns[row] == host.start_ns[expected] && IsFrame(host.kind[row]) == IsFrame(host.kind[expected]));
        if (later) expected = row;
      }
      sweep.ForEach({t, t + 1},
                    [&](uint32_t row, Interval) { EXPECT_EQ(row, expected) << "round " << round << " at " << t; });
    }
  }
}

}  // namespace
}  // namespace warpsight
