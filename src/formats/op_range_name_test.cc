#include "formats/op_range_name.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(ParseOpRangeTest, EveryPartMayBeMissing) {
  const auto whole = ParseOpRange("aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]], input_op_ids = [(1,0)]");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->name, "aten::mm");
  EXPECT_EQ(whole->sequence_plus_one, 4u);
  EXPECT_EQ(whole->op_id, 17u);
  EXPECT_EQ(whole->shapes, "[[2, 4], [4, 8]]");
  EXPECT_EQ(ParseOpRange("aten::view, op_id = 314290")->op_id, 314290u);
  EXPECT_EQ(ParseOpRange("MulBackward0, seq = 0")->sequence_plus_one, 1u);
  EXPECT_EQ(ParseOpRange("aten::ones, sizes = []")->shapes, "[]");
  EXPECT_EQ(ParseOpRange("f(a, b), op_id = 1")->name, "f(a, b)");
  const auto backward = ParseOpRange(R"(AddmmBackward0, seq = 3, fwd_thread = 1, sizes = [[2, 8]], types = ["float"])");
  ASSERT_TRUE(backward);
  EXPECT_EQ(backward->sequence_plus_one, 4u);
  EXPECT_EQ(backward->forward_thread, 1);
  EXPECT_EQ(backward->shapes, "[[2, 8]]");
  EXPECT_EQ(ParseOpRange("AddmmBackward0, fwd_thread = 70000, sizes = []")->forward_thread, 0);
  const auto typed = ParseOpRange(R"(aten::mm, sizes = [[2, 4], [4, 8]], types = ["float", "c10::Half"])");
  ASSERT_TRUE(typed);
  EXPECT_EQ(typed->shapes, "[[2, 4], [4, 8]]");
  EXPECT_EQ(typed->types, R"(["float", "c10::Half"])");
}

TEST(ParseOpRangeTest, OtherTextsAreNoOps) {
  for (const char* text :
       {"", "step", "aten::mm", ", seq = 3", "a, seq = x", "a, seq = 3 more", "a, op_id = 1, other", "a, sizes = [[1]",
        "a, sizes = 3", "a, seq = 4294967295", "a, sizes = [], types = [", "a, seq = 99999999999"}) {
    EXPECT_FALSE(ParseOpRange(text)) << text;
  }
}

}  // namespace
}  // namespace warpsight
