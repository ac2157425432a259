// The occupancy that we compute from registers, shared memory and block size is the one that real reports hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "analysis/counters/occupancy.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_occupancy_test {
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
      if (const std::optional<double> barriers = report->Number(kernel, "launch__occupancy_limit_barriers")) {
        EXPECT_EQ(static_cast<double>(occupancy->limit_barriers), *barriers) << where;
      }
      EXPECT_NEAR(occupancy->share * 100, reported("sm__maximum_warps_per_active_cycle_pct"), 1e-3) << where;
    }
  }
  if (kernels == 0) GTEST_SKIP() << "no shared data";
  std::printf("%ld kernels\n", static_cast<long>(kernels));
}

// What the table says of a device is what the reports of that device say.
TEST(NcuOccupancyTest, TheTableAgreesWithTheDevicesOfReports) {
  int64_t kernels = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok()) << report.status().message();
    for (const ProfiledKernel& kernel : report->kernels()) {
      const std::optional<int> capability = ComputeCapability(*report, kernel);
      const OccupancyRules* const rules = capability ? OccupancyRulesFor(*capability) : nullptr;
      if (rules == nullptr) continue;
      const auto agrees = [&](std::string_view name, int64_t limit) {
        const std::optional<double> reported = report->Number(kernel, name);
        if (reported && *reported > 0) EXPECT_EQ(*reported, static_cast<double>(limit)) << truth.report << ": " << name;
      };
      agrees("device__attribute_max_warps_per_multiprocessor", rules->warps_per_sm);
      agrees("device__attribute_limits_max_cta_per_sm", rules->blocks_per_sm);
      agrees("device__attribute_max_registers_per_multiprocessor", rules->registers_per_sm);
      agrees("device__attribute_max_shared_memory_per_multiprocessor", rules->shared_bytes_per_sm);
      if (rules->from_capability >= 70) agrees("launch__shared_mem_per_block_driver", rules->shared_reserved_bytes);
      ++kernels;
    }
  }
  if (kernels == 0) GTEST_SKIP() << "no shared data";
}

// NVIDIA's occupancy calculator and the tables of the CUDA C++ Programming Guide.
TEST(NcuOccupancyTest, EveryCapabilityHasItsRow) {
  struct Expected {
    int capability;
    int64_t warps, blocks, parts, shared_kib, shared_unit, reserved, barriers;
  };
  for (const Expected& device : {Expected{60, 64, 32, 2, 64, 256, 0, 64},
                                 {61, 64, 32, 4, 96, 256, 0, 64},
                                 {62, 64, 32, 4, 64, 256, 0, 64},
                                 {70, 64, 32, 4, 96, 256, 0, 64},
                                 {72, 64, 32, 4, 96, 256, 0, 64},
                                 {75, 32, 16, 4, 64, 256, 0, 32},
                                 {80, 64, 32, 4, 164, 128, 1024, 64},
                                 {86, 48, 16, 4, 100, 128, 1024, 16},
                                 {87, 48, 16, 4, 164, 128, 1024, 16},
                                 {89, 48, 24, 4, 100, 128, 1024, 24},
                                 {90, 64, 32, 4, 228, 128, 1024, 64},
                                 {100, 64, 32, 4, 228, 128, 1024, 64},
                                 {101, 48, 24, 4, 228, 128, 1024, 24},
                                 {103, 64, 32, 4, 228, 128, 1024, 64},
                                 {110, 48, 24, 4, 228, 128, 1024, 24},
                                 {120, 48, 24, 4, 100, 128, 1024, 24},
                                 {121, 48, 24, 4, 100, 128, 1024, 24}}) {
    const OccupancyRules* const rules = OccupancyRulesFor(device.capability);
    ASSERT_NE(rules, nullptr);
    EXPECT_EQ(rules->warps_per_sm, device.warps) << device.capability;
    EXPECT_EQ(rules->blocks_per_sm, device.blocks) << device.capability;
    EXPECT_EQ(rules->warps_unit, device.parts) << device.capability;
    EXPECT_EQ(rules->shared_bytes_per_sm, device.shared_kib * 1024) << device.capability;
    EXPECT_EQ(rules->shared_unit_bytes, device.shared_unit) << device.capability;
    EXPECT_EQ(rules->shared_reserved_bytes, device.reserved) << device.capability;
    EXPECT_EQ(rules->barriers_per_block * rules->blocks_per_sm, device.barriers) << device.capability;
    EXPECT_EQ(rules->registers_unit_per_warp, 256) << device.capability;
  }
}

// 144 registers a thread are 4608 a warp: 14 warps in the two parts of a P100 (7 each), 12 in four parts (3 each).
TEST(NcuOccupancyTest, RegistersAreThoseOfThePartsOfAnSm) {
  EXPECT_EQ(ComputeOccupancy(*OccupancyRulesFor(60), {32, 144, 0, 65536, 0}).limit_registers, 14);
  EXPECT_EQ(ComputeOccupancy(*OccupancyRulesFor(61), {32, 144, 0, 98304, 0}).limit_registers, 12);
}

TEST(NcuOccupancyTest, SmallestLimitsAreNamed) {
  const OccupancyRules* hopper = OccupancyRulesFor(90);
  ASSERT_NE(hopper, nullptr);
  const Occupancy heavy = ComputeOccupancy(*hopper, {256, 128, 1024, 32768, 0});
  EXPECT_EQ(heavy.limiters, std::vector<std::string>{"registers"});
  EXPECT_EQ(heavy.share, 0.25);
  EXPECT_EQ(OccupancyRulesFor(89)->blocks_per_sm, 24);
  EXPECT_EQ(OccupancyRulesFor(103)->warps_per_sm, 64);  // Blackwell data centre, as Hopper
  EXPECT_EQ(OccupancyRulesFor(52), nullptr);
  for (const OccupancyRules& rules : AllOccupancyRules()) EXPECT_FALSE(rules.devices.empty());
  const Occupancy barriers = ComputeOccupancy(*OccupancyRulesFor(86), {64, 16, 0, 102400, 4});
  EXPECT_EQ(barriers.limit_barriers, 4);
  EXPECT_EQ(barriers.limiters, std::vector<std::string>{"barriers"});
}

}  // namespace
}  // namespace warpsight::testing::ncu_occupancy_test
