#include "calls/call_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace warpsight::calls {
namespace {

TEST(CallTextTest, NameThenSizes) {
  CallText text("cublasSgemm_v2");
  EXPECT_EQ(text.sizes(), "");
  text.Number("m", 4096).Number("n", 1).Word("tn").Word("").Number("batch", -3);
  EXPECT_EQ(text.sizes(), "m=4096 n=1 tn batch=-3");
  EXPECT_EQ(std::string(text.text(), text.name_bytes()), "cublasSgemm_v2");
  EXPECT_EQ(std::string(text.text(), text.text_bytes()), "cublasSgemm_v2m=4096 n=1 tn batch=-3");
}

TEST(CallTextTest, AnyNumber) {
  for (const int64_t number :
       {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    CallText text("f");
    text.Number("n", number);
    EXPECT_EQ(text.sizes(), "n=" + std::to_string(number));
  }
}

TEST(CallTextTest, WhatDoesNotFitIsLeftOutWhole) {
  CallText text("name");
  std::string expected;
  for (int i = 0; i < 100; ++i) text.Word("word");
  EXPECT_LE(text.text_bytes(), CallText::kMostBytes);
  EXPECT_EQ(text.sizes().substr(text.sizes().size() - 5), " word");
  const CallText longest(std::string(1000, 'x').c_str());
  EXPECT_EQ(longest.name_bytes(), CallText::kMostBytes);
  EXPECT_EQ(longest.sizes(), "");
}

}  // namespace
}  // namespace warpsight::calls
