#include "render/html_text.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(Escaped, LeavesPlainTextAlone) { EXPECT_EQ(Escaped("aten::mm, 47.10 ms \xC3\xA9"), "aten::mm, 47.10 ms \xC3\xA9"); }

TEST(Escaped, WhatMeansSomethingToHtml) {
  EXPECT_EQ(Escaped("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
}

TEST(Escaped, ControlsAndBrokenBytesAreVisible) {
  EXPECT_EQ(Escaped(std::string("a\0b\x1b[31m\n\x7f", 10)), "a\\x00b\\x1b[31m\\n\\x7f");
  EXPECT_EQ(Escaped("\xC0\xAFx\xFF"), "\xEF\xBF\xBD\xEF\xBF\xBDx\xEF\xBF\xBD");
  EXPECT_EQ(Escaped("a\xE2\x80\xAE<b"), "a\\u202e&lt;b");  // text that runs backwards
}

TEST(EscapedAndCut, BetweenCharactersAndBeforeEscaping) {
  EXPECT_EQ(EscapedAndCut("abc", 3), "abc");
  EXPECT_EQ(EscapedAndCut("<<<<", 2), "&lt;&lt;\xE2\x80\xA6");
  EXPECT_EQ(EscapedAndCut("a\xC3\xA9z", 2), "a\xE2\x80\xA6");
  EXPECT_EQ(EscapedAndCut("\x80\x80\x80\x80\x80\x80", 4), "\xEF\xBF\xBD\xE2\x80\xA6");
}

TEST(WithUnit, UnitIsAnElementOfItsOwn) {
  EXPECT_EQ(WithUnit("47.10 ms"), "47.10<span class=\"u\"> ms</span>");
  EXPECT_EQ(WithUnit("-"), "-");
}

TEST(Percent, IsShortAndNeverOutOfTheFigure) {
  EXPECT_EQ(Percent(0), "0");
  EXPECT_EQ(Percent(0.5), "50");
  EXPECT_EQ(Percent(0.12345678), "12.346");
  EXPECT_EQ(Percent(7), "100");
  EXPECT_EQ(Percent(-1), "0");
  EXPECT_EQ(Percent(0.0 / 0.0), "0");
}

// The digits of RFC 4648, section 10.
TEST(Base64OfHex, KnownTexts) {
  EXPECT_EQ(Base64OfHex(""), "");
  EXPECT_EQ(Base64OfHex("66"), "Zg==");
  EXPECT_EQ(Base64OfHex("666f"), "Zm8=");
  EXPECT_EQ(Base64OfHex("666f6f"), "Zm9v");
  EXPECT_EQ(Base64OfHex("666f6f626172"), "Zm9vYmFy");
}

}  // namespace
}  // namespace warpsight
