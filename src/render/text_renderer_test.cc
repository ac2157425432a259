#include "render/text_renderer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "render/display_text.h"

namespace warpsight {
namespace {

Document Report() {
  Document document;
  document.verb = "report";
  Table table;
  table.columns = {CountColumn("calls", "Calls"), NameColumn("name", "Kernel")};
  table.rows = {{std::int64_t{3}, std::string("gemm")}};
  FindingBlock finding{1,
                       Severity::kHigh,
                       "The GPU waits for the host",
                       "47.30 ms a step",
                       {"1,540 launches", "mean 1.4 us"},
                       "Use CUDA graphs."};
  document.blocks = {Paragraph{"overhead-bound: idle 95.6 %", ParagraphKind::kVerdict},
                     KeyValues{{{"File", "a.json"}, {"Device", "H200"}}},
                     Heading{"Findings"},
                     finding,
                     Heading{"Kernels"},
                     table,
                     Heading{"By part", 2},
                     Paragraph{"Nothing."},
                     Paragraph{"first", ParagraphKind::kNote},
                     Paragraph{"second", ParagraphKind::kWarning}};
  return document;
}

TEST(RenderText, WholeReport) {
  EXPECT_EQ(RenderText(Report(), {80, false, true}), R"(Verdict: overhead-bound: idle 95.6 %

File    a.json
Device  H200

Findings
  1. [high] The GPU waits for the host
     Gain      47.30 ms a step
     Evidence  1,540 launches
               mean 1.4 us
     Advice    Use CUDA graphs.

Kernels
  Calls  Kernel
  -----  ------
      3  gemm

  By part
  Nothing.

  Note: first
  Warning: second
)");
}

TEST(RenderText, TitlesWrapUnderTheirNumber) {
  Document document;
  document.blocks = {FindingBlock{12, Severity::kMedium, "one two three four five six", "", {}, ""}};
  EXPECT_EQ(RenderText(document, {24, false, true}), "12. [medium] one two\n    three four five six\n");
}

// A line feed in it would end the command for a shell.
TEST(RenderText, CommandsAreNeverWrapped) {
  const std::string command = "ncu --set full --kernel-name 'regex:a b' --launch-skip 1";
  Document document;
  document.blocks = {CommandBlock{command}, CommandBlock{"a\nb"}};
  const std::string text = RenderText(document, {20, false, true});
  EXPECT_NE(text.find(command + "\n"), std::string::npos);
  EXPECT_EQ(text.find("a\nb"), std::string::npos);
}

TEST(RenderText, EmptyDocumentIsEmpty) { EXPECT_EQ(RenderText(Document{}, {}), ""); }

TEST(RenderText, ColourOnlyAddsEscapes) {
  std::string coloured = RenderText(Report(), {60, true, true});
  EXPECT_NE(coloured.find("\x1b[1;31m[high]\x1b[0m"), std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  EXPECT_EQ(coloured, RenderText(Report(), {60, false, true}));
}

TEST(RenderText, TextOfStrangersIsNeutralisedInEveryBlock) {
  const std::string evil = "x\x1b[31m\nVerdict: fine";
  Document document;
  document.blocks = {Heading{evil}, Paragraph{evil, ParagraphKind::kNote}, KeyValues{{{evil, evil}}},
                     FindingBlock{1, Severity::kLow, evil, evil, {evil}, evil},
                     Table{evil, {TextColumn("k", evil)}, {{evil}}, evil}};
  const std::string text = RenderText(document, {200, false, false});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\nVerdict"), std::string::npos);
}

TEST(RenderText, FitsEveryWidthWithoutTrailingSpaces) {
  for (int width = 20; width < 100; ++width) {
    std::istringstream lines(RenderText(Report(), {width, false, false}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(DisplayWidth(line), width) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

}  // namespace
}  // namespace warpsight
