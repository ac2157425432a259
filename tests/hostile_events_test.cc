// One bad event in a good trace: what becomes of it, that the ledger names it, and that its neighbours do not suffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "hostile/opening.h"
#include "hostile/trace_text.h"

namespace warpsight::testing::hostile_events_test {
namespace {

// What may become of the event. The wider ones leave a choice to the importer that no user depends on.
enum class Fate { kKept, kRepaired, kExcluded, kKeptOrRepaired, kRepairedOrExcluded, kAny };

struct EventCase {
  const char* name;
  std::string event;
  Fate fate;
  std::optional<Ns> start_ns = std::nullopt;  // of the row "aten::odd", when the case fixes it
  std::optional<Ns> duration_ns = std::nullopt;
};

std::ostream& operator<<(std::ostream& out, const EventCase& test_case) { return out << test_case.name; }

std::optional<uint32_t> FindHost(const Trace& trace, std::string_view name) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.Text(trace.host().name[row]) == name) return row;
  }
  return std::nullopt;
}

std::optional<uint32_t> FindGpu(const Trace& trace, std::string_view name) {
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    if (trace.Text(trace.gpu().name[row]) == name) return row;
  }
  return std::nullopt;
}

// The events of GoodEvents are all there and still tied together.
void ExpectGoodEvents(const Trace& trace) {
  for (const char* name : {"ProfilerStep#1", "aten::mm", "cudaLaunchKernel", "cudaMemcpyAsync"}) {
    EXPECT_TRUE(FindHost(trace, name).has_value()) << name;
  }
  EXPECT_TRUE(FindGpu(trace, "Memcpy DtoH (Device -> Pageable)").has_value());
  const std::optional<uint32_t> kernel = FindGpu(trace, "void gemm<float, 4>(float*, int)");
  ASSERT_TRUE(kernel.has_value());
  EXPECT_EQ(trace.gpu().start_ns[*kernel], 5108452590040000);
  EXPECT_EQ(trace.gpu().duration_ns(*kernel), 20512);
  EXPECT_EQ(trace.gpu().launch[*kernel], FindHost(trace, "cudaLaunchKernel"));
  EXPECT_EQ(trace.gpu().op[*kernel], FindHost(trace, "aten::mm"));
  EXPECT_GE(trace.flow_count(), 2);
}

bool Meets(Fate fate, bool repaired, bool excluded) {
  switch (fate) {
    case Fate::kKept:
      return !repaired && !excluded;
    case Fate::kRepaired:
      return repaired && !excluded;
    case Fate::kExcluded:
      return excluded && !repaired;
    case Fate::kKeptOrRepaired:
      return !excluded;
    case Fate::kRepairedOrExcluded:
      return repaired != excluded;
    case Fate::kAny:
      return !(repaired && excluded);
  }
  return false;
}

class HostileEvent : public ::testing::TestWithParam<EventCase> {};

TEST_P(HostileEvent, IsAccountedForAndHurtsNoOther) {
  const EventCase& c = GetParam();
  const TraceText file = GoodTraceWith(c.event);
  const Result<Trace> trace = OpenInSeveralCuttings(file.text);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const ImportLog& log = trace->log();
  EXPECT_EQ(log.read(), static_cast<int64_t>(GoodEvents().size()) + 1) << CausesOf(log);
  EXPECT_LE(log.repaired() + log.excluded(), 1) << CausesOf(log);
  EXPECT_TRUE(Meets(c.fate, log.repaired() == 1, log.excluded() == 1))
      << log.repaired() << " repaired, " << log.excluded() << " excluded: " << CausesOf(log);
  for (const ImportCause& cause : log.causes()) {
    if (cause.effect == Effect::kNote) continue;
    EXPECT_GE(cause.first_place, static_cast<int64_t>(file.event_begin[kInserted]) - 1) << cause.cause;
    EXPECT_LE(cause.first_place, static_cast<int64_t>(file.event_end[kInserted])) << cause.cause;
  }
  ExpectGoodEvents(*trace);
  const std::optional<uint32_t> row = FindHost(*trace, "aten::odd");
  if (c.start_ns || c.duration_ns) {
    ASSERT_TRUE(row.has_value());
    if (c.start_ns) {
      EXPECT_EQ(trace->host().start_ns[*row], *c.start_ns);
    }
    if (c.duration_ns) {
      EXPECT_EQ(trace->host().duration_ns(*row), *c.duration_ns);
    }
  }
}

