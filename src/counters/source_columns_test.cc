#include "counters/source_columns.h"

#include <gtest/gtest.h>

#include <set>

namespace warpsight {
namespace {

TEST(SourceColumnsTest, EveryRowIsSound) {
  std::set<std::string> metrics;
  std::set<std::string> labels;
  for (const SourceColumnData& column : AllSourceColumns()) {
    EXPECT_TRUE(metrics.insert(column.metric).second) << column.metric;
    EXPECT_TRUE(labels.insert(column.label).second) << column.label;
    EXPECT_EQ(FindSourceColumnByLabel(column.label), FindSourceColumn(column.metric));
    EXPECT_TRUE(column.flags.empty() || column.kind == SourceColumnData::Kind::kFlags) << column.metric;
    EXPECT_EQ(column.label.starts_with("stall_"), !ReadStallMetric(column.metric).reason.empty()) << column.metric;
  }
  EXPECT_GT(metrics.size(), 60u);
  EXPECT_EQ(FindSourceColumn("no_such_metric"), nullptr);
}

TEST(SourceColumnsTest, StallReasonsOfAllVersions) {
  EXPECT_EQ(ReadStallMetric("smsp__pcsamp_warps_issue_stalled_long_scoreboard").reason, "long_scoreboard");
  const StallSamples not_issued = ReadStallMetric("smsp__pcsamp_warps_issue_stalled_wait_not_issued");
  EXPECT_EQ(not_issued.reason, "wait");
  EXPECT_TRUE(not_issued.not_issued);
  EXPECT_EQ(ReadStallMetric("smsp__pcsamp_warp_stall_membar").reason, "membar");
  EXPECT_EQ(ReadStallMetric("inst_executed").reason, "");
}

TEST(SourceColumnsTest, FlagsAsText) {
  const SourceColumnData& space = *FindSourceColumn("memory_type");
  EXPECT_EQ(FlagsText(space, 0), "");
  EXPECT_EQ(FlagsText(space, 4 + 16), "Global,Shared");
  EXPECT_EQ(FlagsText(space, uint64_t{1} << 63), "bit 63");
  EXPECT_EQ(FlagsOf(space, "Global,Shared"), 20u);
  EXPECT_EQ(FlagsOf(space, "Elsewhere"), 0u);
}

}  // namespace
}  // namespace warpsight
