#include "trace/id_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpsight {
namespace {

TEST(IdIndexTest, EmptyFindsNothing) {
  IdIndex index;
  EXPECT_EQ(index.Build(), 0);
  EXPECT_EQ(index.Find(0), kNoRow);
  EXPECT_EQ(index.Find(7), kNoRow);
}

TEST(IdIndexTest, DenseIds) {
  IdIndex index;
  for (uint32_t id = 1000; id < 2000; id += 2) index.Add(id, id * 3);
  EXPECT_EQ(index.Build(), 0);
  EXPECT_EQ(index.Find(1000), 3000u);
  EXPECT_EQ(index.Find(1998), 5994u);
  for (const uint32_t absent : {0u, 999u, 1001u, 1999u, 2000u, ~0u}) EXPECT_EQ(index.Find(absent), kNoRow) << absent;
}

TEST(IdIndexTest, SparseIds) {
  IdIndex index;
  index.Add(~0u, 1);
  index.Add(1, 2);
  index.Add(1u << 30, 3);
  EXPECT_EQ(index.Build(), 0);
  EXPECT_EQ(index.Find(~0u), 1u);
  EXPECT_EQ(index.Find(1), 2u);
  EXPECT_EQ(index.Find(1u << 30), 3u);
  for (const uint32_t absent : {0u, 2u, (1u << 30) + 1, ~0u - 1}) EXPECT_EQ(index.Find(absent), kNoRow) << absent;
}

TEST(IdIndexTest, FirstRowOfAnIdWins) {
  for (const uint32_t far : {10u, 4'000'000'000u}) {  // an array, a list
    IdIndex index;
    index.Add(far, 9);
    index.Add(5, 8);
    index.Add(5, 2);
    index.Add(far, 1);
    index.Add(5, 3);
    EXPECT_EQ(index.Build(), 3);
    EXPECT_EQ(index.Find(5), 8u);
    EXPECT_EQ(index.Find(far), 9u);
  }
}

TEST(IdIndexTest, AgreesWithAMap) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const uint32_t range = 1u << (1 + random() % 31);
    std::map<uint32_t, uint32_t> expected;
    int64_t repeats = 0;
    IdIndex index;
    for (uint32_t row = 0, rows = random() % 300; row < rows; ++row) {
      const uint32_t id = random() % range;
      index.Add(id, row);
      if (!expected.try_emplace(id, row).second) ++repeats;
    }
    ASSERT_EQ(index.Build(), repeats);
    for (const auto& [id, row] : expected) {
      ASSERT_EQ(index.Find(id), row);
      ASSERT_EQ(index.Find(id + 1), expected.contains(id + 1) ? expected[id + 1] : kNoRow);
    }
  }
}

}  // namespace
}  // namespace warpsight
