#include "trace/import_log.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

constexpr ImportSeverity kInfo = ImportSeverity::kInfo;
constexpr ImportSeverity kWarning = ImportSeverity::kWarning;
constexpr ImportSeverity kError = ImportSeverity::kError;

TEST(ImportLogTest, ReadIsKeptAndRepairedAndExcluded) {
  ImportLog log;
  log.CountRead(10);
  log.Add("negative_duration", kWarning, Effect::kRepaired, "x", 100);
  log.Add("negative_duration", kWarning, Effect::kRepaired, "x", 200);
  log.Add("broken_event", kError, Effect::kExcluded, "y", 300);
  log.Add("cut_off_file", kError, Effect::kNote, "z", -1);
  EXPECT_EQ(log.read(), 10);
  EXPECT_EQ(log.kept(), 7);
  EXPECT_EQ(log.repaired(), 2);
  EXPECT_EQ(log.excluded(), 1);
  EXPECT_EQ(log.count("negative_duration"), 2);
  EXPECT_EQ(log.count("unheard_of"), 0);
}

// The second fault of one event is a note, though the same fault makes another event count as repaired.
TEST(ImportLogTest, OneCauseWithTwoEffects) {
  ImportLog log;
  log.CountRead(2);
  log.Add("duplicate_key", kWarning, Effect::kRepaired, "x", 10);
  log.Add("missing_duration", kWarning, Effect::kRepaired, "y", 20);
  log.Add("duplicate_key", kWarning, Effect::kNote, "x", 20);
  EXPECT_EQ(log.repaired(), 2);
  EXPECT_EQ(log.kept(), 0);
  EXPECT_EQ(log.count("duplicate_key"), 2);

  ImportLog other_order;
  other_order.Add("duplicate_key", kWarning, Effect::kNote, "x", 20);
  other_order.Add("duplicate_key", kWarning, Effect::kRepaired, "x", 10);
  EXPECT_EQ(other_order.repaired(), 1);
}

TEST(ImportLogTest, FirstCaseIsTheOneThatIsFirstInTheFile) {
  ImportLog log;
  log.Add("a", kInfo, Effect::kNote, "without place", -1);
  log.Add("a", kInfo, Effect::kNote, "at 500", 500);
  log.Add("a", kInfo, Effect::kNote, "at 20", 20);
  log.Add("a", kInfo, Effect::kNote, "at 90", 90);
  ASSERT_EQ(log.causes().size(), 1u);
  EXPECT_EQ(log.causes()[0].first_place, 20);
  EXPECT_EQ(log.causes()[0].example, "at 20");
  EXPECT_EQ(log.causes()[0].count, 4);
}

TEST(ImportLogTest, NoCaseIsNoCause) {
  ImportLog log;
  log.Add("a", kError, Effect::kNote, "x", -1, 0);
  EXPECT_TRUE(log.causes().empty());
}

TEST(ImportLogTest, WorstCausesFirst) {
  ImportLog log;
  log.Add("m", kInfo, Effect::kNote, "x", -1);
  log.Add("z", kError, Effect::kNote, "x", -1);
  log.Add("b", kWarning, Effect::kNote, "x", -1);
  log.Add("a", kError, Effect::kNote, "x", -1);
  std::string order;
  for (const ImportCause& cause : log.causes()) order += cause.cause;
  EXPECT_EQ(order, "azbm");
}

TEST(ImportLogTest, MergeAddsUp) {
  ImportLog first;
  first.CountRead(5);
  first.Add("a", kWarning, Effect::kRepaired, "late", 80, 2);
  ImportLog second;
  second.CountRead(3);
  second.Add("a", kWarning, Effect::kRepaired, "early", 40);
  second.Add("b", kError, Effect::kExcluded, "y", 60);
  first.Merge(second);
  EXPECT_EQ(first.read(), 8);
  EXPECT_EQ(first.repaired(), 3);
  EXPECT_EQ(first.excluded(), 1);
  EXPECT_EQ(first.causes()[1].example, "early");
}

TEST(ImportLogTest, SentencesAreOneLineWhateverTheyQuote) {
  ImportLog log;
  log.Add("odd_name", ImportSeverity::kError, Effect::kNote, "name 'a\nb\x1b[2J\x7f'", -1);
  EXPECT_EQ(log.causes()[0].example, "name 'a b [2J '");
}

}  // namespace
}  // namespace warpsight
