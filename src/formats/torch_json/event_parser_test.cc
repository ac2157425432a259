#include "formats/torch_json/event_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "formats/torch_json/block.h"

namespace warpsight::torch_json {
namespace {

// An event parsed, with the text that its fields point to.
struct ParsedText {
  PaddedText text;
  EventFields fields;
  ParseOutcome outcome = ParseOutcome::kBroken;
  size_t next = 0;

  std::string_view operator[](Field field) const { return fields[field]; }
};

ParsedText ParseWith(EventParser& parser, std::string_view text) {
  ParsedText parsed;
  parsed.text.Assign(text);
  const ParsedEvent event = parser.Parse(parsed.text.begin(), parsed.text.end(), parsed.fields);
  parsed.outcome = event.outcome;
  parsed.next = static_cast<size_t>(event.next - parsed.text.begin());
  return parsed;
}

ParsedText ParseText(std::string_view text) {
  EventParser parser;
  return ParseWith(parser, text);
}

void ExpectEvent(const ParsedText& parsed, uint16_t repairs) {
  EXPECT_EQ(parsed.outcome, ParseOutcome::kEvent) << parsed.text.view();
  EXPECT_EQ(parsed.fields.repairs, repairs) << parsed.text.view();
}

TEST(EventParserTest, FieldsOfAnEventAndItsArgs) {
  const std::string event =
      R"({"ph": "X", "cat": "kernel", "name": "gemm<a, b>", "pid": 0, "tid": "stream 7", "ts": 12.345, "dur": 6,)"
      R"( "id": 3, "args": {"stream": 7, "grid": [16, 1, 1], "correlation": 501, "nested": {"name": [1, "x"]}, "name": "thread"}})";
  const ParsedText parsed = ParseText(event + ", {");
  ExpectEvent(parsed, kRepairNone);
  EXPECT_EQ(parsed.next, event.size());
  EXPECT_EQ(parsed[Field::kPhase], "X");
  EXPECT_EQ(parsed[Field::kName], "gemm<a, b>");
  EXPECT_EQ(parsed[Field::kPid], "0");
  EXPECT_EQ(parsed[Field::kTid], "stream 7");
  EXPECT_EQ(parsed[Field::kTime], "12.345");
  EXPECT_EQ(parsed[Field::kDuration], "6");
  EXPECT_EQ(parsed[Field::kStream], "7");
  EXPECT_EQ(parsed[Field::kGrid], "[16, 1, 1]");
  EXPECT_EQ(parsed[Field::kCorrelation], "501");
  EXPECT_EQ(parsed[Field::kMetadataName], "thread");
  EXPECT_TRUE(parsed[Field::kArgs].starts_with("{\"stream\"") && parsed[Field::kArgs].ends_with("\"thread\"}"));
  EXPECT_FALSE(parsed.fields.Has(Field::kBytes));
}

TEST(EventParserTest, OrderOfKeysAndWhiteSpaceAreFree) {
  std::vector<std::string> members = {R"("ph":"X")", R"("name" : "a")", "\"ts\":\n1.5", R"("args":{ "bytes" :8 })",
                                      "\"dur\": \t2"};
  std::sort(members.begin(), members.end());
  do {
    std::string event = "{";
    for (const std::string& member : members) event += (event.size() > 1 ? " ,\r\n" : " ") + member;
    const ParsedText parsed = ParseText(event + "\n}");
    ExpectEvent(parsed, kRepairNone);
    EXPECT_EQ(parsed[Field::kName], "a");
    EXPECT_EQ(parsed[Field::kTime], "1.5");
    EXPECT_EQ(parsed[Field::kBytes], "8");
    EXPECT_EQ(parsed[Field::kDuration], "2");
  } while (std::next_permutation(members.begin(), members.end()));
}

TEST(EventParserTest, EmptyObjectsAndOtherValues) {
  ExpectEvent(ParseText("{}"), kRepairNone);
  ExpectEvent(ParseText(R"({"args": {}})"), kRepairNone);
  ExpectEvent(ParseText(R"({"args": null, "x": true, "y": false, "z": [], "": 1})"), kRepairNone);
  ExpectEvent(ParseText(R"({"a": 1,})"), kRepairNone);  // a comma too many
  EXPECT_EQ(ParseText(R"({"args": "text", "name": "n"})")[Field::kName], "n");
}

TEST(EventParserTest, WhatTheNameHolds) {
  EXPECT_TRUE(ParseText(R"({"name": "a\n"})").fields.name_escapes);
  EXPECT_FALSE(ParseText(R"({"name": "a", "cat": "\n"})").fields.name_escapes);
  EXPECT_TRUE(ParseText("{\"name\": \"\xC3\xA9\"}").fields.name_non_ascii);
  EXPECT_FALSE(ParseText(R"({"name": "e"})").fields.name_non_ascii);
}

// --- cut off

TEST(EventParserTest, EveryBeginningOfAnEventIsIncomplete) {
  const std::string event = R"({"ph": "X", "name": "a\"b", "ts": 1.5, "args": {"grid": [1, 2], "o": {"p": "q"}}, "dur": 4})";
  for (size_t size = 1; size < event.size(); ++size) {
    const ParsedText parsed = ParseText(event.substr(0, size));
    EXPECT_EQ(parsed.outcome, ParseOutcome::kIncomplete) << event.substr(0, size);
  }
  ExpectEvent(ParseText(event), kRepairNone);
}

