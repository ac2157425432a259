#include "render/html_renderer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/embedded_data.h"
#include "render/html_checker.h"
#include "render/html_table.h"
#include "render/text_renderer.h"

namespace warpsight {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool Holds(const std::string& page, const std::string& part) { return page.find(part) != std::string::npos; }

Table KernelTable(std::size_t rows, const std::string& name) {
  Table table;
  table.columns = {KernelNameColumn("name", "Name"),  TextColumn("family", "Family"),
                   CountColumn("calls", "Calls"),     DurationColumn("total_ns", "GPU time"),
                   ShareColumn("share", "GPU share"), Hideable(TextColumn("part", "Part"))};
  for (std::size_t i = 0; i < rows; ++i) {
    table.rows.push_back(
        {name + std::to_string(i), std::string("gemm"), static_cast<std::int64_t>(i), Cell(), 0.25, Cell()});
  }
  return table;
}

// One block of every kind, with `text` wherever a text can stand.
Document EveryBlock(const std::string& text) {
  BarChart bars{text, {{text, 5, 0.5, 0, text}, {text, 10, {}, 99, ""}, {text, -5, 0.0001, 1, ""}}, false, text};
  BarChart stack = bars;
  stack.stacked = true;
  TimelineStrip strip{text, {100, 1100}, {text}, {{text, text, {}}}, text};
  strip.lanes[0].spans = {{100, 600, 500, 1, 0, text}, {600, 700, 30, 12, 7, text}, {0, 50, 50, 1, 0, text}};
  Scatter scatter{text, text, text, {text}, {}, {{text, 4.8e12, 989e12}, {text, kInfinity, 1e12}, {text, 1, kInfinity}},
                  text};
  scatter.points = {{10, 1e12, 1, text, 0}, {0, 1, 0, text, 0}, {kInfinity, 1, 0, text, 4}, {1e3, 9e14, 0.1, text, 9}};
  ShareChart shares{text, {{text, 0.5, text, 0, text}, {text, 1.5, text, 99, ""}, {text, -1, text, 1, ""}}, false, text};
  FlowChart flows{text,
                  {{{text, {text, text, text, text}, 0.5, 0, {}, {}}},
                   {{text, {}, {}, 0, {text, text}, {text}}, {text, {text}, 1.5, 0, {}, {text}}}},
                  text};
  Document document;
  document.verb = "report";
  document.blocks = {Paragraph{text},
                     Paragraph{text, ParagraphKind::kVerdict},
                     RecordBlock{text, {{text, text}}},
                     Heading{text},
                     FindingBlock{1, Severity::kHigh, text, text, {text, text}, text},
                     Heading{text, 2},
                     KeyValues{{{text, text}}},
                     CommandBlock{text},
                     KernelTable(20, text),
                     Table{text, {NameColumn("n", text)}, {{text}, {Cell()}}, text},
                     Table{},
                     bars,
                     stack,
                     strip,
                     scatter,
                     shares,
                     flows,
                     Heading{text, 3},
                     Table{text, {NameColumn("n", text)}, {{text}}, text},
                     Heading{text, 3},
                     Paragraph{text},
                     Heading{text},
                     Heading{text, 3},
                     Paragraph{text, ParagraphKind::kNote},
                     Paragraph{text, ParagraphKind::kWarning}};
  return document;
}

TEST(RenderHtml, IsWellFormed) {
  const std::string page = RenderHtml(EveryBlock("plain"), {"trace.json"});
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_TRUE(Holds(page, "<title>trace.json - warpsight</title>"));
}

TEST(RenderHtml, NamesFromStrangersStayText) {
  using namespace std::string_literals;
  const std::string evil =
      "</script><script>alert(1)</script>\"' onload='x' &amp; <img src=x onerror=y> ]]> <!-- \0 \x1b \xFF"s;
  const std::string page = RenderHtml(EveryBlock(evil), {evil});
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_FALSE(Holds(page, "<script>alert"));
  EXPECT_FALSE(Holds(page, "<img"));
  EXPECT_FALSE(Holds(page, "<!--"));
}

// The policy names the script by hash: it must be the very text that the page holds.
TEST(RenderHtml, OnlyItsOwnScriptMayRunAndNothingLoads) {
  const std::string page = RenderHtml(EveryBlock("x"), {"x"});
  EXPECT_TRUE(Holds(page, "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"));
  const std::string script(EmbeddedFile("src/render/html/page.js"));
  EXPECT_TRUE(Holds(page, "<script>" + script + "</script>"));
  EXPECT_FALSE(Holds(script, "</script"));
}

TEST(RenderHtml, CanBeUsedWithKeysAndHeard) {
  const std::string page = RenderHtml(EveryBlock("x"), {"x"});
  for (const char* part : {"<html lang=\"en\">", "class=\"skip\" href=\"#main\"", "<main id=\"main\"", "<nav aria-label=",
                           "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\">Name</button></th>",
                           "<th scope=\"row\" class=\"name\">", "aria-label=\"Filter x\"", "role=\"status\"",
                           "<svg role=\"img\"", "<desc id=", "role=\"region\"", "tabindex=\"0\""}) {
    EXPECT_TRUE(Holds(page, part)) << part;
  }
}

TEST(RenderHtml, TablesKeepExactValuesAndWholeNames) {
  Document document;
  Table table = KernelTable(1, "");
  table.rows[0] = {std::string("void at::native::f<int>(int)"),
                   std::string("copy"),
                   std::int64_t{1234},
                   std::int64_t{1'234'567},
                   0.5,
                   Cell()};
  document.blocks = {table};
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_TRUE(Holds(page, "<span class=\"full\">void at::native::f&lt;int&gt;(int)</span>"));
  EXPECT_TRUE(Holds(page, "<td class=\"n\" data-v=\"1234567\">1.235<span class=\"u\"> ms</span></td>"));
  EXPECT_TRUE(Holds(page, "<td class=\"n s\" data-v=\"0.5\" style=\"--s:50%\">50.0 %</td>"));
  EXPECT_FALSE(Holds(page, ">Part<")) << "a hideable column without a value takes room for nothing";
}

TEST(RenderHtml, TheTextFormHasTheFirstRowsAndNoPictures) {
  Document document = EveryBlock("picture");
  Table table = KernelTable(20, "k");
  table.footnote = "for the page";
  table.text_cut = TextCut{2, "for the terminal"};
  document.blocks = {RecordBlock{"picture", {}}, table, document.blocks[10], document.blocks[12], document.blocks[13]};
  const std::string text = RenderText(document, {});
  EXPECT_TRUE(Holds(text, "k1"));
  EXPECT_FALSE(Holds(text, "k2"));
  EXPECT_TRUE(Holds(text, "for the terminal"));
  EXPECT_FALSE(Holds(text, "for the page"));
  EXPECT_FALSE(Holds(text, "picture"));
  EXPECT_TRUE(Holds(RenderHtml(document, {"x"}), "k19"));
}

TEST(RenderHtml, StaysSmallWhateverTheNames) {
  Document document;
  for (int i = 0; i < 12; ++i) document.blocks.emplace_back(KernelTable(1000, std::string(60'000, '"')));
  document.blocks.emplace_back(Paragraph{std::string(1'000'000, '<')});
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_LT(page.size(), 3'000'000u);
  EXPECT_TRUE(Holds(page, "more rows are left out to keep the page small"));
  EXPECT_TRUE(Holds(page, "parts of the report are left out"));
  EXPECT_EQ(HtmlProblem(page), "");
}

TEST(RenderHtml, IsTheSameEveryTime) { EXPECT_EQ(RenderHtml(EveryBlock("x"), {"x"}), RenderHtml(EveryBlock("x"), {"x"})); }

// What ran is never drawn as nothing, and what did not run is never drawn.
TEST(RenderHtml, AMergedPieceIsAsHighAsItWasBusy) {
  TimelineStrip strip{"t", {0, 1000}, {"c"}, {{"lane", "", {}}}, ""};
  strip.lanes[0].spans = {{0, 100, 50, 9, 0, "half"}, {100, 200, 1, 1, 0, "hardly"}, {500, 750, 250, 1, 0, "whole"}};
  Document document;
  document.blocks = {strip};
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_TRUE(Holds(page, "x=\"0%\" y=\"34.0\" width=\"10%\" height=\"14.0\"><title>9 events, busy 50 ns of 100 ns"))
      << page;
  EXPECT_TRUE(Holds(page, "x=\"10%\" y=\"47.0\" width=\"10%\" height=\"1.0\"><title>1 event, busy 1 ns of 100 ns"));
  EXPECT_TRUE(Holds(page, "x=\"50%\" y=\"20.0\" width=\"25%\" height=\"28.0\"><title>whole, 250 ns at 500 ns"));
}

TEST(RenderHtml, ARoofEndsAtItsRidge) {
  Scatter scatter{"r", "FLOP/B", "FLOP/s", {"s"}, {{1, 1e12, 1, "p", 0}}, {{"peak", 1e12, 1e14}}, ""};
  Document document;
  document.blocks = {scatter};
  const std::string page = RenderHtml(document, {"x"});
  // x: 0.1 to 1000; y: 1e11 to 1e15. The ridge is at 100 FLOP/B: 3 of 4 decades, and 3 of 4 up.
  EXPECT_TRUE(Holds(page, "<line class=\"roof\" x1=\"0%\" y1=\"360.0\" x2=\"75%\" y2=\"90.0\"/>")) << page;
  EXPECT_TRUE(Holds(page, "<line class=\"roof\" x1=\"75%\" y1=\"90.0\" x2=\"100%\" y2=\"90.0\"/>"));
  EXPECT_TRUE(Holds(page, "cx=\"25%\" cy=\"270.0\""));
}

TEST(RenderHtml, BarsOfSharesAreAsLongAsTheirShare) {
  Document document;
  document.blocks = {ShareChart{"t", {{"a", 0.25, "25 %", 0, ""}, {"b", 0.125, "12.5 %", 0, ""}}, false, ""},
                     ShareChart{"u", {{"a", 0.25, "25 %", 0, ""}, {"b", 0.125, "12.5 %", 0, ""}}, true, ""}};
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_TRUE(Holds(page, "style=\"width:25%\""));
  EXPECT_TRUE(Holds(page, "style=\"width:12.5%\""));
  EXPECT_TRUE(Holds(page, "style=\"width:100%\""));  // of the largest
  EXPECT_TRUE(Holds(page, "style=\"width:50%\""));
}

// An arrow stands between the two units that it connects, below the first and above the second.
TEST(RenderHtml, FlowsStandBetweenTheirUnits) {
  Document document;
  document.blocks = {FlowChart{"t",
                               {{{"top", {}, {}, 0, {}, {}}},
                                {{"left", {}, {}, 0, {"1 MB"}, {"2 MB"}}, {"right", {}, {}, 0, {"3 MB"}, {}}},
                                {{"below left", {}, {}, 0, {"4 MB"}, {}}}},
                               ""}};
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_TRUE(Holds(page, "<svg x=\"0%\" y=\"80\" width=\"24.5%\""));     // down to left
  EXPECT_TRUE(Holds(page, "<svg x=\"24.5%\" y=\"80\" width=\"24.5%\""));  // up from left
  EXPECT_TRUE(Holds(page, "<svg x=\"51%\" y=\"80\" width=\"24.5%\""));    // down to right
  EXPECT_TRUE(Holds(page, "<svg x=\"0%\" y=\"218\" width=\"24.5%\""));    // only below left
  EXPECT_TRUE(Holds(page, "<th scope=\"row\">right</th><td></td><td>3 MB</td><td></td>"));
}

TEST(RenderHtml, ManySectionsAreAListThatOpens) {
  Document document;
  for (int i = 0; i < 30; ++i) document.blocks.push_back(Heading{"section " + std::to_string(i)});
  const std::string page = RenderHtml(document, {"x"});
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_TRUE(Holds(page, "<summary>30 sections: choose one</summary>"));
  EXPECT_TRUE(Holds(page, "<a href=\"#s30\">section 29</a>"));
}

TEST(RenderHtml, MinorColumnsAreNamedWhereTheyAreLeftOut) {
  Document document;
  document.blocks = {Table{"t",
                           {NameColumn("n", "Name"), Minor(CountColumn("c", "Calls")), Hideable(CountColumn("d", "Device"))},
                           {{std::string("gemm"), std::int64_t{3}, std::int64_t{0}}},
                           ""}};
  const std::string page = RenderHtml(document, {"t", "report"});
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_NE(page.find("<td class=\"n wide\" data-v=\"3\">3</td>"), std::string::npos);
  EXPECT_NE(page.find("<p class=\"remark slim\">Left out on a narrow screen: Calls.</p>"), std::string::npos);
  EXPECT_NE(page.find("<p class=\"remark narrow\">Left out on a narrow screen and on paper: Device.</p>"),
            std::string::npos);
}

}  // namespace
}  // namespace warpsight
