// The occupancy that we compute from registers, shared memory and block size is the one that real reports hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "analysis/counters/occupancy.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing {
namespace {

// Recorders before 2022 took all shared memory of the SM, not what the launch had configured.
bool HasConfiguredLimit(const CounterReport& report) { return report.session().tool_version() >= "2022"; }

TEST(NcuOccupancyTest, LimitsAreThoseOfTheReports) {
  int64_t kernels = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    for (const ProfiledKernel& kernel : report->kernels()) {
      const std::optional<double> registers = report->Number(kernel, "launch__occupancy_limit_registers");
      const std::optional<Occupancy> occupancy = ComputeOccupancy(*report, kernel);
      if (!registers || !occupancy) continue;
      ++kernels;
      const std::string where = truth.report + ": " + std::string(kernel.full_name);
      const auto reported = [&](std::string_view name) { return report->Number(kernel, name).value_or(-1); };
      EXPECT_EQ(static_cast<double>(occupancy->limit_registers), *registers) << where;
      EXPECT_EQ(static_cast<double>(occupancy->limit_warps), reported("launch__occupancy_limit_warps")) << where;
      EXPECT_EQ(static_cast<double>(occupancy->limit_blocks), reported("launch__occupancy_limit_blocks")) << where;
      if (HasConfiguredLimit(*report)) {
        EXPECT_EQ(static_cast<double>(occupancy->limit_shared_memory), reported("launch__occupancy_limit_shared_mem"))
            << where;
      }
      EXPECT_NEAR(occupancy->share * 100, reported("sm__maximum_warps_per_active_cycle_pct"), 1e-3) << where;
    }
  }
  if (kernels == 0) GTEST_SKIP() << "no shared data";
  std::printf("%ld kernels\n", static_cast<long>(kernels));
}

TEST(NcuOccupancyTest, SmallestLimitsAreNamed) {
  const OccupancyRules* hopper = OccupancyRulesFor(90);
  ASSERT_NE(hopper, nullptr);
  const Occupancy heavy = ComputeOccupancy(*hopper, {256, 128, 1024, 32768});
  EXPECT_EQ(heavy.limiters, std::vector<std::string>{"registers"});
  EXPECT_EQ(heavy.share, 0.25);
  EXPECT_EQ(OccupancyRulesFor(89)->blocks_per_sm, 24);
  EXPECT_EQ(OccupancyRulesFor(103)->warps_per_sm, 64);  // Blackwell data centre, as Hopper
  EXPECT_EQ(OccupancyRulesFor(52), nullptr);
  for (const OccupancyRules& rules : AllOccupancyRules()) EXPECT_FALSE(rules.source.empty());
}

}  // namespace
}  // namespace warpsight::testing
