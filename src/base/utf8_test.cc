#include "base/utf8.h"

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

TEST(MendedUtf8, OnlyWhatIsNoTextIsReplaced) {
  const std::string good = "plain \xC3\xA9 \xE4\xBD\xA0 \xF0\x9F\x98\x80 and more than eight bytes";
  EXPECT_TRUE(IsWholeUtf8(good));
  EXPECT_EQ(MendedUtf8(good), good);
  EXPECT_TRUE(IsWholeUtf8(""));
  for (const std::string bad : {"\xFFtext", "text\xFF", "eight by\xE4\xBDtes", "\xED\xA0\x80"}) {
    EXPECT_FALSE(IsWholeUtf8(bad));
    EXPECT_TRUE(IsWholeUtf8(MendedUtf8(bad)));
  }
  EXPECT_EQ(MendedUtf8("a\xE4\xBD!"), "a\xEF\xBF\xBD\xEF\xBF\xBD!");
  EXPECT_EQ(MendedUtf8(std::string("a\0b", 3)), std::string("a\0b", 3));
}

}  // namespace
}  // namespace warpsight
