#include "render/cell_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpsight {
namespace {

std::string Text(const Cell& cell, const Column& column) { return FormatCell(cell, column, false); }

TEST(FormatCell, ByColumnKind) {
  EXPECT_EQ(Text(std::int64_t{47'101'234}, DurationColumn("k", "h")), "47.10 ms");
  EXPECT_EQ(Text(std::int64_t{2775}, CountColumn("k", "h")), "2,775");
  EXPECT_EQ(Text(std::int64_t{1536}, BytesColumn("k", "h")), "1.536 kB");
  EXPECT_EQ(Text(0.044, ShareColumn("k", "h")), "4.4 %");
  EXPECT_EQ(Text(1.53, NumberColumn("k", "h")), "1.53");
  EXPECT_EQ(Text(1.53, NumberColumn("k", "h", 1)), "1.5");
  EXPECT_EQ(Text(std::int64_t{1000}, TextColumn("k", "h")), "1000");
  EXPECT_EQ(Text(std::string("a\nb"), TextColumn("k", "h")), "a\\nb");
}

TEST(FormatCell, KernelNamesAreShort) {
  EXPECT_EQ(Text(std::string("void ns::k<int>(float*)"), KernelNameColumn("k", "h")), "ns::k<int>");
  EXPECT_EQ(Text(std::string("void ns::k<int>(float*)"), NameColumn("k", "h")), "void ns::k<int>(float*)");
}

TEST(FormatCell, AbsentAndOddNumbers) {
  EXPECT_EQ(Text(std::monostate{}, CountColumn("k", "h")), "-");
  EXPECT_EQ(Text(std::nan(""), DurationColumn("k", "h")), "-");
  EXPECT_EQ(Text(1499.6, DurationColumn("k", "h")), "1.500 us");
  EXPECT_EQ(Text(1e300, DurationColumn("k", "h")), "106752 d");
  EXPECT_EQ(Text(std::numeric_limits<double>::infinity(), BytesColumn("k", "h")), "-");
  EXPECT_EQ(Text(2.5, CountColumn("k", "h")), "2.5");
}

TEST(FormatCells, UnitsOfAColumnStandBelowEachOther) {
  Table table;
  table.columns = {DurationColumn("d_ns", "D")};
  table.rows = {{std::int64_t{1'234'000'000}}, {std::int64_t{47'100'000}}, {std::monostate{}}};
  const CellTexts texts = FormatCells(table, false);
  EXPECT_EQ(texts.rows[0][0], "1.234 s ");
  EXPECT_EQ(texts.rows[1][0], "47.10 ms");
  EXPECT_EQ(texts.rows[2][0], "-");
}

TEST(FormatCellsDeathTest, RaggedRowIsOurBug) {
  Table table;
  table.columns = {CountColumn("a", "A"), CountColumn("b", "B")};
  table.rows = {{std::int64_t{1}}};
  EXPECT_EXIT(FormatCells(table, false), ::testing::ExitedWithCode(5), "internal error");
}

}  // namespace
}  // namespace warpsight
