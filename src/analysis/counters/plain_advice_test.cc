#include "analysis/counters/plain_advice.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(PlainAdviceTest, LinksBecomeTheirLabels) {
  EXPECT_EQ(PlainAdvice("Look at the @section:MemoryWorkloadAnalysis:Memory Workload Analysis@ section."),
            "Look at the Memory Workload Analysis section.");
  EXPECT_EQ(PlainAdvice("See the @url:Guide:https://docs.example/a.html@ and @url:B:https://b.example@."),
            "See the Guide and B.");
  EXPECT_EQ(PlainAdvice("a@b.example, and one @ alone"), "a@b.example, and one @ alone");
  EXPECT_EQ(PlainAdvice("@"), "@");
  EXPECT_EQ(PlainAdvice(""), "");
}

}  // namespace
}  // namespace warpsight
