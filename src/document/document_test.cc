#include "document/document.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(OnlyTable, FindsTheOneTableAmongOtherBlocks) {
  Document document;
  document.verb = "ops";
  document.blocks = {Heading{"Ops"}, Table{"t", {CountColumn("calls", "Calls")}, {{std::int64_t{3}}}, ""}, Paragraph{"end"}};
  const Result<const Table*> table = OnlyTable(document);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ((*table)->title, "t");
}

TEST(OnlyTable, NoneOrSeveralIsAUsageError) {
  Document document;
  document.verb = "report";
  EXPECT_EQ(OnlyTable(document).status().kind(), StatusKind::kUsage);
  document.blocks = {Table{}, Table{}};
  EXPECT_EQ(OnlyTable(document).status().kind(), StatusKind::kUsage);
  EXPECT_NE(OnlyTable(document).status().message().find("report: CSV needs"), std::string::npos);
}

TEST(Severity, HasTheWordsOfTheContract) {
  EXPECT_EQ(SeverityName(Severity::kHigh), "high");
  EXPECT_EQ(SeverityName(Severity::kInfo), "info");
}

TEST(Columns, NumbersStandRightAndOnlyNamesShrink) {
  EXPECT_EQ(DurationColumn("self_cpu_ns", "Self CPU").align, Align::kRight);
  EXPECT_TRUE(NameColumn("name", "Kernel").can_shrink);
  EXPECT_FALSE(CountColumn("calls", "Calls").can_shrink);
  EXPECT_TRUE(Hideable(CountColumn("calls", "Calls")).can_hide);
  EXPECT_EQ(NumberColumn("intensity", "FLOP/B", 2).decimals, 2);
}

}  // namespace
}  // namespace warpsight
