#include "formats/ncu_csv/printed_value.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpsight {
namespace {

CounterValue Printed(std::string_view cell, std::string_view unit = "") {
  return ReadPrintedValue(cell, ReadPrintedUnit(unit));
}

TEST(PrintedValueTest, NumbersAndTexts) {
  EXPECT_EQ(Printed("1,980,000"), CounterValue(uint64_t{1980000}));
  EXPECT_EQ(Printed("12.50"), CounterValue(12.5));
  EXPECT_EQ(Printed("-3"), CounterValue(-3.0));
  EXPECT_EQ(Printed(""), CounterValue());
  EXPECT_EQ(Printed("no data"), CounterValue());
  EXPECT_EQ(Printed("CachePreferNone"), CounterValue(std::string_view("CachePreferNone")));
  for (const std::string_view text : {"1,2", "1,23,456", ",5", "1.2.3", "0-15", "-", "e", "1,234.5,678"})
    EXPECT_EQ(Printed(text), CounterValue(text)) << text;
  EXPECT_TRUE(std::isnan(*NumberOf(Printed("-nan"))));
  EXPECT_EQ(Printed("99999999999999999999"), CounterValue(1e20)) << "more than 64 bits";
}

TEST(PrintedValueTest, UnitsOfAllVersions) {
  EXPECT_EQ(Printed("3.147584", "ms"), CounterValue(3147584.0));
  EXPECT_EQ(Printed("814048", "nsecond"), CounterValue(uint64_t{814048}));
  EXPECT_EQ(Printed("1.5", "Kbyte"), CounterValue(1500.0));
  EXPECT_EQ(Printed("14.619148", "Gbyte/s"), CounterValue(14619148000.0));
  EXPECT_EQ(Printed("2", "Mbyte/msecond"), CounterValue(2e9));
  EXPECT_EQ(Printed("1.98", "cycle/nsecond"), CounterValue(1.98e9));
  const auto base = [](std::string_view unit) { return ReadPrintedUnit(unit).base; };
  EXPECT_EQ(base("Ghz"), "hz");
  EXPECT_EQ(base("cycle/usecond"), "hz");
  EXPECT_EQ(base("byte/second"), "byte/s");
  EXPECT_EQ(base("Kbyte/block"), "byte/block");
  EXPECT_EQ(base("sector/ns"), "sector/s");
  EXPECT_EQ(base("%"), "%");
  EXPECT_EQ(base("inst/cycle"), "inst/cycle");
}

TEST(PrintedValueTest, ExtentsAndWholeNumbers) {
  EXPECT_EQ(ReadPrintedExtent("(128, 16, 2)"), (Extent{128, 16, 2}));
  EXPECT_EQ(ReadPrintedExtent("7"), (Extent{7, 0, 0}));
  EXPECT_EQ(ReadPrintedExtent(""), Extent{});
  EXPECT_EQ(ReadPrintedWhole("0x7f53c37a0000", 0), 0x7f53c37a0000u);
  EXPECT_EQ(ReadPrintedWhole("12", 0), 12u);
  EXPECT_EQ(ReadPrintedWhole("0x", 9), 9u);
  EXPECT_EQ(ReadPrintedWhole("12a", 9), 9u);
}

}  // namespace
}  // namespace warpsight
