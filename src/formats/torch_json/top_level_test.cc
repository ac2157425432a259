#include "formats/torch_json/top_level.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight::torch_json {
namespace {

std::string Describe(const TopLevelMembers& members) {
  std::string text;
  for (const auto& [key, value] : members) text += key + "=" + value + ";";
  return text;
}

const char* const kPrologue =
    "\n{ \"schemaVersion\": 1,\n\"deviceProperties\": [{\"id\": 0, \"name\": \"a \\\"]\\\" b\"}], \"b\": \"t\\n\", \"c\" : "
    "{\"traceEvents\": [1]},"
    " \"d\": null, \"traceEvents\" : [";

TEST(ReadPrologueTest, MembersBeforeTheEvents) {
  const std::string text = kPrologue;
  const Prologue prologue = ReadPrologue(text + "{\"ph\": \"X\"}]}");
  EXPECT_EQ(prologue.outcome, PrologueOutcome::kEvents);
  EXPECT_EQ(prologue.events_at, text.size());
  EXPECT_FALSE(prologue.bare_array);
  EXPECT_FALSE(prologue.damaged);
  EXPECT_EQ(Describe(prologue.members),
            "schemaVersion=1;deviceProperties=[{\"id\": 0, \"name\": \"a \\\"]\\\" b\"}];b=\"t\\n\";c={\"traceEvents\": "
            "[1]};d=null;");
}

TEST(ReadPrologueTest, EveryBeginningNeedsMore) {
  const std::string text = kPrologue;
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(ReadPrologue(text.substr(0, size)).outcome, PrologueOutcome::kNeedsMore) << text.substr(0, size);
  }
  EXPECT_EQ(ReadPrologue(text).outcome, PrologueOutcome::kEvents);
}

TEST(ReadPrologueTest, ByteOrderMark) {
  const Prologue object = ReadPrologue("\xEF\xBB\xBF{\"traceEvents\":[");
  EXPECT_EQ(object.outcome, PrologueOutcome::kEvents);
  EXPECT_EQ(object.events_at, 19u);
  EXPECT_EQ(ReadPrologue("\xEF\xBB\xBF [{").events_at, 5u);
}

TEST(ReadPrologueTest, BareArrayOfObjects) {
  for (const char* text : {"[", " [ {\"ph\"", "[]", "[\n"}) {
    const Prologue prologue = ReadPrologue(text);
    EXPECT_EQ(prologue.outcome, PrologueOutcome::kEvents) << text;
    EXPECT_TRUE(prologue.bare_array) << text;
    EXPECT_EQ(prologue.events_at, std::string(text).find('[') + 1) << text;
  }
  for (const char* text : {"[1, 2]", "[[1]]", "[\"a\"]", "[null]"}) {
    const Prologue prologue = ReadPrologue(text);
    EXPECT_EQ(prologue.outcome, PrologueOutcome::kNotATrace) << text;
    EXPECT_NE(prologue.reason.find("no event objects"), std::string::npos) << text;
  }
}

TEST(ReadPrologueTest, EventsThatAreNoArray) {
  for (const char* value : {"null", "5", "\"[{}]\"", "{\"ph\": \"X\"}"}) {
    const Prologue prologue = ReadPrologue(std::string("{\"a\": 1, \"traceEvents\": ") + value + "}");
    EXPECT_EQ(prologue.outcome, PrologueOutcome::kNoEvents) << value;
    EXPECT_EQ(prologue.reason, "\"traceEvents\" is no array") << value;
  }
}

TEST(ReadPrologueTest, ObjectsWithoutEvents) {
  for (const char* text : {"{}", "{\"a\": 1}", "{\"config\": {\"traceEvents\": [{\"ph\": 1}]}}"}) {
    const Prologue prologue = ReadPrologue(text);
    EXPECT_EQ(prologue.outcome, PrologueOutcome::kNoEvents) << text;
    EXPECT_EQ(prologue.reason, "JSON without \"traceEvents\"") << text;
  }
}

TEST(ReadPrologueTest, DamagedMembersDoNotHideTheEvents) {
  for (const char* damage : {"\"a\": [\"x\"y\"]", "\"a\" 5", "nonsense", "\"a\": {\"b\": \"c\" d\"}"}) {
    const std::string text = std::string("{\"first\": 1, ") + damage + ", \"traceEvents\": [";
    const Prologue prologue = ReadPrologue(text + "{}]}");
    EXPECT_EQ(prologue.outcome, PrologueOutcome::kEvents) << damage;
    EXPECT_EQ(prologue.events_at, text.size()) << damage;
    EXPECT_TRUE(prologue.damaged) << damage;
    EXPECT_EQ(Describe(prologue.members), "first=1;") << damage;
  }
  EXPECT_EQ(ReadPrologue("{\"a\": [\"x\"y\"], \"traceEvents\": 5}").outcome, PrologueOutcome::kNotATrace);
}

TEST(ReadPrologueTest, OtherText) {
  for (const char* text : {"hello", "42", "\"traceEvents\": [", "\x1F\x8B", "<html>", "}"}) {
    EXPECT_EQ(ReadPrologue(text).outcome, PrologueOutcome::kNotATrace) << text;
  }
}

TEST(ReadEpilogueTest, MembersAfterTheEvents) {
  const Epilogue epilogue = ReadEpilogue(",\n\"traceName\": \"x\", \"baseTimeNanoseconds\": 17}\n", false);
  EXPECT_TRUE(epilogue.closed);
  EXPECT_FALSE(epilogue.damaged);
  EXPECT_EQ(epilogue.trailing_bytes, 0u);
  EXPECT_EQ(Describe(epilogue.members), "traceName=\"x\";baseTimeNanoseconds=17;");
}

TEST(ReadEpilogueTest, CutOffOrDamaged) {
  for (const char* text : {"", ", \"a\": 1", ", \"a", ", \"a\": [1", ", \"a\": 1,"}) {
    EXPECT_FALSE(ReadEpilogue(text, false).closed) << text;
    EXPECT_FALSE(ReadEpilogue(text, false).damaged) << text;
  }
  for (const char* text : {", a: 1}", ", \"a\": [\"x\"y\"]}", ", \"traceEvents\": []}", "]}"}) {
    EXPECT_TRUE(ReadEpilogue(text, false).damaged) << text;
  }
}

TEST(ReadEpilogueTest, TrailingBytes) {
  EXPECT_EQ(ReadEpilogue("} garbage \n", false).trailing_bytes, 7u);
  EXPECT_EQ(ReadEpilogue(std::string("}\0\0\n", 4), false).trailing_bytes, 0u);
  EXPECT_EQ(ReadEpilogue(" x", true).trailing_bytes, 1u);
  EXPECT_TRUE(ReadEpilogue("", true).closed);
}

}  // namespace
}  // namespace warpsight::torch_json
