#include "formats/torch_json/field_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "formats/torch_json/block.h"

namespace warpsight::torch_json {
namespace {

Field Find(std::string_view key, bool in_args) {
  PaddedText padded;
  padded.Assign(key);
  return FindField(padded.view(), in_args);
}

Field FindReference(std::string_view key, bool in_args) {
  for (const FieldKey& entry : kFieldKeys) {
    if (entry.key == key && entry.in_args == in_args) return entry.field;
  }
  return Field::kCount;
}

TEST(FindFieldTest, EverySpellingInItsPlace) {
  for (const FieldKey& entry : kFieldKeys) EXPECT_EQ(Find(entry.key, entry.in_args), entry.field) << entry.key;
  EXPECT_EQ(Find("name", false), Field::kName);
  EXPECT_EQ(Find("name", true), Field::kMetadataName);
}

TEST(FindFieldTest, EveryFieldHasASpelling) {
  for (size_t field = 0; field < kFieldCount; ++field) {
    EXPECT_TRUE(std::any_of(std::begin(kFieldKeys), std::end(kFieldKeys), [&](const FieldKey& entry) {
      return entry.field == static_cast<Field>(field);
    })) << field;
  }
}

// Text that differs from a spelling in one place, in its length or in where it stands.
TEST(FindFieldTest, NothingElse) {
  for (const FieldKey& entry : kFieldKeys) {
    const std::string key(entry.key);
    for (const bool in_args : {false, true}) {
      EXPECT_EQ(Find(key, in_args), FindReference(key, in_args)) << key;
      for (size_t size = 1; size < key.size(); ++size)
        EXPECT_EQ(Find(key.substr(0, size), in_args), FindReference(key.substr(0, size), in_args));
      for (const char* tail : {" ", "s", "\"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
        EXPECT_EQ(Find(key + tail, in_args), Field::kCount);
      for (size_t place = 0; place < key.size(); ++place) {
        std::string other = key;
        for (const int change : {1, 2, 0x20, 0x80}) {
          other[place] = static_cast<char>(key[place] ^ change);
          EXPECT_EQ(Find(other, in_args), FindReference(other, in_args)) << other;
        }
      }
    }
  }
}

// The bytes after a key (its closing quote and whatever follows) are no part of it.
TEST(FindFieldTest, WhatFollowsTheKeyDoesNotMatter) {
  PaddedText padded;
  padded.Assign("ts\": 12.5, \"name\": \"a text that is longer than a cell\"");
  EXPECT_EQ(FindField(padded.view().substr(0, 2), false), Field::kTime);
}

}  // namespace
}  // namespace warpsight::torch_json
