#include "trace/run_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

using Row = std::pair<int, int>;  // key, original place

bool ByKey(const Row& a, const Row& b) { return a.first < b.first; }

void ExpectStableSorted(std::vector<int> keys) {
  std::vector<Row> rows;
  for (size_t i = 0; i < keys.size(); ++i) rows.emplace_back(keys[i], static_cast<int>(i));
  std::vector<Row> expected = rows;
  std::stable_sort(expected.begin(), expected.end(), ByKey);
  RunSort(rows, ByKey);
  ASSERT_EQ(rows, expected);
}

TEST(RunSortTest, SmallInputs) {
  ExpectStableSorted({});
  ExpectStableSorted({1});
  ExpectStableSorted({2, 1});
  ExpectStableSorted({1, 1, 1});
  ExpectStableSorted({3, 2, 1, 0});
}

TEST(RunSortTest, RandomKeysWithManyEqualOnes) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> keys(random() % 200);
    const int values = 1 + static_cast<int>(random() % 50);
    for (int& key : keys) key = static_cast<int>(random()) % values;
    ExpectStableSorted(std::move(keys));
  }
}

// What recorders write: a few long ascending runs that overlap in time, of any number and length.
TEST(RunSortTest, LongRuns) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> keys;
    const size_t runs = 1 + random() % 9;
    for (size_t run = 0; run < runs; ++run) {
      int key = static_cast<int>(random() % 100);
      for (size_t i = 1 + random() % 60; i > 0; --i) keys.push_back(key += static_cast<int>(random() % 3));
    }
    ExpectStableSorted(std::move(keys));
  }
}

TEST(RunSortTest, RunsThatDoNotOverlapAreNotMoved) {
  std::vector<Row> rows;
  for (int i = 0; i < 100; ++i) rows.emplace_back(i, i);
  for (int i = 100; i < 200; ++i) rows.emplace_back(i, i);
  rows.emplace_back(150, 200);
  RunSort(rows, ByKey);
  EXPECT_EQ(rows[150], Row(150, 150));
  EXPECT_EQ(rows[151], Row(150, 200));
  EXPECT_EQ(rows[200], Row(199, 199));
}

}  // namespace
}  // namespace warpsight