std::string NameOf(const ::testing::TestParamInfo<EventCase>& tested) { return tested.param.name; }

constexpr Ns kStart = 5108452590200500;
const char* const kTs = "5108452590200.5";

std::vector<EventCase> TimeCases() {
  return {
      {"PlainOne", OpAt(kTs, "12.345"), Fate::kKept, kStart, 12345},
      {"WholeMicroseconds", OpAt("5108452590200", "12"), Fate::kKept, 5108452590200000, 12000},
      {"EpochWithThreeDecimals", OpAt("1712195495519689.047", "0.001"), Fate::kKept, 1712195495519689047, 1},
      {"Exponent", OpAt("5.1084525902005e12", "1.5E+1"), Fate::kKeptOrRepaired, kStart, 15000},
      {"DurNaN", OpAt(kTs, "NaN"), Fate::kRepaired, kStart, 0},
      {"DurSmallNan", OpAt(kTs, "nan"), Fate::kRepaired, kStart, 0},
      {"DurMinusNan", OpAt(kTs, "-nan"), Fate::kRepaired, kStart, 0},
      {"DurInfinity", OpAt(kTs, "Infinity"), Fate::kRepairedOrExcluded},
      {"DurMinusInfinity", OpAt(kTs, "-Infinity"), Fate::kRepairedOrExcluded},
      {"DurDecimalComma", OpAt(kTs, "12,5"), Fate::kRepaired, kStart, 12500},
      {"TsDecimalComma", OpAt("5108452590200,5", "3"), Fate::kRepaired, kStart, 3000},
      {"DurNegative", OpAt(kTs, "-4.5"), Fate::kRepaired, kStart, 0},
      {"DurMinusZero", OpAt(kTs, "-0"), Fate::kKeptOrRepaired, kStart, 0},
      {"DurMissing", OpWith(R"("ts": 5108452590200.5, "args": {})"), Fate::kRepaired, kStart, 0},
      {"DurNull", OpAt(kTs, "null"), Fate::kRepaired, kStart, 0},
      {"DurObject", OpAt(kTs, R"({"us": 4})"), Fate::kRepairedOrExcluded},
      {"DurText", OpAt(kTs, R"("12.5")"), Fate::kKeptOrRepaired, kStart, 12500},
      {"DurOtherText", OpAt(kTs, R"("long")"), Fate::kRepaired, kStart, 0},
      {"DurEmpty", OpAt(kTs, ""), Fate::kRepairedOrExcluded},
      {"DurAbsurd", OpAt(kTs, "9000000000000000"), Fate::kRepairedOrExcluded},
      {"Dur2To63", OpAt(kTs, "9223372036854775.808"), Fate::kRepairedOrExcluded},
      {"Dur2To64Microseconds", OpAt(kTs, "18446744073709551616"), Fate::kRepairedOrExcluded},
      {"Dur400Digits", OpAt(kTs, std::string(400, '9')), Fate::kRepairedOrExcluded},
      {"DurHugeExponent", OpAt(kTs, "1e999999999"), Fate::kRepairedOrExcluded},
      {"DurTinyExponent", OpAt(kTs, "1e-999999999"), Fate::kKeptOrRepaired, kStart, 0},
      {"DurManyDecimals", OpAt(kTs, "1.2340000000000000000000000000000000000000001"), Fate::kKeptOrRepaired, kStart, 1234},
      {"TsMissing", OpWith(R"("dur": 4, "args": {})"), Fate::kExcluded},
      {"TsNull", OpAt("null", "4"), Fate::kExcluded},
      {"TsNaN", OpAt("NaN", "4"), Fate::kExcluded},
      {"TsInfinity", OpAt("Infinity", "4"), Fate::kExcluded},
      {"TsText", OpAt(R"("5108452590200.5")", "4"), Fate::kKeptOrRepaired, kStart, 4000},
      {"TsOtherText", OpAt(R"("now")", "4"), Fate::kExcluded},
      // All else lies 59 days after 0: the time was never recorded.
      {"TsZero", OpAt("0", "4"), Fate::kExcluded},
      {"TsNegative", OpAt("-5.5", "4"), Fate::kAny},
      {"Ts2To63", OpAt("9223372036854775.808", "4"), Fate::kExcluded},
      {"TsMinus2To63", OpAt("-9223372036854775.809", "4"), Fate::kExcluded},
      {"Ts2To64Microseconds", OpAt("18446744073709551616", "4"), Fate::kExcluded},
      {"TsAndDurMeetAtTheEnd", OpAt("9223372036854775.000", "4000"), Fate::kRepairedOrExcluded},
  };
}
INSTANTIATE_TEST_SUITE_P(Times, HostileEvent, ::testing::ValuesIn(TimeCases()), NameOf);

