// The two copies of the event walk must not differ in anything, whatever the text.
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "formats/torch_json/block.h"
#include "formats/torch_json/event_parser.h"

namespace warpsight::torch_json {
namespace {

constexpr std::string_view kOrdinaryEvents[] = {
    R"~({"ph": "X", "cat": "cpu_op", "name": "aten::add_", "pid": 545, "tid": 624,
    "ts": 5108452635013.899, "dur": 12.250,
    "args": {
      "External id": 66359,"Record function id": 0, "Concrete Inputs": ["", "[2, 256]", "1"], "Input type": ["float", "float", "Scalar"], "Input Strides": [[524288, 2048, 1], [524288, 2048, 1], []], "Input Dims": [[2, 256, 2048], [2, 256, 2048], []], "Ev Idx": 4918
    }
  })~",
    R"~({"ph": "X", "cat": "kernel", "name": "void at::multi_tensor<a, float>(at::TensorListMetadata<3>, std::multiplies<float>)", "pid": 0, "tid": 7,
    "ts": 5108452524812.123, "dur": 65.216,
    "args": {"queued": 0, "device": 0, "stream": 7, "correlation": 1998498, "blocks per SM": 2.424242, "grid": [320, 1, 1], "block": [512, 1, 1]}})~",
    R"~({"ph": "f", "id": 716, "pid": 545, "tid": 624, "ts": 5108452635039.916,"cat": "fwdbwd", "name": "fwd\u0062wd", "bp": "e"})~",
    R"~({"ph":"X","cat":"user_annotation","name":"Zür\"ich","pid":1,"tid":2,"ts":1,5,"dur":NaN,"args":{"a":{"b":[[["x"]]]}}})~",
    R"~({"ph":"X","cat":"python_function","name":"f("a", 3)","pid":1,"tid":2,"ts":1,"dur":2,"args":{
  "Input Dims" : [ [1], [ [2], [3] ] ]
}
})~",
};

void ExpectEqual(const ParsedEvent& a, const EventFields& a_fields, const ParsedEvent& b, const EventFields& b_fields,
                 const PaddedText& text) {
  ASSERT_EQ(a.outcome, b.outcome) << text.view();
  ASSERT_EQ(a.next - text.begin(), b.next - text.begin()) << text.view();
  ASSERT_EQ(a_fields.seen, b_fields.seen) << text.view();
  ASSERT_EQ(a_fields.repairs, b_fields.repairs) << text.view();
  ASSERT_EQ(a_fields.name_escapes, b_fields.name_escapes) << text.view();
  ASSERT_EQ(a_fields.name_non_ascii, b_fields.name_non_ascii) << text.view();
  for (size_t field = 0; field < kFieldCount; ++field) {
    const auto name = static_cast<Field>(field);
    ASSERT_EQ(a_fields[name], b_fields[name]) << field << " in " << text.view();
    ASSERT_EQ(a_fields[name].data(), b_fields[name].data()) << field << " in " << text.view();
  }
}

class EventWalkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Avx2EventWalk() == nullptr) GTEST_SKIP() << "no second copy: this processor has no AVX2";
  }
  // Both parsers have read all texts before, so that they know the same keys.
  void ExpectSame(std::string_view event) {
    PaddedText text;
    text.Assign(event);
    EventFields plain_fields;
    EventFields newer_fields;
    const ParsedEvent plain = plain_.Parse(text.begin(), text.end(), plain_fields);
    const ParsedEvent newer = newer_.Parse(text.begin(), text.end(), newer_fields);
    ExpectEqual(plain, plain_fields, newer, newer_fields, text);
  }

  EventParser plain_{PlainEventWalk()};
  EventParser newer_{Avx2EventWalk()};
  std::mt19937 random_{7};
};

TEST_F(EventWalkTest, OrdinaryEvents) {
  for (int round = 0; round < 3; ++round) {
    for (const std::string_view event : kOrdinaryEvents) ExpectSame(std::string(event) + ",\n  {\"ph\": \"X\"");
  }
}

TEST_F(EventWalkTest, CutOffAtEveryByte) {
  for (const std::string_view event : kOrdinaryEvents) {
    for (size_t size = 1; size <= event.size(); ++size) ExpectSame(event.substr(0, size));
  }
}

TEST_F(EventWalkTest, DamagedEvents) {
  constexpr std::string_view kDamage =
      "\"\"\"\\{}[],:: \n\t\x01\x80\xFF"
      "0Na";
  for (int round = 0; round < 40000; ++round) {
    std::string event(kOrdinaryEvents[random_() % std::size(kOrdinaryEvents)]);
    for (uint32_t damages = random_() % 4; damages > 0; --damages) {
      const size_t at = random_() % event.size();
      const char byte = kDamage[random_() % kDamage.size()];
      if (random_() % 3 == 0) {
        event.erase(at, random_() % 30 + 1);
      } else if (random_() % 2 == 0) {
        event.insert(at, random_() % 40, byte);
      } else {
        event[at] = byte;
      }
      if (event.empty()) event = "{";
    }
    event[0] = '{';
    ExpectSame(event + ",\n  " + std::string(kOrdinaryEvents[random_() % std::size(kOrdinaryEvents)]));
  }
}

TEST(EventWalkCopiesTest, TheFastestIsOneOfTheTwo) {
  EXPECT_EQ(FastestEventWalk(), Avx2EventWalk() != nullptr ? Avx2EventWalk() : PlainEventWalk());
}

}  // namespace
}  // namespace warpsight::torch_json
