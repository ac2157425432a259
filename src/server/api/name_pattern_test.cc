#include "server/api/name_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>

namespace warpsight::server {
namespace {

bool Matches(std::string_view pattern, std::string_view text) {
  Result<NamePattern> parsed = NamePattern::Parse(pattern);
  EXPECT_TRUE(parsed.ok()) << pattern << ": " << parsed.status().message();
  return parsed.ok() && parsed->IsIn(text);
}

std::string Problem(std::string_view pattern) {
  const Result<NamePattern> parsed = NamePattern::Parse(pattern);
  return parsed.ok() ? "" : parsed.status().message();
}

TEST(NamePatternTest, Matches) {
  EXPECT_TRUE(Matches("gemm", "ampere_SGEMM_64"));
  EXPECT_TRUE(Matches("^aten::(mm|bmm)$", "aten::bmm"));
  EXPECT_FALSE(Matches("^aten::(mm|bmm)$", "aten::addbmm"));
  EXPECT_TRUE(Matches("\\d{2,3}x\\d+", "tile_128x4"));
  EXPECT_FALSE(Matches("^\\d{2,3}x", "1284x4"));
  EXPECT_TRUE(Matches("[^a-z_]", "abc_7"));
  EXPECT_FALSE(Matches("[^a-z_]", "abC_"));
  EXPECT_TRUE(Matches("\\bmm\\b", "aten::mm"));
  EXPECT_FALSE(Matches("\\bmm\\b", "addmm"));
  EXPECT_TRUE(Matches("a{,2}", "a{,2}"));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_TRUE(Matches("a|", "b"));
  EXPECT_TRUE(Matches("x(?:ab)*?y", "xababy"));
  EXPECT_TRUE(Matches("[\\]\\-a]+$", "]-A"));
  EXPECT_FALSE(Matches("a.c", "a\nc"));
}

TEST(NamePatternTest, SaysWhatIsWrong) {
  EXPECT_NE(Problem("(a"), "");
  EXPECT_NE(Problem("a)"), "");
  EXPECT_NE(Problem("[a"), "");
  EXPECT_NE(Problem("*a"), "");
  EXPECT_NE(Problem("a**"), "");
  EXPECT_NE(Problem("a{3,2}"), "");
  EXPECT_NE(Problem("a{101}"), "");
  EXPECT_NE(Problem("((((a{99}){99}){99}){99}){99}"), "");
  EXPECT_NE(Problem("(a)\\1"), "");
  EXPECT_NE(Problem("a(?=b)"), "");
  EXPECT_NE(Problem("[z-a]"), "");
  EXPECT_NE(Problem("\\"), "");
  EXPECT_NE(Problem(std::string(201, 'a')), "");
  EXPECT_NE(Problem(std::string(100, '(') + std::string(100, ')')), "");
}

// What takes a matcher that tries one way after the other longer than the age of the universe.
TEST(NamePatternTest, NoPatternHangs) {
  const std::string text(2000, 'a');
  for (const char* const pattern :
       {"(a+)+$b", "(a|a)*b", "(a*)*b", "(.*)*x", "(a?){50}a{50}b", "^(([a-z])+.)+[A-Z]([a-z])+$b"}) {
    EXPECT_FALSE(Matches(pattern, text)) << pattern;
  }
}

// Random patterns of what both know, against the standard library's.
TEST(NamePatternTest, AgreesWithTheStandardLibrary) {
  std::mt19937 random(11);
  const char* const pieces[] = {"a", "b",   "c",     ".",    "[ab]", "[^a]", "\\w", "\\W", "(",     ")",   "|",  "*", "+",
                                "?", "{2}", "{0,2}", "{1,}", "^",    "$",    "\\b", "_",   "[a-c]", "(?:", "*?", "B"};
  int compared = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string pattern;
    for (size_t i = random() % 9; i > 0; --i) pattern += pieces[random() % std::size(pieces)];
    Result<NamePattern> ours = NamePattern::Parse(pattern);
    if (!ours.ok()) continue;
    std::regex theirs;
    try {
      theirs = std::regex(pattern, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {
      continue;  // stricter than we are with braces
    }
    for (int i = 0; i < 5; ++i) {
      std::string text;
      for (size_t k = random() % 7; k > 0; --k) text += "abcAB_ x"[random() % 8];
      EXPECT_EQ(ours->IsIn(text), std::regex_search(text, theirs)) << pattern << " in '" << text << "'";
      ++compared;
    }
  }
  EXPECT_GT(compared, 4000);
}

TEST(NamePatternTest, AnyBytesAreTaken) {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string pattern(random() % 40, ' ');
    for (char& c : pattern) c = static_cast<char>(random() % 3 == 0 ? "()[]{}|*+?^$\\.-,09"[random() % 18] : random() % 256);
    Result<NamePattern> parsed = NamePattern::Parse(pattern);
    if (parsed.ok()) parsed->IsIn(pattern);
  }
}

}  // namespace
}  // namespace warpsight::server