// --- repairs

TEST(EventParserTest, QuotesThatAreNotEscaped) {
  const ParsedText name = ParseText(R"({"ph": "X", "name": "call "foo" of "bar"", "ts": 1})");
  ExpectEvent(name, kRepairQuotes);
  EXPECT_EQ(name[Field::kName], R"(call "foo" of "bar")");
  EXPECT_EQ(name[Field::kTime], "1");

  const ParsedText comma = ParseText(R"json({"ph": "X", "name": "f("a", "b")", "ts": 1})json");
  ExpectEvent(comma, kRepairQuotes);
  EXPECT_EQ(comma[Field::kName], R"json(f("a", "b"))json");

  const ParsedText last = ParseText(R"({"ph": "X", "name": "a "quoted" word"}, {"ph")");
  ExpectEvent(last, kRepairQuotes);
  EXPECT_EQ(last[Field::kName], R"(a "quoted" word)");

  const ParsedText in_args = ParseText(R"({"args": {"other": "a "b" c", "bytes": 8}, "ts": 1})");
  ExpectEvent(in_args, kRepairQuotes);
  EXPECT_EQ(in_args[Field::kBytes], "8");
  EXPECT_EQ(in_args[Field::kTime], "1");
}

TEST(EventParserTest, RawControlCharactersInTheName) {
  const ParsedText parsed = ParseText("{\"name\": \"a\nb\tc\", \"ts\": 1}");
  ExpectEvent(parsed, kRepairControls);
  EXPECT_EQ(parsed[Field::kName], "a\nb\tc");
  ExpectEvent(ParseText("{\"name\": \"a\", \"args\": {\"x\": \"\n\"}}"), kRepairNone);  // nobody reads it
}

TEST(EventParserTest, NumbersThatAreNone) {
  for (const char* number : {"NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-", "+1", ".5", "undefined", "None"}) {
    const ParsedText parsed = ParseText(std::string(R"({"ts": 1, "dur": )") + number + R"(, "name": "a"})");
    ExpectEvent(parsed, kRepairNonJsonNumber);
    EXPECT_EQ(parsed[Field::kDuration], number);
    EXPECT_EQ(parsed[Field::kName], "a");
  }
  for (const char* number : {"0", "-1", "1e5", "true", "false", "null"}) {
    ExpectEvent(ParseText(std::string(R"({"dur": )") + number + "}"), kRepairNone);
  }
}

TEST(EventParserTest, DecimalComma) {
  const ParsedText parsed = ParseText(R"({"ts": 5108452590200,5, "dur": 12,25})");
  ExpectEvent(parsed, kRepairDecimalComma);
  EXPECT_EQ(parsed[Field::kTime], "5108452590200,5");
  EXPECT_EQ(parsed[Field::kDuration], "12,25");
}

