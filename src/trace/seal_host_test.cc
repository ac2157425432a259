// The host side of sealing: order, nesting, begin/end pairs, damaged times.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

constexpr Ns kHour = Ns{3600} * 1'000'000'000;

struct Place {
  std::string_view pid = "1";
  std::string_view tid = "1";
};

HostEventRow MakeEvent(TraceBuilder& builder, std::string_view name, Ns start_ns, Ns end_ns, HostKind kind, Place place) {
  HostEventRow row;
  row.start_ns = start_ns;
  row.duration_ns = end_ns - start_ns;
  row.name = builder.Intern(name);
  row.kind = kind;
  row.thread = builder.names().InternThread(place.pid, place.tid);
  return row;
}

void AddEvent(TraceBuilder& builder, std::string_view name, Ns start_ns, Ns end_ns, HostKind kind = HostKind::kOp,
              Place place = {}) {
  builder.Add(MakeEvent(builder, name, start_ns, end_ns, kind, place));
}

void AddEnd(TraceBuilder& builder, bool begin, std::string_view name, Ns time_ns, SourceOffset source = kNoSource,
            Place place = {}) {
  DurationEndRow row;
  row.begin = begin;
  row.event = MakeEvent(builder, name, time_ns, time_ns, HostKind::kOp, place);
  row.event.source = source;
  builder.shard().duration_ends.push_back(row);
  builder.shard().log.CountRead();
}

// "a(b(c) d) e": the rows of the trace in order, children in brackets after their parent.
std::string Describe(const Trace& trace, uint32_t parent = kNoRow) {
  std::string text;
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.host().parent[row] != parent) continue;
    const std::string children = Describe(trace, row);
    text += (text.empty() ? "" : " ") + std::string(trace.Text(trace.host().name[row])) +
            (children.empty() ? "" : "(" + children + ")");
  }
  return text;
}

TEST(SealHostTest, AChildLiesWhollyInsideOfItsParent) {
  TraceBuilder builder;
  AddEvent(builder, "e", 100, 120);
  AddEvent(builder, "c", 20, 30);
  AddEvent(builder, "d", 60, 100);  // ends with its parent
  AddEvent(builder, "a", 0, 100);
  AddEvent(builder, "b", 0, 50);  // begins with its parent
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "a(b(c) d) e");
  EXPECT_EQ(trace.log().count("host_partial_overlap"), 0);
}

TEST(SealHostTest, PartialOverlapsStaySideBySideAndAreCounted) {
  TraceBuilder builder;
  AddEvent(builder, "a", 0, 100);
  AddEvent(builder, "b", 10, 60);
  AddEvent(builder, "c", 50, 90);
  AddEvent(builder, "d", 80, 130);  // leaves c and a
  AddEvent(builder, "e", 110, 120);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "a(b c) d(e)");
  EXPECT_EQ(trace.log().count("host_partial_overlap"), 3);
}

TEST(SealHostTest, OfEqualIntervalsTheFirstOfTheFileIsTheParent) {
  TraceBuilder builder;
  AddEvent(builder, "outer", 0, 10);
  AddEvent(builder, "inner", 0, 10);
  AddEvent(builder, "innermost", 0, 10);
  EXPECT_EQ(Describe(std::move(builder).Seal()), "outer(inner(innermost))");
}

TEST(SealHostTest, EventsWithoutDuration) {
  TraceBuilder builder;
  AddEvent(builder, "a", 0, 10);
  AddEvent(builder, "at its start", 0, 0);
  AddEvent(builder, "inside", 5, 5);
  AddEvent(builder, "at its end", 10, 10);  // [0, 10) is over
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "a(at its start inside) at its end");
}

