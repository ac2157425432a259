// Whole files that are broken, or no traces at all: read as far as they go and said so, or refused with one clear line.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hostile/opening.h"
#include "hostile/trace_text.h"

namespace warpsight::testing::hostile_test {
namespace {

using std::string_literals::operator""s;

int64_t InTrace(const Trace& trace) { return trace.log().kept() + trace.log().repaired(); }

constexpr int64_t kGood = 9;  // GoodEvents().size()

std::string GoodText() { return MakeTrace(GoodEvents()).text; }

// --- no traces

struct NoTrace {
  const char* name;
  std::string bytes;
};

std::ostream& operator<<(std::ostream& out, const NoTrace& file) { return out << file.name; }

class NotATrace : public ::testing::TestWithParam<NoTrace> {};

TEST_P(NotATrace, IsRefused) { ExpectRefused(GetParam().bytes); }

std::string Utf16(std::string_view text, bool big_endian) {
  std::string out = big_endian ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) out += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

std::vector<NoTrace> NoTraces() {
  return {
      {"Empty", ""},
      {"OnlySpace", " \n\t\n  "},
      {"OneByte", "{"},
      {"Word", "hello, world\n"},
      {"Html", "<!DOCTYPE html>\n<html><head><title>404</title></head><body>\"traceEvents\": []</body></html>\n"},
      {"GitLfsPointer",
       "version https://git-lfs.github.com/spec/v1\noid "
       "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"},
      {"Binary", "\x7f\x45LF\x02\x01\x01\0\0\0\0\0\0\0\x03\0\x3e\0"s},
      {"Zeros", std::string(100000, '\0')},
      {"Utf16LittleEndian", Utf16(GoodText(), false)},
      {"Utf16BigEndian", Utf16(GoodText(), true)},
      {"JsonNumber", "42"},
      {"JsonNull", "null"},
      {"JsonText", R"("traceEvents")"},
      {"EmptyObject", "{}"},
      {"OtherObject", R"({"name": "x", "version": [1, 2, 3], "items": {"a": null}})"},
      {"TraceEventsNull", R"({"schemaVersion": 1, "traceEvents": null})"},
      {"TraceEventsNumber", R"({"schemaVersion": 1, "traceEvents": 5})"},
      {"TraceEventsText", R"({"schemaVersion": 1, "traceEvents": "[{\"ph\": \"X\"}]"})"},
      {"TraceEventsObject", R"({"schemaVersion": 1, "traceEvents": {"ph": "X", "name": "a", "ts": 1, "dur": 1}})"},
      {"NoTraceEvents", R"({"schemaVersion": 1, "deviceProperties": [], "displayTimeUnit": "ms"})"},
      {"TraceEventsInsideOther", R"({"config": {"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1}]}})"},
      {"MemoryTimeline", "[[1758000000, 1758000001], [[0, 0, 128], [0, 64, 128]]]"},
      {"ListOfNumbers", "[1, 2, 3]"},
      {"ListOfTexts", R"(["a", "b"])"},
      {"ServerTrace",
       R"([{"id":1,"model_name":"m","model_version":1},{"id":1,"timestamps":[{"name":"REQUEST_START","ns":1}]}])"},
      {"Speedscope",
       R"({"version":"0.6","$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[)"},
      {"DeepArrays", std::string(1000000, '[')},
      {"DeepObjects",
       [] {
         std::string text;
         for (int i = 0; i < 200000; ++i) text += "{\"a\":";
         return text;
       }()},
      {"OneEndlessString", "{\"" + std::string(1000000, 'x')},
  };
}
std::string NameOf(const ::testing::TestParamInfo<NoTrace>& tested) { return tested.param.name; }
INSTANTIATE_TEST_SUITE_P(Hostile, NotATrace, ::testing::ValuesIn(NoTraces()), NameOf);

// --- cut off

// All whole events before the cut are there, and the cut is told.
void ExpectCutTrace(const Result<Trace>& trace, int64_t whole_events, bool complete) {
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(InTrace(*trace), whole_events) << CausesOf(trace->log());
  EXPECT_LE(trace->log().excluded(), 1) << CausesOf(trace->log());
  EXPECT_TRUE(complete || SaysDamaged(trace->log())) << "the cut is not told: " << CausesOf(trace->log());
}