// The odd op with something in its name.
std::string OpNamed(const std::string& name) {
  return R"({ "ph": "X", "cat": "cpu_op", "name": ")" + name +
         R"(", "pid": 545, "tid": 777, "ts": 5108452590200.5, "dur": 4 })";
}

std::vector<EventCase> NameCases() {
  using std::string_literals::operator""s;
  return {
      {"NameMissing", R"({ "ph": "X", "cat": "cpu_op", "pid": 545, "tid": 777, "ts": 5108452590200.5, "dur": 4 })",
       Fate::kRepaired},
      {"NameNull", R"({ "ph": "X", "cat": "cpu_op", "name": null, "pid": 1, "tid": 2, "ts": 5108452590200.5, "dur": 4 })",
       Fate::kRepaired},
      {"NameNumber", R"({ "ph": "X", "cat": "cpu_op", "name": 17, "pid": 1, "tid": 2, "ts": 5108452590200.5, "dur": 4 })",
       Fate::kKeptOrRepaired},
      {"NameEmpty", OpNamed(""), Fate::kKeptOrRepaired},
      {"RawQuotes", OpNamed(R"(lambda "x": y)"), Fate::kRepaired},
      {"RawQuoteAtEnd", OpNamed(R"(operator"")"), Fate::kRepaired},
      {"RawNewline", OpNamed("two\nlines"), Fate::kKeptOrRepaired},
      {"RawTabAndBell", OpNamed("a\tb\ac"), Fate::kKeptOrRepaired},
      {"RawNul", OpNamed("a\0b"s), Fate::kKeptOrRepaired},
      {"InvalidUtf8", OpNamed("caf\xe9"), Fate::kKeptOrRepaired},
      {"TruncatedUtf8", OpNamed("caf\xf0\x9f\x98"), Fate::kKeptOrRepaired},
      {"OverlongUtf8", OpNamed("\xc0\xaf"), Fate::kKeptOrRepaired},
      {"LoneSurrogate", OpNamed(R"(a\ud800b)"), Fate::kKeptOrRepaired},
      {"UnknownEscape", OpNamed(R"(a\qb)"), Fate::kKeptOrRepaired},
      {"BrokenUnicodeEscape", OpNamed(R"(a\u12)"), Fate::kKeptOrRepaired},
      {"ManyBackslashes", OpNamed(std::string(4096, '\\')), Fate::kKept},
      {"EventBorderInside", OpNamed(R"(}, {\"ph\": \"X\", \"name\": \"fake\"}, {)"), Fate::kKept},
      {"PlainBorderInside", OpNamed("}, {[]}], ,:"), Fate::kKept},
      {"ArrayStartInside", OpNamed(R"(\"traceEvents\": [{)"), Fate::kKept},
      {"Long", OpNamed(std::string(100000, 'n')), Fate::kKept},
  };
}
INSTANTIATE_TEST_SUITE_P(Names, HostileEvent, ::testing::ValuesIn(NameCases()), NameOf);

