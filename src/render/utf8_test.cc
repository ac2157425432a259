#include "render/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

TEST(DecodeCharacter, AllLengths) {
  const std::string text = "a\xC3\xA9\xE4\xBD\xA0\xF0\x9F\x98\x80";
  EXPECT_EQ(DecodeCharacter(text, 0).code, U'a');
  EXPECT_EQ(DecodeCharacter(text, 1).code, U'\u00E9');
  EXPECT_EQ(DecodeCharacter(text, 3).code, U'\u4F60');
  EXPECT_EQ(DecodeCharacter(text, 6).code, U'\U0001F600');
  EXPECT_EQ(DecodeCharacter(text, 6).bytes, 4U);
}

TEST(DecodeCharacter, MalformedTakesOneByte) {
  for (const std::string text : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80",
                                 "\xF4\x90\x80\x80", "\xE4\xBD", "\xE4\x61\x62", "\xFF"}) {
    EXPECT_FALSE(DecodeCharacter(text, 0).valid);
    EXPECT_EQ(DecodeCharacter(text, 0).bytes, 1U);
  }
}

TEST(CharacterWidth, NarrowWideAndCombining) {
  EXPECT_EQ(CharacterWidth(U'a'), 1);
  EXPECT_EQ(CharacterWidth(U'\u00E9'), 1);
  EXPECT_EQ(CharacterWidth(U'\u2026'), 1);
  EXPECT_EQ(CharacterWidth(U'\u4F60'), 2);
  EXPECT_EQ(CharacterWidth(U'\uFF21'), 2);
  EXPECT_EQ(CharacterWidth(U'\U0001F600'), 2);
  EXPECT_EQ(CharacterWidth(U'\u0301'), 0);
  EXPECT_EQ(CharacterWidth(U'\u200D'), 0);
}

TEST(IsUnsafe, ControlsAndHiddenCharacters) {
  for (const char32_t code : {U'\0', U'\n', U'\x1B', U'\x7F', U'\u0085', U'\u200B', U'\u202E', U'\u2066', U'\uFEFF'}) {
    EXPECT_TRUE(IsUnsafe(code)) << static_cast<unsigned>(code);
  }
  for (const char32_t code : {U' ', U'~', U'\u00A0', U'\u2026', U'\u4F60', U'\u200D'}) {
    EXPECT_FALSE(IsUnsafe(code)) << static_cast<unsigned>(code);
  }
}

}  // namespace
}  // namespace warpsight