TEST(CutOff, AtManyPlaces) {
  const TraceText file = MakeTrace(GoodEvents());
  const size_t array_begin = file.text.find('[', file.text.find("traceEvents"));
  const size_t last_needed = file.text.rfind('}');
  constexpr size_t kPlaces = 250;
  for (size_t place = 0; place <= kPlaces; ++place) {
    const size_t size = file.text.size() * place / kPlaces;
    const std::string cut = file.text.substr(0, size);
    SCOPED_TRACE("cut at byte " + std::to_string(size));
    const Result<Trace> trace = OpenInSeveralCuttings(cut);
    const auto whole = std::upper_bound(file.event_end.begin(), file.event_end.end(), size) - file.event_end.begin();
    // Without one whole event both answers are right: an empty trace that says it is cut, or a refusal.
    if (whole == 0 && !trace.ok()) {
      ExpectRefusal(trace.status(), "hostile.json");
      EXPECT_LE(size, file.event_end[0]);
      continue;
    }
    if (size <= array_begin) {
      EXPECT_FALSE(trace.ok());
      continue;
    }
    ExpectCutTrace(trace, whole, size > last_needed);
  }
}

TEST(CutOff, EveryByteOfAnEvent) {
  const TraceText file = MakeTrace(GoodEvents());
  for (size_t size = file.event_begin[6]; size <= file.event_end[7]; ++size) {
    SCOPED_TRACE("cut at byte " + std::to_string(size));
    const int64_t whole = 6 + (size >= file.event_end[6] ? 1 : 0) + (size >= file.event_end[7] ? 1 : 0);
    ExpectCutTrace(OpenTraceBytes(std::string_view(file.text).substr(0, size), "cut.json", OptionsOf({2, 128})), whole,
                   false);
  }
}

TEST(CutOff, ArrayForm) {
  const TraceText whole = MakeTrace(GoodEvents(), "[\n  ", "\n]\n");
  ExpectCutTrace(OpenInSeveralCuttings(whole.text), kGood, true);
  // The Chrome format allows the closing bracket to be missing, and a comma to be last.
  for (const char* tail : {"\n", ",\n", ""}) {
    ExpectCutTrace(OpenInSeveralCuttings(MakeTrace(GoodEvents(), "[\n  ", tail).text), kGood, true);
  }
}

// --- text around the events

void ExpectAllGood(const Result<Trace>& trace, int64_t more_read = 0) {
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->log().read(), kGood + more_read) << CausesOf(trace->log());
  EXPECT_GE(InTrace(*trace), kGood) << CausesOf(trace->log());
  EXPECT_EQ(trace->gpu().size(), 2u);
}

TEST(AroundEvents, GoodFileIsKeptWhole) {
  const Result<Trace> trace = OpenInSeveralCuttings(GoodText());
  ExpectAllGood(trace);
  EXPECT_EQ(trace->log().kept(), kGood);
  EXPECT_FALSE(SaysDamaged(trace->log())) << CausesOf(trace->log());
}

TEST(AroundEvents, ByteOrderMark) { ExpectAllGood(OpenInSeveralCuttings("\xef\xbb\xbf" + GoodText())); }

TEST(AroundEvents, TrailingBytesAreTold) {
  for (const std::string& tail : {"garbage"s, "\n{\"traceEvents\": []}"s, "]}"s, "\0\0\0x"s}) {
    const Result<Trace> trace = OpenInSeveralCuttings(GoodText() + tail);
    ExpectAllGood(trace);
    EXPECT_FALSE(trace->log().causes().empty()) << ::testing::PrintToString(tail);
  }
  const Result<Trace> spaces = OpenInSeveralCuttings(GoodText() + std::string(100000, '\n'));
  ExpectAllGood(spaces);
  EXPECT_FALSE(SaysDamaged(spaces->log()));
}

// What is read ahead and then found to lie outside of the events leaves no threads, streams or devices behind.
TEST(AroundEvents, SecondTraceBehindTheFirstLeavesNothing) {
  const std::string second =
      MakeTrace(
          {R"({ "ph": "X", "cat": "kernel", "name": "ghost", "pid": 5, "tid": 9, "ts": 1, "dur": 1, "args": { "device": 5, "stream": 9 } })",
           R"({ "ph": "X", "cat": "cpu_op", "name": "ghost", "pid": 99, "tid": 99, "ts": 1, "dur": 1 })"})
          .text;
  const Result<Trace> alone = OpenInSeveralCuttings(GoodText());
  const Result<Trace> both = OpenInSeveralCuttings(GoodText() + second);
  ExpectAllGood(both);
  EXPECT_EQ(both->threads().size(), alone->threads().size());
  EXPECT_EQ(both->streams().size(), alone->streams().size());
  EXPECT_EQ(both->devices().size(), alone->devices().size());
}