std::string Nested(const std::string& open, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += "1";
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

std::vector<EventCase> ShapeCases() {
  const std::string times = R"("ts": 5108452590200.5, "dur": 4)";
  const auto op_with_args = [&](const std::string& args) { return OpWith(times + R"(, "args": )" + args); };
  return {
      {"PidAndTidMissing", R"({ "ph": "X", "cat": "cpu_op", "name": "aten::odd", )" + times + " }", Fate::kKeptOrRepaired,
       kStart, 4000},
      {"PidText", R"({ "ph": "X", "cat": "cpu_op", "name": "aten::odd", "pid": "545", "tid": "main", )" + times + " }",
       Fate::kKept, kStart, 4000},
      {"PidBeyond2To64",
       R"({ "ph": "X", "cat": "cpu_op", "name": "aten::odd", "pid": 99999999999999999999999, "tid": -1e400, )" + times +
           " }",
       Fate::kKeptOrRepaired, kStart, 4000},
      {"CategoryMissing", R"({ "ph": "X", "name": "aten::odd", "pid": 1, "tid": 2, )" + times + " }", Fate::kKeptOrRepaired,
       kStart, 4000},
      {"CategoryUnknown", R"({ "ph": "X", "cat": "brand_new", "name": "aten::odd", "pid": 1, "tid": 2, )" + times + " }",
       Fate::kKept, kStart, 4000},
      {"PhaseMissing", R"({ "cat": "cpu_op", "name": "aten::odd", "pid": 1, "tid": 2, )" + times + " }",
       Fate::kRepairedOrExcluded},
      {"PhaseUnknown", R"({ "ph": "Z", "cat": "cpu_op", "name": "aten::odd", "pid": 1, "tid": 2, )" + times + " }",
       Fate::kAny},
      {"KeysBackwards",
       R"({ "args": {"External id": 5}, "dur": 4, "ts": 5108452590200.5, "tid": 2, "pid": 1, "name": "aten::odd", "cat": "cpu_op", "ph": "X" })",
       Fate::kKept, kStart, 4000},
      {"KeysTwice",
       R"({ "ph": "X", "ph": "X", "cat": "cpu_op", "name": "a", "name": "aten::odd", "pid": 1, "tid": 2, "ts": 5108452590200.5, "ts": 5108452590200.5, "dur": 4, "dur": 4, "args": {}, "args": {} })",
       Fate::kKeptOrRepaired},
      {"KeysEscaped",
       R"({ "ph": "X", "c\u0061t": "cpu_op", "n\u0061me": "aten::odd", "pid": 1, "tid": 2, "\u0074s": 5108452590200.5, "dur": 4 })",
       Fate::kAny},
      {"NoWhiteSpace",
       R"({"ph":"X","cat":"cpu_op","name":"aten::odd","pid":1,"tid":2,"ts":5108452590200.5,"dur":4,"args":{"External id":5}})",
       Fate::kKept, kStart, 4000},
      {"MuchWhiteSpace",
       OpWith(std::string(5000, ' ') + "\"ts\"" + std::string(5000, '\n') + ":\t\r\n 5108452590200.5 , \"dur\" : 4 "),
       Fate::kKept, kStart, 4000},
      {"TrailingComma", OpWith(times + ","), Fate::kKeptOrRepaired, kStart, 4000},
      {"Empty", "{}", Fate::kExcluded},
      {"Number", "17", Fate::kExcluded},
      {"Text", R"("event")", Fate::kExcluded},
      {"Null", "null", Fate::kExcluded},
      {"Array", R"([{"ph": "X", "cat": "kernel", "name": "fake", "ts": 5108452590200, "dur": 4}])", Fate::kExcluded},
      {"ArgsNull", op_with_args("null"), Fate::kKept, kStart, 4000},
      {"ArgsText", op_with_args(R"("none")"), Fate::kKept, kStart, 4000},
      {"ArgsArray", op_with_args("[1, 2]"), Fate::kKept, kStart, 4000},
      {"ArgsLikeEvents",
       op_with_args(
           R"({"list": [{"ph": "X", "cat": "kernel", "name": "fake", "pid": 0, "tid": 7, "ts": 1, "dur": 1}, {"ph": "X", "ts": 2}], "ts": 3, "dur": 9, "name": "fake", "ph": "E"})"),
       Fate::kKept, kStart, 4000},
      {"ArgsLikeFile", op_with_args(R"({"traceEvents": [{"ph": "X", "name": "fake", "ts": 1, "dur": 1}]})"), Fate::kKept,
       kStart, 4000},
      {"ArgsNaN", op_with_args(R"({"a": NaN, "b": Infinity, "c": -Infinity, "d": nan, "External id": 5})"),
       Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsDecimalComma", op_with_args(R"({"bandwidth": 12,5, "External id": 5})"), Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsRawQuote", op_with_args(R"({"stack": "at "x" in f", "External id": 5})"), Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsHugeIds",
       op_with_args(
           R"({"External id": 18446744073709551616, "correlation": 99999999999999999999, "Sequence number": 1e300, "Ev Idx": -9223372036854775809})"),
       Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsNegativeIds", op_with_args(R"({"External id": -1, "correlation": -5, "Sequence number": -9})"),
       Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsDeepArrays", op_with_args("{\"deep\": " + Nested("[", "]", 100000) + "}"), Fate::kKeptOrRepaired, kStart, 4000},
      {"ArgsDeepObjects", op_with_args("{\"deep\": " + Nested("{\"a\":", "}", 100000) + "}"), Fate::kKeptOrRepaired, kStart,
       4000},
      {"ShapesDeep", op_with_args("{\"Input Dims\": " + Nested("[", "]", 100000) + "}"), Fate::kKeptOrRepaired, kStart,
       4000},
      {"DurAfterDeepArgs",
       OpWith("\"ts\": 5108452590200.5, \"args\": {\"deep\": " + Nested("[", "]", 100000) + "}, \"dur\": 4"),
       Fate::kKeptOrRepaired, kStart, 4000},
      {"LoneBegin", R"({ "ph": "B", "cat": "x", "name": "aten::odd", "pid": 1, "tid": 2, "ts": 5108452590200.5 })",
       Fate::kRepairedOrExcluded},
      // Several faults in one event: it is counted once.
      {"LoneBeginWithoutName", R"({ "ph": "B", "pid": 1, "tid": 2, "ts": 5108452590200.5 })", Fate::kRepairedOrExcluded},
      {"LoneBeginAtZero", R"({ "ph": "B", "name": "b", "pid": 1, "tid": 2, "ts": 0 })", Fate::kExcluded},
      {"LoneEndWithoutThread", R"({ "ph": "E", "ts": 5108452590200.5 })", Fate::kRepairedOrExcluded},
      {"AllMissingButTs", R"({ "ph": "X", "ts": 5108452590200.5 })", Fate::kRepaired},
      {"TsZeroDurNegative", OpAt("0", "-4"), Fate::kExcluded},
      {"TsZeroNameMissing", R"({ "ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 0, "dur": 4 })", Fate::kExcluded},
      {"LoneEnd", R"({ "ph": "E", "pid": 1, "tid": 2, "ts": 5108452590200.5 })", Fate::kRepairedOrExcluded},
      {"KernelWithoutStream",
       R"({ "ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5108452590200.5, "dur": 4, "args": {} })",
       Fate::kKeptOrRepaired},
      {"KernelWithHugeNumbers",
       R"({ "ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5108452590200.5, "dur": 4, "args": { "device": 99999999999, "stream": 99999999999999999999, "correlation": 18446744073709551615, "grid": [1e30, -5, 99999999999], "block": [], "registers per thread": 1e99, "shared memory": -1, "est. achieved occupancy %": NaN } })",
       Fate::kAny},
      {"KernelWithOddShapes",
       R"({ "ph": "X", "cat": "kernel", "name": "k", "pid": "GPU", "tid": "stream x", "ts": 5108452590200.5, "dur": 4, "args": { "device": "zero", "stream": [7], "correlation": {"a": 1}, "grid": [1, 2, 3, 4, 5], "block": "big" } })",
       Fate::kAny},
      {"FlowWithoutId", R"({ "ph": "s", "pid": 545, "tid": 545, "ts": 5108452590200.5, "cat": "ac2g", "name": "ac2g" })",
       Fate::kAny},
      {"MetadataOdd", R"({ "ph": "M", "name": "process_name", "pid": [], "tid": {}, "args": "x" })", Fate::kAny},
      {"Counter", R"({ "ph": "C", "name": "memory", "pid": 1, "ts": 5108452590200.5, "args": {"bytes": 5} })", Fate::kKept},
      {"InstantWithoutTs", R"({ "ph": "i", "name": "mark", "pid": 1, "tid": 1, "s": "t" })", Fate::kExcluded},
  };
}
INSTANTIATE_TEST_SUITE_P(Shapes, HostileEvent, ::testing::ValuesIn(ShapeCases()), NameOf);

