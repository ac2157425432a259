#include "render/display_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warpsight {
namespace {

TEST(Printable, NeutralisesTerminalControl) {
  EXPECT_EQ(Printable("a\x1b[31mred\x1b]0;title\x07", false), "a\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(Printable("two\nlines\r\tand", false), "two\\nlines\\r\\tand");
  EXPECT_EQ(Printable(std::string("nul\0", 4), false), "nul\\x00");
  EXPECT_EQ(Printable("\x7f", false), "\\x7f");
  EXPECT_EQ(Printable("c1 \xC2\x9B"
                      "31m",
                      false),
            "c1 \\u009b31m");
  EXPECT_EQ(Printable("\xE2\x80\xAE"
                      "gpj.exe",
                      false),
            "\\u202egpj.exe");
}

TEST(Printable, ReplacesMalformedBytes) {
  EXPECT_EQ(Printable("a\xff"
                      "b\xC3",
                      false),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(Printable("a\xff"
                      "b",
                      true),
            "a?b");
}

TEST(Printable, AsciiModeEscapesTheRest) {
  EXPECT_EQ(Printable("\xC3\xA9t\xC3\xA9", false), "\xC3\xA9t\xC3\xA9");
  EXPECT_EQ(Printable("\xC3\xA9t\xC3\xA9", true), "\\u00e9t\\u00e9");
  EXPECT_EQ(Printable("\xF0\x9F\x98\x80", true), "\\U0001f600");
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(DisplayWidth(""), 0);
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("\xE4\xBD\xA0\xE5\xA5\xBD"), 4);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1);
}

TEST(ShortenMiddle, KeepsHeadAndTail) {
  EXPECT_EQ(ShortenMiddle("abcdefghij", 10, false), "abcdefghij");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 7, false), "abcd\xE2\x80\xA6ij");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 9, true), "abcd...ij");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 3, true), "abc");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 1, false), "a");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 0, false), "");
}

TEST(ShortenMiddle, WideAndCombiningCharactersStayWhole) {
  const std::string wide = "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD";  // 4 characters of 2 columns
  for (int width = 0; width <= 8; ++width) EXPECT_LE(DisplayWidth(ShortenMiddle(wide, width, false)), width);
  EXPECT_EQ(ShortenMiddle("e\xCC\x81"
                          "bcdefghi",
                          4, false),
            "e\xCC\x81"
            "b\xE2\x80\xA6i");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(Wrap("", 10), (std::vector<std::string>{""}));
  EXPECT_EQ(Wrap("one two  three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(Wrap("exactly ten", 7), (std::vector<std::string>{"exactly", "ten"}));
}

TEST(Wrap, NumbersKeepTheirUnit) {
  EXPECT_EQ(Wrap("takes up 47.10 ms, or 95.6 % of it", 14),
            (std::vector<std::string>{"takes up", "47.10 ms, or", "95.6 % of it"}));
}

TEST(Wrap, LongWordsAreBroken) {
  EXPECT_EQ(Wrap("ab abcdefghij cd", 4), (std::vector<std::string>{"ab", "abcd", "efgh", "ij", "cd"}));
  EXPECT_EQ(Wrap("\xE4\xBD\xA0\xE5\xA5\xBD", 1), (std::vector<std::string>{"\xE4\xBD\xA0", "\xE5\xA5\xBD"}));
  EXPECT_EQ(Wrap(std::string(1'000'000, 'x'), 80).size(), 12'500U);
}

TEST(Pad, BothSides) {
  EXPECT_EQ(Pad("ab", 4, false), "ab  ");
  EXPECT_EQ(Pad("ab", 4, true), "  ab");
  EXPECT_EQ(Pad("abcdef", 4, true), "abcdef");
  EXPECT_EQ(Pad("\xE4\xBD\xA0", 4, true), "  \xE4\xBD\xA0");
}

// Random bytes: the result is always printable, fits, and never breaks a character.
TEST(DisplayText, RandomBytesAreSafe) {
  std::mt19937 random(5);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes;
    for (auto count = random() % 40; count > 0; --count) bytes += static_cast<char>(random() % 256);
    const std::string printable = Printable(bytes, false);
    EXPECT_EQ(Printable(printable, false), printable);
    const int width = 2 + static_cast<int>(random() % 30);
    const std::string shortened = ShortenMiddle(printable, width, false);
    EXPECT_EQ(Printable(shortened, false), shortened);
    EXPECT_LE(DisplayWidth(shortened), width);
    for (const std::string& line : Wrap(printable, width)) EXPECT_LE(DisplayWidth(line), width);
  }
}

}  // namespace
}  // namespace warpsight
