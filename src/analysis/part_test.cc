#include "analysis/part.h"

#include <gtest/gtest.h>

#include <set>

namespace warpsight {
namespace {

TEST(PartTest, EveryPartHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i < kPartCount; ++i) {
    const auto part = static_cast<Part>(i);
    names.insert(PartName(part));
    EXPECT_EQ(ParsePart(PartName(part)), part);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kPartCount));
  EXPECT_EQ(PartName(Part::kKvCache), "kv_cache");
  EXPECT_EQ(PartName(Part::kOther), "other");
  EXPECT_EQ(ParsePart("no such part"), std::nullopt);
}

TEST(PartTest, Groups) {
  EXPECT_TRUE(IsAttentionProjection(Part::kQkv));
  EXPECT_TRUE(IsAttentionProjection(Part::kO));
  EXPECT_FALSE(IsAttentionProjection(Part::kAttention));
  EXPECT_TRUE(IsFeedForward(Part::kGateUp));
  EXPECT_FALSE(IsFeedForward(Part::kActivation));
  EXPECT_EQ(PhaseName(Phase::kBackward), "backward");
}

}  // namespace
}  // namespace warpsight