std::string OnlyOddName(const Trace& trace) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.host().start_ns[row] == kStart) return std::string(trace.Text(trace.host().name[row]));
  }
  return "(no row)";
}

std::string NameReadFrom(const std::string& name) {
  const Result<Trace> trace = OpenInSeveralCuttings(GoodTraceWith(OpNamed(name)).text);
  return trace.ok() ? OnlyOddName(*trace) : trace.status().message();
}

TEST(HostileName, EscapesAreDecoded) {
  EXPECT_EQ(NameReadFrom(R"(\u0041\u00e9\ud83d\ude00\t\/\"\\)"), "A\u00e9\U0001F600\t/\"\\");
}

TEST(HostileName, RawQuotesAreKeptAsText) { EXPECT_EQ(NameReadFrom(R"(lambda "x": y)"), R"(lambda "x": y)"); }

// What a renderer prints must be UTF-8, or JSON output breaks.
bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80                   ? 1
                          : lead >= 0xc2 && lead < 0xe0 ? 2
                          : lead >= 0xe0 && lead < 0xf0 ? 3
                          : lead >= 0xf0 && lead < 0xf5 ? 4
                                                        : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    if (lead == 0xe0 && static_cast<unsigned char>(text[i + 1]) < 0xa0) return false;
    if (lead == 0xed && static_cast<unsigned char>(text[i + 1]) >= 0xa0) return false;  // surrogates
    i += length;
  }
  return true;
}