TEST(EventParserTest, OfAKeyTwiceTheLastCounts) {
  const ParsedText parsed =
      ParseText(R"({"name": "a", "ts": 1, "name": "b", "args": {"bytes": 1, "bytes": 2, "unread": 1, "unread": 2}})");
  ExpectEvent(parsed, kRepairDuplicateKey);
  EXPECT_EQ(parsed[Field::kName], "b");
  EXPECT_EQ(parsed[Field::kBytes], "2");
}

TEST(EventParserTest, BrokenEventsKeepWhatWasReadBefore) {
  const ParsedText parsed = ParseText(R"({"ph": "X", "name": "a", "ts": 1, "dur": 2, "args": {"bytes": 8, {"x"})");
  EXPECT_EQ(parsed.outcome, ParseOutcome::kBroken);
  EXPECT_EQ(parsed[Field::kName], "a");
  EXPECT_EQ(parsed[Field::kBytes], "8");
  EXPECT_TRUE(parsed.fields.Has(Field::kArgs));
}

TEST(EventParserTest, BrokenText) {
  for (const char* text : {"{]}", "{1: 2}", "{\"a\" 1}", "{\"a\": }", "{\"a\": 1 \"b\": 2}", "{\"a\": , \"b\": 2}",
                           "{\"a\": [\"x\"y\"]}", "{\"a\": 1]", "{\"a\": {} {}}"}) {
    EXPECT_EQ(ParseText(text).outcome, ParseOutcome::kBroken) << text;
  }
  EXPECT_EQ(ParseText("{\"" + std::string(300, 'k') + "\": 1}").outcome, ParseOutcome::kBroken);  // longer than any key
}

TEST(EventParserTest, ParserIsReadyAgainAfterABrokenEvent) {
  EventParser parser;
  ParseWith(parser, R"({"name": "a "b, "ts": 5)");
  ParseWith(parser, R"({"ts": 5, {)");
  const ParsedText parsed = ParseWith(parser, R"({"dur": 7})");
  ExpectEvent(parsed, kRepairNone);
  EXPECT_FALSE(parsed.fields.Has(Field::kTime));
  EXPECT_EQ(parsed[Field::kDuration], "7");
}

// --- borders

size_t Border(std::string_view text, size_t from = 0) {
  PaddedText padded;
  padded.Assign(text);
  return static_cast<size_t>(FindEventBorder(padded.begin() + from, padded.end()) - padded.begin());
}

TEST(FindEventBorderTest, AfterABraceAndAComma) {
  const std::string text = R"(1}, {"ph": "X"}, {"name": "b"})";
  EXPECT_EQ(Border(text), 4u);
  EXPECT_EQ(Border(text, 1), 4u);
  EXPECT_EQ(Border(text, 2), 17u);  // the brace before the comma must be seen
  EXPECT_EQ(Border("}\n  ,\n {\n \"ts\""), 7u);
}

TEST(FindEventBorderTest, OtherBracesAreNone) {
  for (const std::string text : {R"({"ph": 1})", R"([{"ph": 1})", R"(1, {"ph": 1})", R"(}, {"other": 1})", R"(}, {"": 1})",
                                 R"(}, {ph": 1})", R"(}, {})", R"(} {"ph": 1})", R"(}, {"ph)", "}, ", "}, {", ""}) {
    EXPECT_EQ(Border(text), text.size()) << text;
  }
}

// --- guesses

