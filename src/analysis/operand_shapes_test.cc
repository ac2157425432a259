#include "analysis/operand_shapes.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

TEST(OperandShapesTest, OneShapeAnOperand) {
  const OperandShapes shapes = ParseOperandShapes("[[1, 2048], [2048, 256], []]");
  ASSERT_EQ(shapes.operands.size(), 3u);
  EXPECT_EQ(shapes.operands[0], (Shape{1, 2048}));
  EXPECT_EQ(shapes.operands[1], (Shape{2048, 256}));
  EXPECT_EQ(shapes.operands[2], Shape{});
  EXPECT_EQ(shapes.at(3), nullptr);
}

TEST(OperandShapesTest, AListOfTensorsIsItsTensors) {
  const OperandShapes shapes = ParseOperandShapes("[[[1, 4, 203, 64], [1, 4, 1, 64]], []]");
  ASSERT_EQ(shapes.operands.size(), 3u);
  EXPECT_EQ(shapes.operands[0], (Shape{1, 4, 203, 64}));
  EXPECT_EQ(shapes.operands[1], (Shape{1, 4, 1, 64}));
}

TEST(OperandShapesTest, DamagedTextGivesWhatStandsBeforeTheDamage) {
  EXPECT_EQ(ParseOperandShapes("").operands.size(), 0u);
  EXPECT_EQ(ParseOperandShapes("[[1, 2], [3,").operands.size(), 1u);
  EXPECT_EQ(ParseOperandShapes("]]]").operands.size(), 0u);
  EXPECT_EQ(ParseOperandShapes("[[99999999999999999999999999]]").operands.size(), 1u);
  EXPECT_EQ(ParseOperandShapes(std::string(100000, '[')).operands.size(), 0u);
}

std::optional<LinearSize> Size(std::string_view op, std::string_view shapes) {
  return LinearSizeOf(op, ParseOperandShapes(shapes));
}

TEST(LinearSizeTest, ByOp) {
  EXPECT_EQ(Size("aten::linear", "[[1, 4, 2048], [256, 2048], []]"), (LinearSize{4, 2048, 256, false}));
  EXPECT_EQ(Size("aten::linear", "[[8, 768], [3072, 768], [3072]]"), (LinearSize{8, 768, 3072, true}));
  EXPECT_EQ(Size("aten::addmm", "[[2304], [2, 768], [768, 2304], [], []]"), (LinearSize{2, 768, 2304, true}));
  EXPECT_EQ(Size("aten::mm", "[[1, 2048], [2048, 5632]]"), (LinearSize{1, 2048, 5632, false}));
  EXPECT_EQ(Size("aten::matmul", "[[2, 5, 64], [64, 32]]"), (LinearSize{10, 64, 32, false}));
  EXPECT_EQ(Size("_C::cutlass_scaled_mm", "[[8, 4096], [8, 1024], [1024, 4096]]"), (LinearSize{8, 1024, 4096, false}));
}

TEST(LinearSizeTest, NothingWhereShapesDoNotSay) {
  EXPECT_EQ(Size("aten::linear", "[]"), std::nullopt);
  EXPECT_EQ(Size("aten::linear", "[[1, 4], [8, 5], []]"), std::nullopt);
  EXPECT_EQ(Size("aten::bmm", "[[4, 1, 64], [4, 64, 9]]"), std::nullopt);
}

}  // namespace
}  // namespace warpsight