TEST(AroundEvents, DamagedMetadataCostsNoEvent) {
  const std::string head =
      R"({"schemaVersion": NaN, "distributedInfo": {"rank": , "backend": 'nccl'}, "note": "a "quoted" word", "traceEvents": [)";
  ExpectAllGood(OpenInSeveralCuttings(MakeTrace(GoodEvents(), head).text));
  const std::string tail = R"(], "note": NaN, "other": "raw "quotes"", "traceName": "x" })";
  ExpectAllGood(OpenInSeveralCuttings(MakeTrace(GoodEvents(), TraceHead(), tail).text));
}

TEST(AroundEvents, MetadataLikeEvents) {
  const std::string head =
      R"({"schemaVersion": 1, "text": "\"traceEvents\": [{\"ph\": \"X\"}]", "nested": {"traceEvents": [{"ph": "X", "cat": "kernel", "name": "fake", "ts": 1, "dur": 1}]}, "traceEvents": [)";
  ExpectAllGood(OpenInSeveralCuttings(MakeTrace(GoodEvents(), head).text));
}

TEST(AroundEvents, MetadataMayFollow) {
  const std::string tail = R"(], "schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}})";
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(GoodEvents(), R"({"traceEvents": [)", tail).text);
  ExpectAllGood(trace);
  EXPECT_EQ(trace->recording().rank, 3);
  EXPECT_EQ(trace->recording().world_size, 8);
}

TEST(AroundEvents, DeepMetadata) {
  const std::string head = "{\"deep\": " + std::string(100000, '[') + std::string(100000, ']') + ", \"traceEvents\": [";
  ExpectAllGood(OpenInSeveralCuttings(MakeTrace(GoodEvents(), head).text));
}

// --- text between the events

std::string TextWithBetween(const std::string& between) {
  const std::vector<std::string> events = GoodEvents();
  std::string text = TraceHead();
  for (size_t i = 0; i < events.size(); ++i) text += (i == 0 ? "" : i == 4 ? between : ",\n  ") + events[i];
  return text + TraceTail();
}

TEST(BetweenEvents, OddSeparatorsCostNoEvent) {
  for (const std::string& between : {" "s, ""s, "\n"s, ",,"s, ", ,\n,"s, ",\0"s}) {
    SCOPED_TRACE(::testing::PrintToString(between));
    ExpectAllGood(OpenInSeveralCuttings(TextWithBetween(between)));
  }
}

TEST(BetweenEvents, GarbageIsToldAndCostsNoEvent) {
  for (const char* between :
       {", garbage ,", ",\n// a comment\n", ", /* a comment with { and \" */ ", "; DROP", ", \"text\", 17, null,"}) {
    SCOPED_TRACE(between);
    OpenDamagedInSeveralCuttings(TextWithBetween(between), [](const Trace& trace) {
      EXPECT_EQ(trace.gpu().size(), 2u) << CausesOf(trace.log());
      EXPECT_EQ(InTrace(trace), kGood) << CausesOf(trace.log());
      EXPECT_FALSE(trace.log().causes().empty());
    });
  }
}

