#include "render/utf8.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

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
