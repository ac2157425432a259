#include "render/table_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "render/display_text.h"

namespace warpsight {
namespace {

Table SmallTable() {
  Table table;
  table.title = "Kernels";
  table.columns = {CountColumn("calls", "Calls"), DurationColumn("total_ns", "Total"), NameColumn("name", "Kernel")};
  table.rows = {
      {std::int64_t{2775}, std::int64_t{1'234'000'000}, std::string("gemm")},
      {std::int64_t{1}, std::monostate{}, std::string("at::native::a_rather_long_kernel_name_for_a_narrow_terminal")}};
  table.footnote = "Sum of durations.";
  return table;
}

TextStyle Ascii() { return {80, false, true}; }

TEST(TableLines, GridLinesUp) {
  EXPECT_EQ(TableLines(SmallTable(), Ascii(), 80),
            (std::vector<std::string>{
                "Kernels",
                "Calls    Total  Kernel",
                "-----  -------  " + std::string(59, '-'),
                "2,775  1.234 s  gemm",
                "    1        -  at::native::a_rather_long_kernel_name_for_a_narrow_terminal",
                "Sum of durations.",
            }));
}

TEST(TableLines, NarrowGridShortensOnlyTheName) {
  const std::vector<std::string> lines = TableLines(SmallTable(), Ascii(), 48);
  EXPECT_EQ(lines[3], "2,775  1.234 s  gemm");
  EXPECT_EQ(lines[4], "    1        -  a_rather_long_kernel..._terminal");
}

TEST(TableLines, StackWrapsInsteadOfShortening) {
  const std::vector<std::string> lines = TableLines(SmallTable(), Ascii(), 30);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "Kernels",
                       "Calls   2,775",
                       "Total   1.234 s",
                       "Kernel  gemm",
                       "",
                       "Calls   1",
                       "Total   -",
                       "Kernel  at::native::a_rather_l",
                       "        ong_kernel_name_for_a_",
                       "        narrow_terminal",
                       "Sum of durations.",
                   }));
}

TEST(TableLines, WrappedHeadersStandOnTheRule) {
  Table table;
  table.columns = {CountColumn("calls_per_step", "Calls per step"), TextColumn("part", "Part")};
  table.rows = {{std::int64_t{155}, std::string("q/k/v")}};
  EXPECT_EQ(TableLines(table, Ascii(), 12), (std::vector<std::string>{
                                                "Calls",
                                                "  per",
                                                " step  Part",
                                                "-----  -----",
                                                "  155  q/k/v",
                                            }));
}

TEST(TableLines, HiddenColumnsAreNamed) {
  Table table;
  table.columns = {DurationColumn("a_ns", "Total"), Hideable(DurationColumn("b_ns", "Mean"))};
  table.rows = {{std::int64_t{47'100'000}, std::int64_t{47'100'000}}};
  const std::vector<std::string> lines = TableLines(table, Ascii(), 10);
  EXPECT_EQ(lines[0], "   Total");
  EXPECT_EQ(lines[3], "Left out,");
  EXPECT_EQ(lines.back(), "Mean.");
}

TEST(TableLines, EmptyTableSaysSo) {
  Table table = SmallTable();
  table.rows.clear();
  EXPECT_EQ(TableLines(table, Ascii(), 80)[3], "(none)");
  EXPECT_EQ(TableLines(Table{}, Ascii(), 80), (std::vector<std::string>{"(none)"}));
}

TEST(TableLines, HostileNamesCannotSteerTheTerminal) {
  Table table = SmallTable();
  table.rows = {{std::int64_t{1}, std::int64_t{1}, std::string("\x1b[2Jx\nVerdict: fine\xE4\xBD\xA0")}};
  for (const int width : {20, 40, 80}) {
    for (const std::string& line : TableLines(table, {width, false, false}, width)) {
      EXPECT_EQ(line.find_first_of("\x1b\n"), std::string::npos);
    }
  }
}

TEST(TableLines, FitsAndHasNoTrailingSpaceAtEveryWidth) {
  for (int width = 20; width < 120; ++width) {
    for (const bool ascii : {false, true}) {
      for (const std::string& line : TableLines(SmallTable(), {width, false, ascii}, width)) {
        EXPECT_LE(DisplayWidth(line), width);
        EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
      }
    }
  }
}

}  // namespace
}  // namespace warpsight
