#include "counters/metric_unit.h"

#include <gtest/gtest.h>

#include <set>

namespace warpsight {
namespace {

std::string UnitOf(std::string_view name, UnitContext context = {90, 202503, true}) { return MetricUnit(name, context); }

TEST(MetricUnitTest, EndingsOfTheNameDecide) {
  EXPECT_EQ(UnitOf("dram__bytes_read.sum"), "byte");
  EXPECT_EQ(UnitOf("dram__bytes.sum.per_second"), "byte/s");
  EXPECT_EQ(UnitOf("dram__bytes.sum.peak_sustained"), "byte/cycle");
  EXPECT_EQ(UnitOf("dram__bytes_read.sum.pct_of_peak_sustained_elapsed"), "%");
  EXPECT_EQ(UnitOf("gpc__cycles_elapsed.avg.per_second"), "hz");
  EXPECT_EQ(UnitOf("smsp__inst_executed.sum"), "inst");
  EXPECT_EQ(UnitOf("sm__inst_executed.avg.per_cycle_active"), "inst/cycle");
  EXPECT_EQ(UnitOf("smsp__warps_active.avg.per_cycle_active"), "warp");
  EXPECT_EQ(UnitOf("smsp__issue_active.avg.per_cycle_active"), "");
  EXPECT_EQ(UnitOf("gpu__time_duration.sum"), "ns");
  EXPECT_EQ(UnitOf("pmsampling:sm__ctas_launched.sum"), "block");
  EXPECT_EQ(UnitOf("SM_B.TriageCompute.l1tex__t_sectors.sum"), "sector");
  EXPECT_EQ(UnitOf("a_name_nobody_knows"), "");
  EXPECT_EQ(UnitOf("a_name_nobody_knows.pct"), "%");
}

TEST(MetricUnitTest, RecorderAndDeviceMatterForSome) {
  constexpr std::string_view kExcess = "derived__memory_l2_theoretical_sectors_global_excessive";
  EXPECT_EQ(UnitOf(kExcess), "sector");
  EXPECT_EQ(UnitOf(kExcess, {90, 202501, true}), "byte");
  EXPECT_EQ(UnitOf("nvlrx__bytes.sum.per_second"), "byte/s");
  EXPECT_EQ(UnitOf("nvlrx__bytes.sum.per_second", {75, 202401, true}), "byte");
  EXPECT_EQ(UnitOf("sm__maximum_warps_per_active_cycle_pct"), "%");
  EXPECT_EQ(UnitOf("sm__maximum_warps_per_active_cycle_pct", {61, 0, true}), "");
  EXPECT_EQ(UnitOf("derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", {86, 202301, false}), "inst");
}

// A row that can never apply, or says nothing, is a mistake in the data.
TEST(MetricUnitTest, EveryRowIsSound) {
  ASSERT_FALSE(AllUnitRules().empty());
  std::set<std::string> unconditional;
  for (const UnitRule& rule : AllUnitRules()) {
    ASSERT_FALSE(rule.names.empty());
    const bool conditional =
        rule.capability != 0 || rule.below_capability != 0 || rule.before_version != 0 || rule.without_thread_counts;
    for (const std::string& name : rule.names) {
      EXPECT_FALSE(name.empty());
      EXPECT_EQ(name.find('.'), std::string::npos) << name;
      EXPECT_FALSE(unconditional.contains(name)) << name << ": an earlier row took it";
      if (!conditional) unconditional.insert(name);
    }
  }
}

}  // namespace
}  // namespace warpsight
