#include "export/chrome/json_texts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace warpsight::chrome {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

std::string Held(std::string_view text, bool expect_changed) {
  std::string out;
  bool changed = false;
  AppendHeldJson(out, text, changed);
  EXPECT_EQ(changed, expect_changed) << text;
  EXPECT_TRUE(nlohmann::json::accept(out)) << out;
  return out;
}

TEST(JsonTextsTest, NamesAreQuotedWhateverTheyHold) {
  EXPECT_EQ(Quoted("plain"), "\"plain\"");
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("\b\f\n\r\t\x01\x1f\x7f"), "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
  EXPECT_EQ(Quoted(std::string_view("\0x", 2)), R"("\u0000x")");
  EXPECT_EQ(Quoted("\xFF"), "\"\xEF\xBF\xBD\"");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    const nlohmann::json parsed = nlohmann::json::parse(Quoted(text), nullptr, false);
    ASSERT_TRUE(parsed.is_string()) << byte;
    if (byte < 0x80) {
      EXPECT_EQ(parsed.get<std::string>(), text);
    }
  }
}

// What a reader of raw JSON finds: lists as they are, the rest between the quotes.
TEST(JsonTextsTest, HeldJsonStaysWhatItIs) {
  EXPECT_EQ(Held("[[1, 2], []]", false), "[[1, 2], []]");
  EXPECT_EQ(Held("{\"a\": 1}", false), "{\"a\": 1}");
  EXPECT_EQ(Held("17", false), "\"17\"");
  EXPECT_EQ(Held("", false), "\"\"");
  EXPECT_EQ(Held("half", false), "\"half\"");
  EXPECT_EQ(Held("a\\\"b\\u0041", false), "\"a\\\"b\\u0041\"");
  EXPECT_EQ(Held("[1, 2", false), "\"[1, 2\"");
}

TEST(JsonTextsTest, WhatWouldBeNoJsonIsChangedAndSaid) {
  EXPECT_EQ(Held("a\"b", true), "\"a\\\"b\"");
  EXPECT_EQ(Held("C:\\dir", true), "\"C:\\\\dir\"");
  EXPECT_EQ(Held("\x01", true), "\"\\u0001\"");
  Held("\xFF", true);
  Held("[\"\xFF\"]", true);
  Held("\\ud800", true);
}

TEST(JsonTextsTest, BareJsonIsOneValueAndNoString) {
  for (const char* bare : {"1", "-0.5e3", "true", "null", "[]", "{\"a\": [1]}"}) EXPECT_TRUE(IsBareJson(bare)) << bare;
  for (const char* other : {"", "\"text\"", " 1", "1 ", "1 2", "NaN", "01", "[1", "text"})
    EXPECT_FALSE(IsBareJson(other)) << other;
}

}  // namespace
}  // namespace warpsight::chrome
