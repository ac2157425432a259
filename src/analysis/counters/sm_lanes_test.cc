#include "analysis/counters/sm_lanes.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(SmLanesTest, DevicesHaveTheLanesOfTheirCapability) {
  struct Expected {
    int capability;
    int64_t fp32, fp64, special;
  };
  for (const Expected& device : {Expected{60, 64, 32, 16},
                                 {61, 128, 4, 32},
                                 {62, 128, 4, 32},
                                 {70, 64, 32, 16},
                                 {75, 64, 2, 16},
                                 {80, 64, 32, 16},
                                 {86, 128, 2, 16},
                                 {89, 128, 2, 16},
                                 {90, 128, 64, 16},
                                 {100, 128, 64, 16},
                                 {103, 128, 2, 16},
                                 {120, 128, 2, 16},
                                 {121, 128, 2, 16}}) {
    const SmLanes* const lanes = SmLanesFor(device.capability);
    ASSERT_NE(lanes, nullptr) << device.capability;
    EXPECT_EQ(lanes->fp32, device.fp32) << device.capability;
    EXPECT_EQ(lanes->fp64, device.fp64) << device.capability;
    EXPECT_EQ(lanes->special, device.special) << device.capability;
  }
  EXPECT_EQ(SmLanesFor(52), nullptr);
  EXPECT_FALSE(SmLanesFor(110)->fp64) << "not published";
}

}  // namespace
}  // namespace warpsight
