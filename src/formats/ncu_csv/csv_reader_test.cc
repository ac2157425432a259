#include "formats/ncu_csv/csv_reader.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace warpsight {
namespace {

using CsvRecords = std::vector<std::vector<std::string>>;

CsvRecords AllRecords(std::string_view text, CsvReader::Damage* damage = nullptr) {
  std::deque<std::string> texts;
  CsvReader reader(text, texts);
  CsvRecords records;
  while (reader.Next()) records.emplace_back(reader.cells().begin(), reader.cells().end());
  if (damage != nullptr) *damage = reader.damage();
  return records;
}

TEST(CsvReaderTest, QuotedAndPlainCells) {
  EXPECT_EQ(AllRecords("\"a\",\"1,024\",\"\"\r\nb,,2\n"), (CsvRecords{{"a", "1,024", ""}, {"b", "", "2"}}));
  EXPECT_EQ(AllRecords("\xEF\xBB\xBF\"a\",\"b\""), (CsvRecords{{"a", "b"}}));
  EXPECT_EQ(AllRecords("\"say \"\"x\"\"\",\"two\nlines\"\n"), (CsvRecords{{"say \"x\"", "two\nlines"}}));
  EXPECT_EQ(AllRecords("\n\n"), CsvRecords());
  EXPECT_EQ(AllRecords("a,"), (CsvRecords{{"a", ""}}));
}

TEST(CsvReaderTest, LooseQuotesStay) {
  CsvReader::Damage damage;
  EXPECT_EQ(AllRecords("\"1\",\"printf(\"%s\",x)\"\n", &damage), (CsvRecords{{"1", "printf(\"%s", "x)\""}}))
      << "what can't be told apart from the end of a cell ends it";
  EXPECT_EQ(AllRecords("\"f<\"A\">()\",\"2\"\n", &damage), (CsvRecords{{"f<\"A\">()", "2"}}));
  EXPECT_EQ(damage.loose_quotes, 2);
}

TEST(CsvReaderTest, OpenQuoteEndsWithItsLine) {
  CsvReader::Damage damage;
  EXPECT_EQ(AllRecords("\"0\",\"abc\n\"1\",\"def\"\n", &damage), (CsvRecords{{"0", "abc"}, {"1", "def"}}));
  EXPECT_EQ(damage.open_quotes, 1);
}

TEST(CsvReaderTest, CutCellIsLeftOut) {
  std::deque<std::string> texts;
  CsvReader reader("\"0\",\"12345", texts);
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.is_cut());
  EXPECT_EQ(reader.cells().size(), 1u);
  EXPECT_FALSE(reader.Next());
}

TEST(CsvReaderTest, HugeCellsAreEmptied) {
  CsvReader::Damage damage;
  const std::string huge(CsvReader::kMostCellBytes + 10, 'x');
  EXPECT_EQ(AllRecords("\"0\",\"" + huge + "\"\n\"1\"\n", &damage), (CsvRecords{{"0", ""}, {"1"}}));
  EXPECT_EQ(damage.long_cells, 1);
}

}  // namespace
}  // namespace warpsight
