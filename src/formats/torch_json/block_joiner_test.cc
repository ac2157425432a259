#include "formats/torch_json/block_joiner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace warpsight::torch_json {
namespace {

std::string Event(const std::string& name, const std::string& args = "{}") {
  return R"({"ph": "X", "cat": "cpu_op", "name": ")" + name + R"(", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "args": )" +
         args + "}";
}

struct Joined {
  std::string names;   // of the rows, in file order
  std::string causes;  // "broken_event 1 at 20; "
  int64_t read = 0;
  bool array_ended = false;
  bool cut_off = false;
  std::string epilogue;
  uint64_t epilogue_offset = 0;
  friend bool operator==(const Joined&, const Joined&) = default;
};

void PrintTo(const Joined& joined, std::ostream* out) {
  *out << joined.names << " | " << joined.causes << "| " << joined.read << " read" << (joined.array_ended ? ", ended" : "")
       << (joined.cut_off ? ", cut off" : "") << ", epilogue '" << joined.epilogue << "' at " << joined.epilogue_offset;
}

Joined Describe(BlockJoiner& joiner) {
  Joined joined;
  ImportLog log;
  for (const TraceShard& shard : joiner.TakeShards()) {
    for (const HostEventRow& row : shard.host)
      joined.names += std::string(shard.names->strings.View(row.name)).substr(0, 20) + " ";
    log.Merge(shard.log);
  }
  for (const ImportCause& cause : log.causes()) {
    joined.causes += cause.cause + " " + std::to_string(cause.count) + " at " + std::to_string(cause.first_place) + "; ";
  }
  joined.read = log.read();
  joined.array_ended = joiner.array_ended();
  joined.cut_off = joiner.cut_off();
  joined.epilogue = joiner.epilogue();
  joined.epilogue_offset = joiner.epilogue_offset();
  return joined;
}

// The text in blocks that end at `cuts`, each parsed by a parser that knows nothing of the others.
Joined JoinCut(const std::string& text, std::vector<size_t> cuts) {
  cuts.push_back(text.size());
  std::sort(cuts.begin(), cuts.end());
  BlockParser parser(std::make_shared<LocalNames>());
  BlockJoiner joiner;
  size_t at = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    Block block;
    block.index = i;
    block.offset = at;
    block.text.Assign(std::string_view(text).substr(at, cuts[i] - at));
    joiner.Add(block, parser.Parse(block.text.view(), at));
    at = cuts[i];
  }
  joiner.Finish();
  return Describe(joiner);
}

// No cut shows, wherever it lies.
void ExpectSameAtEveryCut(const std::string& text) {
  const Joined whole = JoinCut(text, {});
  for (size_t cut = 0; cut <= text.size(); ++cut) ASSERT_EQ(JoinCut(text, {cut}), whole) << "cut at " << cut;
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<size_t> cuts(2 + random() % 6);
    for (size_t& cut : cuts) cut = random() % (text.size() + 1);
    ASSERT_EQ(JoinCut(text, cuts), whole) << ::testing::PrintToString(cuts);
  }
}

TEST(BlockJoinerTest, CutsOfGoodTextDoNotShow) {
  const std::string text = Event("a") + ",\n" + Event("b", R"({"k": "v", "l": [1, {"m": 2}]})") + ", " + Event("c") +
                           "\n], \"traceName\": \"x\"}";
  const Joined whole = JoinCut(text, {});
  EXPECT_EQ(whole.names, "a b c ");
  EXPECT_EQ(whole.causes, "");
  EXPECT_TRUE(whole.array_ended);
  EXPECT_EQ(whole.epilogue, ", \"traceName\": \"x\"}");
  EXPECT_EQ(whole.epilogue_offset, text.find(']', text.find("\"c\"")) + 1);
  ExpectSameAtEveryCut(text);
}

// Objects in args that look like events: a block that begins at one gives events that never were.
TEST(BlockJoinerTest, FalseBordersInArgs) {
  const std::string text =
      Event("a", R"({"stack": [{"name": "f"}, {"name": "g"}, {"name": "h"}, {"name": "i"}]})") + ", " + Event("b") + "]}";
  EXPECT_EQ(JoinCut(text, {}).names, "a b ");
  ExpectSameAtEveryCut(text);
}

TEST(BlockJoinerTest, EventInsideOfAnEvent) {
  const std::string text =
      Event("a", R"({"l": [{"x": 1}, {"ph": "X", "name": "no event", "ts": 1}]})") + ", " + Event("b") + "]}";
  const Joined cut = JoinCut(text, {text.rfind('{', text.find("no event"))});
  EXPECT_EQ(cut.names, "a b ");
  EXPECT_EQ(cut.causes, "");
}

