#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

TEST(StringPoolTest, EmptyTextIsIdZero) {
  StringPool pool;
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.Intern(""), StringId::kEmpty);
  EXPECT_EQ(pool.Find(""), StringId::kEmpty);
  EXPECT_EQ(pool.View(StringId::kEmpty), "");
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.text_bytes(), 0u);
}

TEST(StringPoolTest, IdsAreDenseInOrderOfFirstAppearance) {
  StringPool pool;
  EXPECT_EQ(pool.Intern("aten::mm"), StringId{1});
  EXPECT_EQ(pool.Intern("aten::add"), StringId{2});
  EXPECT_EQ(pool.Intern("aten::mm"), StringId{1});
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool.text_bytes(), 17u);
}

TEST(StringPoolTest, FindDoesNotAdd) {
  StringPool pool;
  pool.Intern("a");
  EXPECT_EQ(pool.Find("a"), StringId{1});
  EXPECT_EQ(pool.Find("b"), StringId::kEmpty);
  EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPoolTest, TextsAreCopiedAndMayHoldAnyByte) {
  StringPool pool;
  std::string text("a\0b", 3);
  const StringId id = pool.Intern(text);
  text[0] = 'x';
  EXPECT_EQ(pool.View(id), std::string_view("a\0b", 3));
  EXPECT_EQ(pool.Find("a"), StringId::kEmpty);
}

TEST(StringPoolTest, GrowthKeepsEveryIdAndView) {
  StringPool pool;
  constexpr uint32_t kTexts = 50'000;  // many times the first table and the first block
  std::vector<std::string_view> views;
  for (uint32_t i = 1; i <= kTexts; ++i) {
    ASSERT_EQ(pool.Intern("kernel_" + std::to_string(i)), StringId{i});
    views.push_back(pool.View(StringId{i}));
  }
  for (uint32_t i = 1; i <= kTexts; ++i) {
    const std::string text = "kernel_" + std::to_string(i);
    ASSERT_EQ(pool.Find(text), StringId{i});
    ASSERT_EQ(pool.View(StringId{i}).data(), views[i - 1].data());
    ASSERT_EQ(views[i - 1], text);
  }
  EXPECT_EQ(pool.Find("kernel_0"), StringId::kEmpty);
}

TEST(StringPoolTest, LongTextsBetweenShortOnes) {
  StringPool pool;
  std::vector<std::string> texts;
  for (const size_t size : {size_t{16383}, size_t{16384}, size_t{16385}, size_t{65536}, size_t{65537}, size_t{3} << 20}) {
    texts.emplace_back(size, 'l');
    texts.emplace_back("short " + std::to_string(size));
  }
  for (const std::string& text : texts) pool.Intern(text);
  for (uint32_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(pool.View(StringId{i + 1}), texts[i]);
    EXPECT_EQ(pool.Find(texts[i]), StringId{i + 1});
  }
}

TEST(StringPoolTest, ViewsSurviveAMove) {
  StringPool pool;
  const StringId id = pool.Intern("aten::linear");
  const std::string_view view = pool.View(id);
  StringPool moved(std::move(pool));
  EXPECT_EQ(moved.View(id).data(), view.data());
  EXPECT_EQ(moved.Find("aten::linear"), id);
}

}  // namespace
}  // namespace warpsight
