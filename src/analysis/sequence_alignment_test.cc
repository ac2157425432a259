#include "analysis/sequence_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warpsight {
namespace {

using Symbols = std::vector<uint64_t>;

// Length of a longest common subsequence, by the textbook table.
size_t LongestCommon(const Symbols& a, const Symbols& b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

// Pairs are of equal symbols and in order; returns how many there are.
size_t CheckPairs(const Symbols& a, const Symbols& b, const std::vector<size_t>& counterparts) {
  EXPECT_EQ(counterparts.size(), a.size());
  size_t pairs = 0;
  size_t next = 0;
  for (size_t i = 0; i < counterparts.size(); ++i) {
    if (counterparts[i] == kNotAligned) continue;
    EXPECT_LT(counterparts[i], b.size());
    EXPECT_EQ(a[i], b[counterparts[i]]);
    EXPECT_GE(counterparts[i], next);
    next = counterparts[i] + 1;
    ++pairs;
  }
  return pairs;
}

TEST(SequenceAlignmentTest, EqualAndEmpty) {
  const Symbols a = {1, 2, 3};
  EXPECT_EQ(AlignSequences(a, a, 10), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(AlignSequences({}, a, 10), std::vector<size_t>{});
  EXPECT_EQ(AlignSequences(a, {}, 10), (std::vector<size_t>{kNotAligned, kNotAligned, kNotAligned}));
}

TEST(SequenceAlignmentTest, AnInsertedAndAMissingSymbol) {
  const Symbols replay = {9, 1, 2, 3, 5, 6};
  const Symbols eager = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(AlignSequences(replay, eager, 10), (std::vector<size_t>{kNotAligned, 0, 1, 2, 4, 5}));
}

TEST(SequenceAlignmentTest, AsLongAsTheTextbookSays) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto make = [&] {
      Symbols symbols(random() % 40);
      for (uint64_t& symbol : symbols) symbol = random() % 4;
      return symbols;
    };
    const Symbols a = make();
    const Symbols b = make();
    EXPECT_EQ(CheckPairs(a, b, AlignSequences(a, b, 1000)), LongestCommon(a, b));
  }
}

TEST(SequenceAlignmentTest, SequencesThatAreNotAlikeAreGivenUp) {
  Symbols a(500, 1);
  Symbols b(500, 2);
  a.back() = b.back() = 3;
  EXPECT_EQ(CheckPairs(a, b, AlignSequences(a, b, 20)), 1u);  // the common end only
}

}  // namespace
}  // namespace warpsight
