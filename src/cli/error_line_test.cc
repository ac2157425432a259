#include "cli/error_line.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

std::string SaidOf(std::string text) {
  ::testing::internal::CaptureStderr();
  SayError(std::move(text));
  return ::testing::internal::GetCapturedStderr();
}

TEST(ErrorLineTest, IsOneLineThatNoTerminalObeys) {
  EXPECT_EQ(SaidOf("plain"), "warpsight: plain\n");
  EXPECT_EQ(SaidOf("two\nlines\r\tand \x1b[31mred\x7f"), "warpsight: two lines  and  [31mred \n");
  EXPECT_EQ(SaidOf("Zürich/モデル"), "warpsight: Zürich/モデル\n");
  // A control character of two bytes, one that turns the direction of writing, and bytes that are no text.
  EXPECT_EQ(SaidOf("\xC2\x9B\x31m"), "warpsight: \\u009b1m\n");
  EXPECT_EQ(SaidOf("\xE2\x80\xAE"), "warpsight: \\u202e\n");
  EXPECT_EQ(SaidOf("a\x9B\xFF"), "warpsight: a\xEF\xBF\xBD\xEF\xBF\xBD\n");
}

}  // namespace
}  // namespace warpsight
