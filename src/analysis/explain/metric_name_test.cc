#include "analysis/explain/metric_name.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

std::string MetricPartsOf(std::string_view name) {
  const std::optional<MetricName> metric = ParseMetricName(name);
  if (!metric) return "none";
  std::string text;
  for (const MetricPart& part : metric->parts) {
    text += text.empty() ? "" : " ";
    text += part.text;
    text += part.is_known() ? "" : "?";
  }
  return text;
}

TEST(MetricNameTest, PartsByTheGrammar) {
  EXPECT_EQ(MetricPartsOf("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum.per_second"),
            "l1tex t_sectors pipe_lsu mem_global op_ld lookup_miss .sum .per_second");
  EXPECT_EQ(MetricPartsOf("sm__throughput.avg.pct_of_peak_sustained_elapsed"),
            "sm throughput .avg .pct_of_peak_sustained_elapsed");
  EXPECT_EQ(MetricPartsOf("smsp__warps_issue_stalled_long_scoreboard_per_warp_active.pct"),
            "smsp warps_issue_stalled long_scoreboard per_warp_active .pct");
  EXPECT_EQ(MetricPartsOf("dram__bytes.sum.peak_sustained"), "dram bytes .sum .peak_sustained");
  EXPECT_EQ(MetricPartsOf("memory_l2_theoretical_sectors_global_ideal"), "memory l2_theoretical_sectors_global ideal");
  EXPECT_EQ(MetricPartsOf("derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2"),
            "derived smsp sass thread_inst_executed op_ffma pred_on x2");
  EXPECT_EQ(MetricPartsOf("DRAM__Bytes.Sum"), "dram bytes .sum");
}

TEST(MetricNameTest, WhatStandsBeforeTheMetric) {
  EXPECT_EQ(MetricPartsOf("breakdown:sm__throughput.avg"), "breakdown: sm throughput .avg");
  EXPECT_EQ(MetricPartsOf("pmsampling:dramc__read_throughput.avg"), "pmsampling: dramc read_throughput .avg");
  EXPECT_EQ(MetricPartsOf("SM_A.TriageCompute.sm__cycles_active.avg"), "sm_a.triagecompute. sm cycles_active .avg");
}

TEST(MetricNameTest, UnknownPartsAreSaidToBeUnknown) {
  EXPECT_EQ(MetricPartsOf("sm__new_counter_pipe_lsu.sum"), "sm new_counter? pipe_lsu .sum");
  EXPECT_EQ(MetricPartsOf("zzz__t_sectors.sum.per_moon"), "zzz? t_sectors .sum .per_moon?");
  const std::optional<MetricName> metric = ParseMetricName("sm__new_counter.sum");
  ASSERT_TRUE(metric);
  EXPECT_FALSE(metric->is_known());
  EXPECT_EQ(metric->family, nullptr);
}

TEST(MetricNameTest, OtherNamesAreNoMetrics) {
  for (const char* name : {"", "occupancy", "triton_poi_fused__unsafe_view_3", "void f<int>()", "memory bound", "a__b",
                           "long_scoreboard", "_Z3fooPf", "x.sum"})
    EXPECT_FALSE(ParseMetricName(name)) << name;
  EXPECT_FALSE(ParseMetricName("sm__" + std::string(100'000, 'a') + ".sum"));
}

TEST(MetricNameTest, TheStallReasonIsFound) {
  for (const char* name :
       {"smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
        "smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued", "smsp__pcsamp_warp_stall_no_instructions"}) {
    const std::optional<MetricName> metric = ParseMetricName(name);
    ASSERT_TRUE(metric) << name;
    EXPECT_EQ(metric->stall, "no_instruction") << name;
    EXPECT_TRUE(metric->is_known()) << name;
  }
  EXPECT_EQ(ParseMetricName("l1tex__t_sectors.sum")->stall, "");
}

}  // namespace
}  // namespace warpsight
