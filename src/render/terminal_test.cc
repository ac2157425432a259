#include "render/terminal.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TerminalFacts Terminal() {
  TerminalFacts facts;
  facts.term = "xterm-256color";
  facts.locale = "en_US.UTF-8";
  facts.is_terminal = true;
  facts.terminal_width = 132;
  return facts;
}

TEST(ChooseStyle, TerminalDecides) {
  const TextStyle style = ChooseStyle(Terminal());
  EXPECT_EQ(style.width, 132);
  EXPECT_TRUE(style.colour);
  EXPECT_FALSE(style.ascii);
}

TEST(ChooseStyle, NoTerminal) {
  TerminalFacts facts = Terminal();
  facts.is_terminal = false;
  EXPECT_EQ(ChooseStyle(facts).width, 80);
  EXPECT_FALSE(ChooseStyle(facts).colour);
  facts.columns = "100";
  EXPECT_EQ(ChooseStyle(facts).width, 100);
}

TEST(ChooseStyle, ColumnsWinsWhenItIsANumber) {
  TerminalFacts facts = Terminal();
  facts.columns = "60";
  EXPECT_EQ(ChooseStyle(facts).width, 60);
  for (const char* bad : {"", "0", "-5", "abc", "80x", " 80", "-99999999999999999999"}) {
    facts.columns = bad;
    EXPECT_EQ(ChooseStyle(facts).width, 132) << bad;
  }
  facts.columns = "99999999999999999999";
  EXPECT_EQ(ChooseStyle(facts).width, 10'000);
}

TEST(ChooseStyle, ColourCanBeRefused) {
  TerminalFacts facts = Terminal();
  facts.no_color = "1";
  EXPECT_FALSE(ChooseStyle(facts).colour);
  facts.no_color = "";
  EXPECT_TRUE(ChooseStyle(facts).colour);
  facts.term = "dumb";
  EXPECT_FALSE(ChooseStyle(facts).colour);
  facts.term.reset();
  EXPECT_FALSE(ChooseStyle(facts).colour);
}

TEST(ChooseStyle, AsciiUnlessTheLocaleSaysUtf8) {
  TerminalFacts facts = Terminal();
  facts.locale = "C.utf8";
  EXPECT_FALSE(ChooseStyle(facts).ascii);
  facts.locale = "C";
  EXPECT_TRUE(ChooseStyle(facts).ascii);
  facts.locale.reset();
  EXPECT_TRUE(ChooseStyle(facts).ascii);
}

TEST(ReadTerminal, ClosedDescriptorIsNoTerminal) { EXPECT_FALSE(ReadTerminal(-1).is_terminal); }

}  // namespace
}  // namespace warpsight
