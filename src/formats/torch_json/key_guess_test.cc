#include "formats/torch_json/key_guess.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/torch_json/block.h"

namespace warpsight::torch_json {
namespace {

constexpr KeyGuess::Place kPlace = KeyGuess::Place::kInEvent;

class KeyGuessTest : public ::testing::Test {
 protected:
  KeyGuess::Node Learn(KeyGuess::Node node, std::string_view text, Field field, bool closes = false) {
    return guess_.Learn(node, text.data(), text.data() + text.size(), kPlace, field, closes);
  }
  KeyGuess::Node Match(KeyGuess::Node node, std::string_view text, KeyGuess::Place place = kPlace) {
    PaddedText padded;
    padded.Assign(text);
    return guess_.Match(node, padded.begin(), place);
  }

  KeyGuess guess_;
};

TEST_F(KeyGuessTest, NothingIsKnownAtFirst) { EXPECT_EQ(Match(KeyGuess::kRoot, "\"ph\": \"X\""), KeyGuess::kRoot); }

TEST_F(KeyGuessTest, WhatWasLearnedIsMatchedByAllOfItsBytes) {
  const KeyGuess::Node node = Learn(KeyGuess::kRoot, "\"ph\": ", Field::kPhase);
  ASSERT_NE(node, KeyGuess::kRoot);
  EXPECT_EQ(Match(KeyGuess::kRoot, "\"ph\": \"X\""), node);
  EXPECT_EQ(Match(KeyGuess::kRoot, "\"ph\":\"X\""), KeyGuess::kRoot);
  EXPECT_EQ(Match(KeyGuess::kRoot, "\"ph\":"), KeyGuess::kRoot);
  EXPECT_EQ(guess_.entry(node).size, 6);
  EXPECT_EQ(guess_.entry(node).field, Field::kPhase);
  EXPECT_FALSE(guess_.entry(node).closes);
}

TEST_F(KeyGuessTest, NodesKnowTheirOwnChildrenOnly) {
  const KeyGuess::Node first = Learn(KeyGuess::kRoot, "\"ph\": ", Field::kPhase);
  const KeyGuess::Node second = Learn(first, ", \"ts\": ", Field::kTime);
  EXPECT_EQ(Match(first, ", \"ts\": 5"), second);
  EXPECT_EQ(Match(KeyGuess::kRoot, ", \"ts\": 5"), KeyGuess::kRoot);
  EXPECT_EQ(Match(second, ", \"ts\": 5"), KeyGuess::kRoot);
}

TEST_F(KeyGuessTest, TextOfAnotherPlaceIsAnother) {
  Learn(KeyGuess::kRoot, ", \"name\": ", Field::kName);
  for (const KeyGuess::Place place : {KeyGuess::Place::kEventStart, KeyGuess::Place::kArgsStart, KeyGuess::Place::kInArgs}) {
    EXPECT_EQ(Match(KeyGuess::kRoot, ", \"name\": 5", place), KeyGuess::kRoot);
  }
  EXPECT_EQ(KeyGuess::PlaceOf(false, true), KeyGuess::Place::kEventStart);
  EXPECT_EQ(KeyGuess::PlaceOf(false, false), KeyGuess::Place::kInEvent);
  EXPECT_EQ(KeyGuess::PlaceOf(true, true), KeyGuess::Place::kArgsStart);
  EXPECT_EQ(KeyGuess::PlaceOf(true, false), KeyGuess::Place::kInArgs);
}

TEST_F(KeyGuessTest, ThreeChildrenTheLastIsReplaced) {
  const KeyGuess::Node a = Learn(KeyGuess::kRoot, "a", Field::kName);
  const KeyGuess::Node b = Learn(KeyGuess::kRoot, "b", Field::kName);
  Learn(KeyGuess::kRoot, "c", Field::kName);
  const KeyGuess::Node d = Learn(KeyGuess::kRoot, "d", Field::kName);
  EXPECT_EQ(Match(KeyGuess::kRoot, "a"), a);
  EXPECT_EQ(Match(KeyGuess::kRoot, "b"), b);
  EXPECT_EQ(Match(KeyGuess::kRoot, "c"), KeyGuess::kRoot);
  EXPECT_EQ(Match(KeyGuess::kRoot, "d"), d);
  EXPECT_EQ(Match(KeyGuess::kRoot, "a"), a);  // the order changed, the children did not
}

TEST_F(KeyGuessTest, TextsOfEveryLengthUpToTheLongest) {
  for (size_t size = 1; size <= KeyGuess::kLongestText; ++size) {
    KeyGuess guess;
    const std::string text(size, 'x');
    const KeyGuess::Node node = guess.Learn(KeyGuess::kRoot, text.data(), text.data() + size, kPlace, Field::kName, false);
    PaddedText padded;
    padded.Assign(text);
    EXPECT_EQ(guess.Match(KeyGuess::kRoot, padded.begin(), kPlace), node) << size;
    padded.Assign(text.substr(1) + "y");
    EXPECT_EQ(guess.Match(KeyGuess::kRoot, padded.begin(), kPlace), KeyGuess::kRoot) << size;
  }
}

TEST_F(KeyGuessTest, MemoryIsBounded) {
  KeyGuess::Node node = KeyGuess::kRoot;
  for (int i = 0; i < 100'000; ++i) node = Learn(node, "key " + std::to_string(i), Field::kName);
  KeyGuess::Node first = Match(KeyGuess::kRoot, "key 0");
  EXPECT_NE(first, KeyGuess::kRoot);
  EXPECT_EQ(guess_.entry(first).field, Field::kName);
}

TEST_F(KeyGuessTest, KindsOfEventsGoOnApart) {
  const KeyGuess::Node complete = KeyGuess::AfterSelector("X", KeyGuess::kRoot);
  const KeyGuess::Node start = KeyGuess::AfterSelector("s", KeyGuess::kRoot);
  const KeyGuess::Node finish = KeyGuess::AfterSelector("f", KeyGuess::kRoot);
  EXPECT_NE(start, finish);
  EXPECT_NE(KeyGuess::AfterSelector("ac2g", start), KeyGuess::AfterSelector("ac2g", finish));
  EXPECT_NE(KeyGuess::AfterSelector("kernel", complete), KeyGuess::AfterSelector("cpu_op", complete));
  EXPECT_NE(KeyGuess::AfterSelector("", KeyGuess::kRoot), KeyGuess::kRoot);
}

}  // namespace
}  // namespace warpsight::torch_json
