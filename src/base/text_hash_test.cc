#include "base/text_hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

namespace warpsight {
namespace {

std::string TextOfLength(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i * 7 % 26);
  return text;
}

// Texts that differ in one bit, at every length around the borders of the steps: all hashes differ, and so do the low
// bits that tables use.
TEST(HashTextTest, OneChangedBitChangesTheHash) {
  std::set<uint64_t> seen;
  size_t texts = 0;
  for (size_t size = 0; size <= 200; ++size) {
    std::string text = TextOfLength(size);
    seen.insert(HashText(text));
    ++texts;
    for (size_t bit = 0; bit < size * 8; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      seen.insert(HashText(text));
      ++texts;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    }
  }
  EXPECT_EQ(seen.size(), texts);
}

TEST(HashTextTest, AChangedBitChangesHalfOfTheHash) {
  int64_t changed = 0;
  int64_t pairs = 0;
  for (const size_t size : {1, 3, 4, 7, 8, 15, 16, 17, 33, 64}) {
    std::string text = TextOfLength(size);
    const uint64_t before = HashText(text);
    for (size_t bit = 0; bit < size * 8; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      changed += std::popcount(before ^ HashText(text));
      ++pairs;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    }
  }
  const double mean = static_cast<double>(changed) / static_cast<double>(pairs);
  EXPECT_GT(mean, 28);
  EXPECT_LT(mean, 36);
}

TEST(HashTextTest, ZerosOfDifferentLengthDiffer) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size <= 200; ++size) seen.insert(HashText(std::string(size, '\0')));
  EXPECT_EQ(seen.size(), 201u);
}

// The hash depends on the text alone, not on where it lies.
TEST(HashTextTest, PlaceDoesNotMatter) {
  const std::string text = TextOfLength(57);
  const std::string buffer = "......." + text + "tail";
  EXPECT_EQ(HashText(text), HashText(std::string_view(buffer).substr(7, text.size())));
}

// Counted names are what pools hold: the low bits must spread them as chance would.
TEST(HashTextTest, LowBitsSpreadCountedNames) {
  constexpr size_t kSlots = 1024;
  std::set<uint64_t> used;
  for (size_t i = 0; i < kSlots; ++i) used.insert(HashText("void kernel_" + std::to_string(i)) % kSlots);
  EXPECT_GT(used.size(), kSlots / 2);  // chance: 63 %
}

TEST(EqualTextTest, EveryLengthAndEveryByte) {
  for (size_t size = 0; size <= 140; ++size) {
    const std::string text = TextOfLength(size);
    std::string other = text;
    EXPECT_TRUE(EqualText(text, other)) << size;
    EXPECT_FALSE(EqualText(text, other + 'a')) << size;
    for (size_t at = 0; at < size; ++at) {
      other[at] = static_cast<char>(other[at] ^ 1);
      EXPECT_FALSE(EqualText(text, other)) << size << " " << at;
      other[at] = text[at];
    }
  }
}

}  // namespace
}  // namespace warpsight