TEST(SealHostTest, FramesAndCallsNestEachForItself) {
  TraceBuilder builder;
  AddEvent(builder, "frame", 0, 100, HostKind::kPythonFrame);
  AddEvent(builder, "op", 10, 110);  // no partial overlap: another layer
  AddEvent(builder, "inner frame", 20, 90, HostKind::kPythonFrame);
  AddEvent(builder, "call", 30, 40, HostKind::kApi);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "op(call) frame(inner frame)");
  EXPECT_EQ(trace.log().count("host_partial_overlap"), 0);
  const Thread& thread = trace.threads()[0];
  EXPECT_EQ(thread.first_call, 0u);
  EXPECT_EQ(thread.first_frame, 2u);
  EXPECT_EQ(thread.end, 4u);
}

TEST(SealHostTest, ThreadsNestEachForItself) {
  TraceBuilder builder;
  AddEvent(builder, "a", 0, 100);
  AddEvent(builder, "b", 10, 20, HostKind::kOp, {"1", "2"});
  AddEvent(builder, "c", 10, 20, HostKind::kOp, {"2", "1"});
  EXPECT_EQ(Describe(std::move(builder).Seal()), "a b c");
}

TEST(SealHostTest, TheRecordersSpanIsInNobodysNesting) {
  TraceBuilder builder;
  AddEvent(builder, "recording", 0, 1000, HostKind::kRecording);
  AddEvent(builder, "a", 100, 200);
  AddEvent(builder, "b", 150, 160);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "recording a(b)");
  EXPECT_EQ(trace.capture(), (Interval{100, 200}));
}

TEST(SealHostTest, OverheadOnNoThreadHangsBelowTheInnermostCallAroundIt) {
  TraceBuilder builder;
  AddEvent(builder, "op", 0, 100);
  AddEvent(builder, "call", 10, 60, HostKind::kApi);
  AddEvent(builder, "other thread", 15, 90, HostKind::kOp, {"1", "2"});
  AddEvent(builder, "in call", 11, 14, HostKind::kOverhead, {"-1", "0"});
  AddEvent(builder, "latest start", 20, 50, HostKind::kOverhead, {"-1", "0"});
  AddEvent(builder, "too long for the call", 55, 95, HostKind::kOverhead, {"-1", "0"});
  AddEvent(builder, "outside", 200, 210, HostKind::kOverhead, {"-1", "0"});
  EXPECT_EQ(Describe(std::move(builder).Seal()),
            "op(call(in call) too long for the call) other thread(latest start) outside");
}

TEST(SealHostTest, OverheadOnAThreadNestsThere) {
  TraceBuilder builder;
  AddEvent(builder, "op", 0, 100);
  AddEvent(builder, "overhead", 10, 20, HostKind::kOverhead);
  EXPECT_EQ(Describe(std::move(builder).Seal()), "op(overhead)");
}

TEST(SealHostTest, BeginAndEndArePairedInTimeOrder) {
  TraceBuilder builder;
  AddEnd(builder, false, "", 90);
  AddEnd(builder, true, "inner", 10);
  AddEnd(builder, true, "outer", 0);
  AddEnd(builder, false, "", 20);
  AddEnd(builder, true, "second", 30);
  AddEnd(builder, false, "", 30);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "outer(inner second)");
  EXPECT_EQ(trace.host().end_ns[0], 90);
  EXPECT_EQ(trace.host().end_ns[1], 20);
  EXPECT_EQ(trace.host().end_ns[2], 30);
  EXPECT_EQ(trace.log().repaired() + trace.log().excluded(), 0);
}

TEST(SealHostTest, PairsOfEqualTimesNestAsTheyBegan) {
  TraceBuilder builder;
  AddEnd(builder, true, "outer", 0);
  AddEnd(builder, true, "inner", 0);
  AddEnd(builder, false, "", 10);
  AddEnd(builder, false, "", 10);
  EXPECT_EQ(Describe(std::move(builder).Seal()), "outer(inner)");
}

// The place in the file decides between a pair and a complete event of equal times.
TEST(SealHostTest, PairsStandWhereTheyBeganInTheFile) {
  TraceBuilder builder;
  AddEnd(builder, true, "pair", 0, 100);
  HostEventRow complete = MakeEvent(builder, "complete", 0, 10, HostKind::kOp, {});
  complete.source = 200;
  builder.Add(complete);
  AddEnd(builder, false, "", 10, 300);
  EXPECT_EQ(Describe(std::move(builder).Seal()), "pair(complete)");
}

