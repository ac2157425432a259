#include "analysis/tensor_shapes.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

using Dims = std::vector<int64_t>;

TEST(TensorShapesTest, ReadsTensorsListsAndWhatIsNone) {
  const auto operands = ParseOperands("[[1, 2048], [], [[2,3],[4,5]], [], [], []]",
                                      R"(["c10::Half", "Scalar", "TensorList", "", "float", "TensorList"])");
  ASSERT_TRUE(operands.has_value());
  ASSERT_EQ(operands->size(), 6u);
  EXPECT_TRUE((*operands)[0].is_tensor());
  EXPECT_EQ((*operands)[0].tensors[0].dims, (Dims{1, 2048}));
  EXPECT_EQ((*operands)[0].tensors[0].type, ElementType::kFp16);
  EXPECT_EQ((*operands)[0].tensors[0].bytes(), 4096);
  EXPECT_EQ((*operands)[1].kind, Operand::Kind::kScalar);
  EXPECT_EQ((*operands)[2].kind, Operand::Kind::kList);
  ASSERT_EQ((*operands)[2].tensors.size(), 2u);
  EXPECT_EQ((*operands)[2].tensors[1].dims, (Dims{4, 5}));
  EXPECT_EQ((*operands)[3].kind, Operand::Kind::kNone);
  EXPECT_TRUE((*operands)[4].is_tensor()) << "0-dimensional";
  EXPECT_EQ((*operands)[4].tensors[0].elements(), 1);
  EXPECT_EQ((*operands)[5].kind, Operand::Kind::kList) << "a list that the recorder left out";
  EXPECT_TRUE((*operands)[5].tensors.empty());
}

TEST(TensorShapesTest, EmptyTensorsAndMissingTypes) {
  const auto operands = ParseOperands("[[0], [4, 0, 2]]", "");
  ASSERT_TRUE(operands.has_value());
  EXPECT_EQ((*operands)[0].tensors[0].elements(), 0);
  EXPECT_EQ((*operands)[1].tensors[0].elements(), 0);
  EXPECT_EQ((*operands)[0].tensors[0].type, ElementType::kUnknown);
  EXPECT_EQ((*operands)[0].tensors[0].bytes(), 0);
}

TEST(TensorShapesTest, OddTextsAreRefusedNotGuessed) {
  for (const char* text :
       {"", "x", "[[1, 2", "[[1, -2]]", "[[1, 99999999999999999999]]", "[[1], [[2, 3]", "[[1.5]]", "[[[1, [2]]]]"}) {
    EXPECT_FALSE(ParseOperands(text, "").has_value()) << text;
  }
  EXPECT_TRUE(ParseOperands("[]", "")->empty());
  EXPECT_EQ(ParseOperands(R"(["a", [1]])", "")->size(), 2u) << "an argument that is no size list";
  EXPECT_EQ(ParseOperands("[[1], [2]]", R"(["float")")->size(), 2u) << "types cut off";
}

TEST(TensorShapesTest, PromotesAsPyTorchDoes) {
  EXPECT_EQ(Promote(ElementType::kBool, ElementType::kInt64), ElementType::kInt64);
  EXPECT_EQ(Promote(ElementType::kInt64, ElementType::kFp16), ElementType::kFp16);
  EXPECT_EQ(Promote(ElementType::kFp16, ElementType::kBf16), ElementType::kFp32);
  EXPECT_EQ(Promote(ElementType::kFp64, ElementType::kFp32), ElementType::kFp64);
  EXPECT_EQ(Promote(ElementType::kUnknown, ElementType::kFp16), ElementType::kFp16);
}

TEST(TensorShapesTest, Broadcasts) {
  EXPECT_EQ(Broadcast({4, 1, 3}, {5, 1}), (Dims{4, 5, 3}));
  EXPECT_EQ(Broadcast({2, 3}, {}), (Dims{2, 3}));
  EXPECT_EQ(Broadcast({1}, {0}), (Dims{0}));
  EXPECT_EQ(Broadcast({2, 3}, {4}), std::nullopt);
}

}  // namespace
}  // namespace warpsight
