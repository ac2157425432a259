#include "export/csv/csv_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/byte_sink.h"

namespace warpsight::csv {
namespace {

template <typename Fill>
std::string WrittenCsv(const Fill& fill) {
  MemorySink sink;
  OutputBuffer out(sink);
  CsvWriter writer(out);
  fill(writer);
  EXPECT_TRUE(out.Finish().ok());
  return sink.bytes();
}

TEST(CsvWriterTest, FieldsAndRows) {
  const std::string text = WrittenCsv([](CsvWriter& csv) {
    csv.Header("a,b,c");
    csv.Integer(-5);
    csv.Absent();
    csv.Text("x");
    csv.EndRow();
    csv.IntegerUnless(0, 0);
    csv.Unsigned(~uint64_t{0});
    csv.Double(0.1);
    csv.EndRow();
  });
  EXPECT_EQ(text, "a,b,c\n-5,,x\n,18446744073709551615,0.1\n");
}

TEST(CsvWriterTest, TextsAreQuotedWhereTheyMustBe) {
  const auto field = [](std::string_view text) { return WrittenCsv([&](CsvWriter& csv) { csv.Text(text); }); };
  EXPECT_EQ(field("plain 'text'"), "plain 'text'");
  EXPECT_EQ(field(""), "");
  EXPECT_EQ(field("a,b"), "\"a,b\"");
  EXPECT_EQ(field("say \"x\", \"\""), "\"say \"\"x\"\", \"\"\"\"\"");
  EXPECT_EQ(field("two\nlines\r"), "\"two\nlines\r\"");
  EXPECT_EQ(field(" outer "), "\" outer \"");
  EXPECT_EQ(field("a\xFF,"), "\"a\xEF\xBF\xBD,\"");
  EXPECT_EQ(field(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  const std::string second = WrittenCsv([](CsvWriter& csv) {
    csv.Text("1");
    csv.Text("\xFF");
    csv.Text("3");
  });
  EXPECT_EQ(second, "1,\xEF\xBF\xBD,3");
}

}  // namespace
}  // namespace warpsight::csv