TEST(SealHostTest, UnpairedEnds) {
  TraceBuilder builder;
  AddEnd(builder, false, "", 5, 40);
  AddEnd(builder, true, "never ends", 10, 50);
  AddEnd(builder, true, "pair", 20);
  AddEnd(builder, false, "", 30);
  AddEnd(builder, false, "", 7, kNoSource, {"1", "2"});  // another thread's: no end of "never ends"
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "never ends(pair)");
  EXPECT_EQ(trace.host().end_ns[0], 30);
  EXPECT_EQ(trace.log().count("end_without_begin"), 2);
  EXPECT_EQ(trace.log().count("begin_without_end"), 1);
  EXPECT_EQ(trace.log().read(), 5);
  EXPECT_EQ(trace.log().repaired(), 1);
  EXPECT_EQ(trace.log().excluded(), 2);
}

// An event that was mended before is in the ledger once, whatever sealing finds.
TEST(SealHostTest, AMendedEventIsNotCountedTwice) {
  TraceBuilder builder;
  AddEnd(builder, true, "", 10);
  builder.shard().duration_ends.back().event.mended = 1;
  builder.shard().log.Add("missing_name", ImportSeverity::kWarning, Effect::kRepaired, "x", 1);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(trace.log().read(), 1);
  EXPECT_EQ(trace.log().repaired(), 1);
  EXPECT_EQ(trace.log().kept(), 0);
  EXPECT_EQ(trace.log().count("begin_without_end"), 1);
}

TEST(SealHostTest, TimeZeroFarFromAllElseIsNoTime) {
  TraceBuilder builder;
  AddEvent(builder, "zero", 0, 5);
  AddEvent(builder, "a", kHour, kHour + 100);
  GpuWorkRow kernel;
  kernel.stream = builder.names().InternStream(0, 7, kAbsent);
  builder.Add(kernel);
  GpuSpanRow span;
  span.stream = kernel.stream;
  builder.Add(span);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(Describe(trace), "a");
  EXPECT_EQ(trace.gpu().size(), 0u);
  EXPECT_EQ(trace.gpu_spans().size(), 0u);
  EXPECT_EQ(trace.log().count("zero_timestamp"), 3);
  EXPECT_EQ(trace.log().excluded(), 3);
  EXPECT_EQ(trace.capture(), (Interval{kHour, kHour + 100}));
}

TEST(SealHostTest, TimeZeroNearOtherEventsIsATime) {
  for (const Ns other : {kHour - 1, Ns{1}, Ns{-5}}) {
    TraceBuilder builder;
    AddEvent(builder, "zero", 0, 5);
    AddEvent(builder, "other", other, other + 1);
    EXPECT_EQ(std::move(builder).Seal().log().count("zero_timestamp"), 0) << other;
  }
  TraceBuilder alone;
  AddEvent(alone, "zero", 0, 5);
  EXPECT_EQ(std::move(alone).Seal().host().size(), 1u);
}

TEST(SealHostTest, EndsBeyondTheRangeOfTimeAreHeldThere) {
  TraceBuilder builder;
  HostEventRow row = MakeEvent(builder, "a", kMaxNs - 5, kMaxNs, HostKind::kOp, {});
  row.duration_ns = 1000;
  builder.Add(row);
  EXPECT_EQ(std::move(builder).Seal().host().end_ns[0], kMaxNs);
}

TEST(SealHostTest, EmptyTrace) {
  const Trace trace = TraceBuilder().Seal();
  EXPECT_EQ(trace.host().size(), 0u);
  EXPECT_EQ(trace.capture(), Interval{});
  EXPECT_TRUE(trace.threads().empty());
  EXPECT_TRUE(trace.devices().empty());
}

}  // namespace
}  // namespace warpsight