// Two writers in one file, or a block of a disk lost: an event that never ends, and good ones after it.
TEST(BetweenEvents, ReadingGoesOnAfterAnEventThatNeverEnds) {
  for (const char* broken :
       {R"({"ph": "X", "cat": "cpu_op", "na)", R"({"ph": "X", "cat": "cpu_op", "name": "aten::lost", "args": {"a": [[)",
        R"({"ph": "X", "cat": )", R"({"ph": "X", "cat": "cpu_op", "name": "a\)"}) {
    SCOPED_TRACE(broken);
    OpenDamagedInSeveralCuttings(TextWithBetween(",\n  " + std::string(broken) + "\n  "), [](const Trace& trace) {
      EXPECT_TRUE(SaysDamaged(trace.log()));
      // The broken event may take the one that it runs into with it, not more.
      EXPECT_GE(InTrace(trace), kGood - 1) << CausesOf(trace.log());
      EXPECT_LE(InTrace(trace), kGood + 1) << CausesOf(trace.log());
    });
  }
}

// A name whose closing quote is missing must not reach into the next event for one.
TEST(BetweenEvents, MissingQuoteCostsOneEvent) {
  const std::string broken =
      R"({"ph": "X", "cat": "kernel", "name": "cut, "pid": 0, "tid": 7, "ts": 5108452590200.0, "dur": 10})";
  OpenDamagedInSeveralCuttings(TextWithBetween(",\n  " + broken + ",\n  "), [](const Trace& trace) {
    EXPECT_EQ(trace.log().read(), kGood + 1) << CausesOf(trace.log());
    EXPECT_GE(InTrace(trace), kGood) << CausesOf(trace.log());
    EXPECT_EQ(trace.log().repaired() + trace.log().excluded(), 1) << CausesOf(trace.log());
  });
}

// What is wrong again and again must not be paid for with a look at all that follows each time: these took minutes when they
// did.
TEST(BetweenEvents, RepeatedDamageIsReadInOneGo) {
  const std::string event =
      R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 5108452590200.0, "dur": 1})";
  for (const std::string& unit : {R"({"name":"a" b},)"s, "[ " + event + ",", "{\"name\":\"a\" b} "s, "[[[[\"x\" y,"s}) {
    SCOPED_TRACE(unit);
    std::string text = "{\"traceEvents\": [" + event + ",";
    while (text.size() < (size_t{4} << 20)) text += unit;
    // Nothing is timed here: quadratic work takes many minutes and meets the test runner's time limit.
    const Result<Trace> trace = OpenTraceBytes(text, "repeated", {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_GT(trace->log().excluded() + trace->log().repaired(), 0) << CausesOf(trace->log());
  }
}

TEST(BetweenEvents, ZeroedDiskBlock) {
  const TraceText file = MakeTrace(GoodEvents());
  std::string text = file.text;
  // From the middle of event 3 to the middle of event 4.
  const size_t from = (file.event_begin[3] + file.event_end[3]) / 2;
  const size_t to = (file.event_begin[4] + file.event_end[4]) / 2;
  std::fill(text.begin() + static_cast<ptrdiff_t>(from), text.begin() + static_cast<ptrdiff_t>(to), '\0');
  OpenDamagedInSeveralCuttings(text, [](const Trace& trace) {
    EXPECT_TRUE(SaysDamaged(trace.log()));
    EXPECT_GE(InTrace(trace), kGood - 3) << CausesOf(trace.log());
    EXPECT_LE(InTrace(trace), kGood) << CausesOf(trace.log());
  });
}

// Python's repr instead of JSON, and JSON5: read or refused, but never half of it in silence.
TEST(BetweenEvents, SingleQuotes) {
  std::string text = GoodText();
  std::replace(text.begin(), text.end(), '"', '\'');
  const Result<Trace> trace = OpenInSeveralCuttings(text);
  if (trace.ok()) {
    EXPECT_TRUE(SaysDamaged(trace->log()));
  } else {
    ExpectRefusal(trace.status(), "hostile.json");
  }
}

// --- valid, with nothing in it

TEST(EmptyTrace, IsOpenedAndHasNoRows) {
  for (const char* text : {R"({"schemaVersion": 1, "traceEvents": []})", R"({"traceEvents":[ ]})",
                           R"({"schemaVersion": 1, "traceEvents": [], "traceName": "x"})"}) {
    const Result<Trace> trace = OpenInSeveralCuttings(text);
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(trace->log().read(), 0);
    EXPECT_EQ(trace->host().size(), 0u);
    EXPECT_TRUE(trace->capture().empty());
  }
}

// A schedule that never reached its active phase leaves names and the profiler's own marks.
TEST(EmptyTrace, ScheduleThatNeverBecameActive) {
  const std::vector<std::string> events = {
      GoodEvents().back(),
      R"json({ "ph": "X", "cat": "Trace", "ts": 5108452524668.555, "dur": 401310.783, "pid": "Spans", "tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)", "args": { "Op count": 0 } })json",
      R"({ "name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g", "pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": 5108452524668.555 })",
      R"({ "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 5108453055171.848 })"};
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->log().read(), 4);
  EXPECT_EQ(trace->log().kept(), 4) << CausesOf(trace->log());
  EXPECT_EQ(trace->gpu().size(), 0u);
  EXPECT_TRUE(trace->capture().empty());
}

}  // namespace
}  // namespace warpsight::testing::hostile_test