TEST(HostileName, NamesInTheTraceAreUtf8) {
  for (const char* name :
       {"caf\xe9", "caf\xf0\x9f\x98", "\xc0\xaf", "\xed\xa0\x80", R"(a\ud800b)", R"(\udc00)", R"(\ud83dx)"}) {
    const std::string read = NameReadFrom(name);
    EXPECT_TRUE(IsUtf8(read)) << ::testing::PrintToString(read);
    EXPECT_FALSE(read.empty());
  }
}

TEST(HostileIds, DuplicateCorrelationKeepsAllAndIsTold) {
  std::vector<std::string> events = GoodEvents();
  events.push_back(
      R"({ "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 545, "tid": 545, "ts": 5108452590300, "dur": 5, "args": { "correlation": 101 } })");
  events.push_back(
      R"({ "ph": "X", "cat": "kernel", "name": "second", "pid": 0, "tid": 7, "ts": 5108452590320, "dur": 5, "args": { "device": 0, "stream": 7, "correlation": 101 } })");
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->gpu().size(), 3u);
  EXPECT_EQ(trace->log().excluded(), 0);
  EXPECT_TRUE(SaysDamaged(trace->log())) << CausesOf(trace->log());
}

TEST(HostileIds, NumberAndTextOfOneThreadAreOneThread) {
  std::vector<std::string> events = GoodEvents();
  events.push_back(
      R"({ "ph": "X", "cat": "cpu_op", "name": "t", "pid": "545", "tid": "545", "ts": 5108452590030, "dur": 1 })");
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->host().thread[*FindHost(*trace, "t")], trace->host().thread[*FindHost(*trace, "aten::mm")]);
  EXPECT_EQ(trace->host().parent[*FindHost(*trace, "t")], *FindHost(*trace, "cudaLaunchKernel"));
}

