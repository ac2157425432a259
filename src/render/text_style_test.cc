#include "render/text_style.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(Painted, OnlyWithColour) {
  TextStyle style;
  EXPECT_EQ(Painted("x", Ink::kBold, style), "x");
  style.colour = true;
  EXPECT_EQ(Painted("x", Ink::kBold, style), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(Painted("x", Ink::kPlain, style), "x");
  EXPECT_EQ(Painted("", Ink::kRed, style), "");
}

}  // namespace
}  // namespace warpsight