TEST(BlockJoinerTest, FalseBorderInAStringWithUnescapedQuotes) {
  const std::string text = Event(R"(call "}, {"name": 5}" here)") + ", " + Event("b") + "]}";
  const Joined whole = JoinCut(text, {});
  EXPECT_EQ(JoinCut(text, {text.find("{\"name\": 5")}), whole);
}

TEST(BlockJoinerTest, EventLongerThanManyBlocks) {
  const std::string text = Event("a") + ", " + Event(std::string(1000, 'n')) + ", " + Event("c") + "]}";
  std::vector<size_t> cuts;
  for (size_t cut = 200; cut < 1200; cut += 50) cuts.push_back(cut);
  const Joined joined = JoinCut(text, cuts);
  EXPECT_EQ(joined.names, "a nnnnnnnnnnnnnnnnnnnn c ");
  EXPECT_EQ(joined.causes, "");
}

// The event breaks only when the text of the next block is seen. What can be kept of it is kept, wherever the border lies.
TEST(BlockJoinerTest, BrokenEventAtABorder) {
  const std::string broken = R"({"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "args": {"a": 1, "open}})";
  const std::string text = Event("a") + ", " + broken + ", " + Event("c") + ", " + Event("d") + "]}";
  const Joined whole = JoinCut(text, {});
  EXPECT_EQ(whole.names, "a b c d ");
  EXPECT_EQ(whole.causes, "damaged_args 1 at " + std::to_string(text.find(broken)) + "; ");
  for (const char* border : {"\"c\"", "\"d\""})
    EXPECT_EQ(JoinCut(text, {text.rfind('{', text.find(border))}), whole) << border;
}

TEST(BlockJoinerTest, AnEventThatNeverEndsLosesItselfOnly) {
  const std::string text =
      Event("a") + R"(, {"ph": "X", "name": "b", "ts": 5, "args": {"l": [[[[1}}, )" + Event("c") + ", " + Event("d") + "]}";
  const Joined cut = JoinCut(text, {text.rfind('{', text.find("\"c\""))});
  EXPECT_EQ(cut.names, "a c d ");
  EXPECT_EQ(cut.read, 4);
  EXPECT_TRUE(cut.array_ended);
}

TEST(BlockJoinerTest, FileEndsInsideAnEvent) {
  const std::string text = Event("a") + ", " + Event("b");
  const size_t begin = Event("a").size() + 2;
  for (size_t size = begin + 1; size < text.size(); ++size) {
    for (const std::vector<size_t>& cuts : {std::vector<size_t>{}, {begin}, {size - 1}}) {
      const Joined joined = JoinCut(text.substr(0, size), cuts);
      EXPECT_EQ(joined.names, "a ") << size;
      EXPECT_TRUE(joined.cut_off) << size;
      EXPECT_FALSE(joined.array_ended) << size;
      EXPECT_EQ(joined.causes, "cut_off_event 1 at " + std::to_string(begin) + "; ") << size;
    }
  }
  EXPECT_FALSE(JoinCut(text, {}).cut_off);
}

TEST(BlockJoinerTest, ArrayWithoutEvents) {
  const Joined joined = JoinCut(" ]}", {1});
  EXPECT_TRUE(joined.array_ended);
  EXPECT_EQ(joined.epilogue, "}");
  EXPECT_EQ(joined.epilogue_offset, 2u);
  EXPECT_EQ(joined.read, 0);
}

TEST(BlockJoinerTest, LongEpilogueIsHeldInPart) {
  const std::string text = Event("a") + "]" + std::string(BlockJoiner::kLargestEpilogue + 10, ' ') + "}";
  BlockJoiner joiner;
  BlockParser parser(std::make_shared<LocalNames>());
  Block block;
  block.text.Assign(text);
  joiner.Add(block, parser.Parse(block.text.view(), 0));
  joiner.Finish();
  EXPECT_EQ(joiner.epilogue().size(), BlockJoiner::kLargestEpilogue);
  EXPECT_FALSE(joiner.epilogue_complete());
}

TEST(BlockJoinerTest, OversizedEventIsPassedOver) {
  const std::string text = Event("a") + ", " +
                           Event("x", "{\"k\": \"" + std::string(BlockJoiner::kLargestEvent + 5000, 'k') + "\"}") + ", " +
                           Event("c") + "]}";
  const size_t third = text.size() / 3;
  const Joined joined = JoinCut(text, {third, 2 * third, text.size() - 1000, text.size() - 300});
  EXPECT_EQ(joined.names, "a c ");
  EXPECT_EQ(joined.causes, "oversized_event 1 at " + std::to_string(Event("a").size() + 2) + "; ");
  EXPECT_EQ(joined.read, 3);
  EXPECT_TRUE(joined.array_ended);
}

}  // namespace
}  // namespace warpsight::torch_json