// GPU work that runs at the same time on one stream is real on new GPUs: it stays as it is.
TEST(HostileTimes, OverlapOnAStreamStays) {
  std::vector<std::string> events = GoodEvents();
  events.push_back(
      R"({ "ph": "X", "cat": "kernel", "name": "second", "pid": 0, "tid": 7, "ts": 5108452590050, "dur": 50, "args": { "device": 0, "stream": 7, "correlation": 0 } })");
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok());
  const uint32_t second = *FindGpu(*trace, "second");
  EXPECT_EQ(trace->gpu().start_ns[second], 5108452590050000);
  EXPECT_EQ(trace->gpu().duration_ns(second), 50000);
  EXPECT_EQ(trace->log().kept(), trace->log().read());
}

std::string Mark(const char* phase, const std::string& name, int tid, const std::string& ts) {
  return R"({ "ph": ")" + std::string(phase) + R"(", "cat": "mark", "name": ")" + name + R"(", "pid": 1, "tid": )" +
         std::to_string(tid) + R"(, "ts": )" + ts + " }";
}

TEST(HostilePairs, BeginAndEndMakeOneRow) {
  const std::vector<std::string> events = {Mark("B", "outer", 1, "100"), Mark("B", "other", 2, "105"),
                                           Mark("B", "inner", 1, "110"), Mark("E", "inner", 1, "120.5"),
                                           Mark("E", "other", 2, "125"), R"({ "ph": "E", "pid": 1, "tid": 1, "ts": 130 })"};
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->log().read(), 6);
  EXPECT_EQ(trace->log().kept(), 6) << CausesOf(trace->log());
  ASSERT_EQ(trace->host().size(), 3u);
  EXPECT_EQ(trace->host().duration_ns(*FindHost(*trace, "inner")), 10500);
  EXPECT_EQ(trace->host().duration_ns(*FindHost(*trace, "outer")), 30000);
  EXPECT_EQ(trace->host().parent[*FindHost(*trace, "inner")], *FindHost(*trace, "outer"));
}

TEST(HostilePairs, UnmatchedOnesAreCounted) {
  const std::vector<std::string> events = {Mark("E", "early", 1, "50"), Mark("B", "whole", 1, "100"),
                                           Mark("E", "whole", 1, "110"), Mark("B", "open", 1, "120"),
                                           Mark("B", "open too", 1, "125")};
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace(events).text);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->log().read(), 5);
  EXPECT_EQ(trace->log().kept(), 2) << CausesOf(trace->log());
  EXPECT_EQ(trace->log().repaired() + trace->log().excluded(), 3);
}

// An end that stands before its begin in the file but after it in time.
TEST(HostilePairs, FileOrderDoesNotMatter) {
  const Result<Trace> trace = OpenInSeveralCuttings(MakeTrace({Mark("E", "a", 1, "110"), Mark("B", "a", 1, "100")}).text);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->log().kept(), 2) << CausesOf(trace->log());
  ASSERT_EQ(trace->host().size(), 1u);
  EXPECT_EQ(trace->host().duration_ns(0), 10000);
}

}  // namespace
}  // namespace warpsight::testing::hostile_events_test
