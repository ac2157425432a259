#include "formats/torch_json/block_parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace warpsight::torch_json {
namespace {

std::string EventText(std::string_view name) {
  return R"({"ph": "X", "cat": "cpu_op", "name": ")" + std::string(name) +
         R"(", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "args": {"x": 1}})";
}

struct Parsed {
  BlockResult result;
  std::string names;  // of the host rows, in file order
  const ImportLog& log() const { return result.shard.log; }
};

Parsed Parse(std::string_view text, uint64_t offset = 0) {
  PaddedText padded;
  padded.Assign(text);
  BlockParser parser(std::make_shared<LocalNames>());
  Parsed parsed{parser.Parse(padded.view(), offset), ""};
  for (const HostEventRow& row : parsed.result.shard.host) {
    parsed.names += (parsed.names.empty() ? "" : " ") + std::string(parser.names()->strings.View(row.name));
  }
  return parsed;
}

TEST(BlockParserTest, WholeEvents) {
  const Parsed parsed = Parse(" " + EventText("a") + " ,\n" + EventText("b") + ", ");
  EXPECT_EQ(parsed.names, "a b");
  EXPECT_EQ(parsed.result.end, BlockEnd::kBetweenEvents);
  EXPECT_EQ(parsed.result.events, 2);
  EXPECT_EQ(parsed.result.broken, 0);
  EXPECT_EQ(parsed.log().read(), 2);
}

TEST(BlockParserTest, NothingAtAll) {
  EXPECT_EQ(Parse("").result.end, BlockEnd::kBetweenEvents);
  EXPECT_EQ(Parse(" ,\n").result.end, BlockEnd::kBetweenEvents);
  EXPECT_EQ(Parse(" ,\n").log().read(), 0);
}

TEST(BlockParserTest, SourceIsTheByteOfTheFile) {
  const Parsed parsed = Parse("  " + EventText("a") + "," + EventText("b"), 1000);
  ASSERT_EQ(parsed.result.shard.host.size(), 2u);
  EXPECT_EQ(parsed.result.shard.host[0].source, 1002u);
  EXPECT_EQ(parsed.result.shard.host[1].source, 1003u + EventText("a").size());
}

TEST(BlockParserTest, EndsInsideAnEvent) {
  const std::string whole = EventText("a") + ", ";
  for (size_t size = 1; size < EventText("b").size(); ++size) {
    const Parsed parsed = Parse(whole + EventText("b").substr(0, size));
    EXPECT_EQ(parsed.result.end, BlockEnd::kInsideEvent) << size;
    EXPECT_EQ(parsed.result.end_at, whole.size()) << size;
    EXPECT_EQ(parsed.names, "a") << size;
    EXPECT_EQ(parsed.log().read(), 1) << size;
  }
}

TEST(BlockParserTest, EndOfTheArray) {
  for (const char* after : {"", "}", " \n}", ", \"traceName\": \"x\"}", "   "}) {
    const Parsed parsed = Parse(EventText("a") + "\n]" + after + "");
    EXPECT_EQ(parsed.result.end, BlockEnd::kArrayEnd) << after;
    EXPECT_EQ(parsed.result.end_at, EventText("a").size() + 1) << after;
  }
}

TEST(BlockParserTest, WhatIsNoEventIsLeftOut) {
  for (const char* garbage : {"5", "null", "\"text\"", "[1, 2]", "}", "]]", "xyz"}) {
    const Parsed parsed = Parse(EventText("a") + ", " + garbage + ", " + EventText("b"), 100);
    EXPECT_EQ(parsed.names, "a b") << garbage;
    EXPECT_EQ(parsed.result.broken, 1) << garbage;
    EXPECT_EQ(parsed.log().count("not_an_event"), 1) << garbage;
    EXPECT_EQ(parsed.log().excluded(), 1) << garbage;
    ASSERT_FALSE(parsed.log().causes().empty());
    EXPECT_EQ(parsed.log().causes()[0].first_place, 102 + static_cast<int64_t>(EventText("a").size())) << garbage;
  }
}

TEST(BlockParserTest, BrokenEventIsLeftOutUpToTheNext) {
  const Parsed parsed = Parse(EventText("a") + R"(, {"ts": 1 "ph": "X", "name": "b"}, )" + EventText("c"));
  EXPECT_EQ(parsed.names, "a c");
  EXPECT_EQ(parsed.log().count("broken_event"), 1);
  EXPECT_EQ(parsed.log().read(), 3);
}

TEST(BlockParserTest, EventWithBrokenArgsIsKept) {
  const std::string broken =
      R"({"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 1, "ts": 7, "dur": 3, "args": {"a" 1}})";
  const Parsed parsed = Parse(EventText("a") + ", " + broken + ", " + EventText("c"));
  EXPECT_EQ(parsed.names, "a b c");
  EXPECT_EQ(parsed.result.shard.host[1].duration_ns, 3000);
  EXPECT_EQ(parsed.log().count("damaged_args"), 1);
  EXPECT_EQ(parsed.log().repaired(), 1);
  EXPECT_EQ(parsed.log().excluded(), 0);
}

TEST(BlockParserTest, ArgsBeforeTheTimeCannotBeSpared) {
  const std::string broken = R"({"ph": "X", "name": "b", "args": {"a" 1}, "ts": 7, "dur": 3})";
  const Parsed parsed = Parse(EventText("a") + ", " + broken + ", " + EventText("c"));
  EXPECT_EQ(parsed.names, "a c");
  EXPECT_EQ(parsed.log().count("broken_event"), 1);
}

TEST(BlockParserTest, BlocksShareNames) {
  const auto names = std::make_shared<LocalNames>();
  BlockParser parser(names);
  PaddedText padded;
  padded.Assign(EventText("a"));
  const BlockResult first = parser.Parse(padded.view(), 0);
  const BlockResult second = parser.Parse(padded.view(), 500);
  EXPECT_EQ(first.shard.names, names);
  EXPECT_EQ(first.shard.host[0].name, second.shard.host[0].name);
  EXPECT_EQ(second.shard.log.read(), 1);
}

}  // namespace
}  // namespace warpsight::torch_json