struct Outcome {
  ParseOutcome outcome;
  size_t next;
  uint64_t seen;
  uint16_t repairs;
  bool name_escapes;
  bool name_non_ascii;
  std::vector<std::string> texts;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome OutcomeOf(EventParser& parser, const std::string& event) {
  const ParsedText parsed = ParseWith(parser, event);
  Outcome outcome{parsed.outcome,
                  parsed.next,
                  parsed.fields.seen,
                  parsed.fields.repairs,
                  parsed.fields.name_escapes,
                  parsed.fields.name_non_ascii,
                  {}};
  for (size_t field = 0; field < kFieldCount; ++field) outcome.texts.emplace_back(parsed[static_cast<Field>(field)]);
  return outcome;
}

// A parser that has read `before` reads `event` as a new one does.
void ExpectSameAfter(const std::vector<std::string>& before, const std::string& event) {
  EventParser warm;
  for (const std::string& text : before) ParseWith(warm, text);
  EventParser fresh;
  EXPECT_EQ(OutcomeOf(warm, event), OutcomeOf(fresh, event)) << event;
}

TEST(EventParserGuessTest, MoreSpaceThanBefore) {
  ExpectSameAfter({R"({"ts": 1, "dur": 2})"}, R"({"ts":  1, "dur":   2})");
  ExpectSameAfter({R"({"ts":1})"}, R"({"ts": 1})");
  ExpectSameAfter({R"({"ts": 1})"}, "{\"ts\": ");
}

// Text too long to be noted must not let what was learned in args be taken for a key of the event, or the reverse.
TEST(EventParserGuessTest, KeysOfArgsAndOfEventsStayApart) {
  const std::string far = R"(, "a key that is far too long to be worth a guess": 1)";
  ExpectSameAfter({R"({"args": {"x": 1)" + far + R"(, "name": "in args"}})"},
                  R"({"ph": "X", "x": 1)" + far + R"(, "name": "of the event"})");
  ExpectSameAfter({R"({"x": 1)" + far + R"(, "name": "of the event"})"},
                  R"({"args": {"x": 1)" + far + R"(, "name": "in args"}})");
}

TEST(EventParserGuessTest, MissingCommaIsSeen) {
  const std::string far = R"(, "a key that is far too long to be worth a guess": 1)";
  ExpectSameAfter({R"({"dur": 5, "x": 1)" + far + "}"}, R"({"x": 1)" + far + R"("dur": 5})");
  ExpectSameAfter({R"({"x": 1)" + far + R"(, "dur": 5})"}, R"({, "dur": 5})");
  ExpectSameAfter({R"({"args": {"name": "a"}})"}, R"({"args": null"name": "a"})");
}

// Random events of a few kinds, some of them damaged: each is read as a new parser reads it, whatever came before.
class RandomEvents {
 public:
  std::string Next() {
    std::string event = Object(false);
    if (Chance(15)) event.resize(random_() % event.size() + 1);
    if (Chance(15)) event[random_() % event.size()] = "\"{}[],: x1\\"[random_() % 11];
    return event[0] == '{' ? event : "{" + event;
  }

 private:
  bool Chance(uint32_t one_in) { return random_() % one_in == 0; }
  std::string_view OneOf(const std::vector<std::string_view>& texts) { return texts[random_() % texts.size()]; }
  std::string Space() {
    return std::string(Chance(6) ? OneOf({"", " ", "\n    ", "  ", "                                        "}) : " ");
  }
  std::string Value() {
    return std::string(OneOf({"1", "12.5", "\"X\"", "\"cpu_op\"", "\"kernel\"", "\"a \\\"b\\\" c\"", "\"a \"b\" c\"",
                              "[1, 2]", "{\"q\": 1}", "null", "NaN", "1,5", "\"\""}));
  }
  std::string Object(bool in_args) {
    std::string text = "{";
    const uint32_t members = random_() % 7;
    for (uint32_t i = 0; i < members; ++i) {
      if (i > 0 && !Chance(40)) text += (Chance(6) ? Space() : "") + ",";
      const std::string_view key = OneOf({"ph", "cat", "name", "ts", "dur", "pid", "stream", "bytes", "unknown",
                                          "a key that is far too long to be worth a guess", "External id"});
      text += Space() + '"' + std::string(key) + "\":" + Space() + Value();
    }
    if (!in_args && !Chance(3)) text += (members > 0 ? "," : "") + Space() + "\"args\":" + Space() + Object(true);
    return text + (Chance(6) ? Space() : "") + "}";
  }

  std::mt19937 random_{2024};
};

TEST(EventParserGuessTest, GuessesChangeNothing) {
  RandomEvents events;
  EventParser warm;
  for (int round = 0; round < 20'000; ++round) {
    if (round % 2500 == 0) warm = EventParser();  // the table of guesses is full after a while
    const std::string event = events.Next();
    EventParser fresh;
    ASSERT_EQ(OutcomeOf(warm, event), OutcomeOf(fresh, event)) << event;
  }
}

}  // namespace
}  // namespace warpsight::torch_json
