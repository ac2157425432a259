#include "render/table_layout.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace warpsight {
namespace {

// Calls 5, Total time 10 or "time" 8 wide, Mean 8, Max 8, name 60.
Table KernelTable() {
  Table table;
  table.columns = {CountColumn("calls", "Calls"), DurationColumn("total_ns", "Total time"),
                   Hideable(DurationColumn("mean_ns", "Mean")), Hideable(DurationColumn("max_ns", "Max")),
                   NameColumn("name", "Kernel")};
  table.rows = {
      {std::int64_t{10}, std::int64_t{47'100'000}, std::int64_t{4'710'000}, std::int64_t{9'900'000}, std::string(60, 'k')}};
  return table;
}

TableLayout LayOut(const Table& table, int width) { return LayOutTable(table, FormatCells(table, false), width); }

int TotalWidth(const TableLayout& layout) {
  return std::accumulate(layout.widths.begin(), layout.widths.end(), 0) +
         kGutter * (static_cast<int>(layout.widths.size()) - 1);
}

TEST(LayOutTable, EverythingFits) {
  const TableLayout layout = LayOut(KernelTable(), 200);
  EXPECT_EQ(layout.widths, (std::vector<int>{5, 10, 8, 8, 60}));
  EXPECT_FALSE(layout.headers_wrapped || layout.stacked);
}

TEST(LayOutTable, NamesGiveWayFirst) {
  const TableLayout layout = LayOut(KernelTable(), 80);
  EXPECT_EQ(layout.widths, (std::vector<int>{5, 10, 8, 8, 41}));
  EXPECT_TRUE(layout.hidden.empty());
}

TEST(LayOutTable, ThenHeadersWrap) {
  const TableLayout layout = LayOut(KernelTable(), 78);
  EXPECT_TRUE(layout.headers_wrapped);
  EXPECT_EQ(layout.widths, (std::vector<int>{5, 8, 8, 8, 41}));
}

TEST(LayOutTable, ThenColumnsAreLeftOutFromTheRight) {
  const TableLayout layout = LayOut(KernelTable(), 66);
  EXPECT_EQ(layout.hidden, (std::vector<std::size_t>{3}));
  EXPECT_EQ(layout.shown, (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(TotalWidth(layout), 66);
}

TEST(LayOutTable, TheHighestRankIsLeftOutFirst) {
  Table table = KernelTable();
  table.columns[2].hide_rank = 1;
  EXPECT_EQ(LayOut(table, 66).hidden, (std::vector<std::size_t>{2}));
  EXPECT_EQ(LayOut(table, 35).hidden, (std::vector<std::size_t>{2, 3}));
}

TEST(LayOutTable, ThenNamesGetShort) {
  const TableLayout layout = LayOut(KernelTable(), 35);
  EXPECT_EQ(layout.hidden, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(layout.widths, (std::vector<int>{5, 8, 18}));
}

TEST(LayOutTable, AtLastItIsStackedWithAllColumns) {
  const TableLayout layout = LayOut(KernelTable(), 30);
  EXPECT_TRUE(layout.stacked);
  EXPECT_EQ(layout.shown.size(), 5U);
  EXPECT_TRUE(layout.hidden.empty());
}

TEST(LayOutTable, NumbersNeverShrinkAtAnyWidth) {
  const Table table = KernelTable();
  for (int width = 1; width < 120; ++width) {
    const TableLayout layout = LayOut(table, width);
    if (layout.stacked) continue;
    EXPECT_LE(TotalWidth(layout), width);
    for (std::size_t i = 0; i + 1 < layout.widths.size(); ++i) EXPECT_GE(layout.widths[i], layout.shown[i] == 0 ? 5 : 8);
  }
}

TEST(LayOutTable, OwnLimitOfAColumnHolds) {
  Table table = KernelTable();
  table.columns.back().min_width = 50;
  EXPECT_EQ(LayOut(table, 80).widths, (std::vector<int>{5, 8, 8, 53}));
  EXPECT_TRUE(LayOut(table, 66).stacked);
}

TEST(LayOutTable, SeveralNamesShareTheLoss) {
  Table table;
  table.columns = {NameColumn("before", "Before"), NameColumn("after", "After")};
  table.rows = {{std::string(100, 'a'), std::string(45, 'b')}};
  EXPECT_EQ(LayOut(table, 110).widths, (std::vector<int>{63, 45}));
  EXPECT_EQ(LayOut(table, 90).widths, (std::vector<int>{44, 44}));
}

TEST(LayOutTable, HugeNamesAreQuick) {
  Table table;
  table.columns = {NameColumn("name", "Name")};
  std::string name;
  name.resize(1'000'000, 'a');
  table.rows = {{name}};
  EXPECT_EQ(LayOut(table, 80).widths, (std::vector<int>{80}));
}

}  // namespace
}  // namespace warpsight
