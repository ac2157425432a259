#include "formats/torch_json/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight::torch_json {
namespace {

using std::string_literals::operator""s;

void ExpectText(std::string_view raw, std::string_view text, bool damaged = false) {
  const UnescapedText result = Unescape(raw);
  EXPECT_EQ(result.text, text) << raw;
  EXPECT_EQ(result.damaged, damaged) << raw;
}

TEST(UnescapeTest, PlainTextStays) {
  ExpectText("", "");
  ExpectText("void gemm<float, 4>(float*)", "void gemm<float, 4>(float*)");
  ExpectText("\xC3\xA9 \xE6\xA0\xB8 \xF0\x9F\x94\xA5", "\xC3\xA9 \xE6\xA0\xB8 \xF0\x9F\x94\xA5");
}

TEST(UnescapeTest, EscapesOfJson) {
  ExpectText(R"(\" \\ \/ \b \f \n \r \t)", "\" \\ / \b \f \n \r \t");
  ExpectText(R"(\u0041\u00e9\u00E9\u6838\uffff)", "A\xC3\xA9\xC3\xA9\xE6\xA0\xB8\xEF\xBF\xBF");
  ExpectText(R"(\u0000)", "\0"s);
  ExpectText(R"(\ud83d\uDD25\ud800\udc00\udbff\udfff)", "\xF0\x9F\x94\xA5\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
  ExpectText(R"(\\u0041)", R"(\u0041)");
}

TEST(UnescapeTest, WrongEscapesStayAsTheyStand) {
  ExpectText(R"(C:\windows\x)", R"(C:\windows\x)", true);
  ExpectText(R"(\u12)", R"(\u12)", true);
  ExpectText(R"(\u12g4)", R"(\u12g4)", true);
  ExpectText(R"(\u+123)", R"(\u+123)", true);
  ExpectText("\\", "\\", true);
  ExpectText("\\u", "\\u", true);
}

TEST(UnescapeTest, HalvesOfSurrogatePairs) {
  ExpectText(R"(\ud83d)", "\xEF\xBF\xBD", true);
  ExpectText(R"(\udd25x)", "\xEF\xBF\xBDx", true);
  ExpectText(R"(\ud83d\u0041)",
             "\xEF\xBF\xBD"
             "A",
             true);
  ExpectText(R"(\ud83d\ud83d\udd25)", "\xEF\xBF\xBD\xF0\x9F\x94\xA5", true);
}

TEST(UnescapeTest, BytesThatAreNotUtf8) {
  ExpectText("a\xFFz", "a\xEF\xBF\xBDz", true);
  ExpectText("\xC3", "\xEF\xBF\xBD", true);
  ExpectText("\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", true);                  // overlong
  ExpectText("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", true);  // a surrogate
  ExpectText("\xE6\xA0\xB8\x80\xC3\xA9", "\xE6\xA0\xB8\xEF\xBF\xBD\xC3\xA9", true);
}

TEST(UnescapeTest, ResultIsAlwaysUtf8) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string raw = {static_cast<char>(first), static_cast<char>(second), 'u', 'd', '8', '0', '0'};
      ASSERT_TRUE(IsUtf8(Unescape(raw).text)) << first << " " << second;
    }
  }
}

}  // namespace
}  // namespace warpsight::torch_json
