// The rules on collectives and ranks: gains are what the traces show, and no more.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/rank_traces.h"
#include "diagnosis/diagnose.h"

namespace warpsight {
namespace {

constexpr std::string_view kAllReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

const Finding* Find(const Diagnosis& diagnosis, std::string_view id) {
  const auto found = std::find_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                                  [id](const Finding& finding) { return finding.id == id; });
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

// Two steps of 100 us: 20 us of compute (on rank 1 after 30 us of host work), then an all-reduce of 20 us.
void Make(RankTraces& run) {
  for (size_t rank = 0; rank < 2; ++rank) {
    HandMadeTrace& make = run.rank(rank);
    const Ns delay = rank == 1 ? 30'000 : 0;
    for (int step = 0; step < 2; ++step) {
      const Ns at = step * 100'000;
      const auto correlation = static_cast<uint32_t>(step * 10 + 1);
      make.Range("ProfilerStep#" + std::to_string(step), {at, at + 100'000});
      make.Api("cudaLaunchKernel", {at + delay, at + delay + 1'000}, correlation);
      make.Kernel("gemm", {at + delay + 2'000, at + delay + 22'000}, correlation);
      make.Api("cudaLaunchKernel", {at + delay + 2'000, at + delay + 3'000}, correlation + 1);
      make.Collective(kAllReduce, {at + delay + 22'000, at + 72'000}, {}, correlation + 1);
    }
  }
}

TEST(CollectiveRulesTest, OnARankThatWaitsTheWaitIsTheGain) {
  RankTraces run(2);
  Make(run);
  run.Compare(0);
  const Diagnosis diagnosis = Diagnose(run.analysis());
  const Finding* slow = Find(diagnosis, "slow_rank");
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(slow->title, "The ranks wait for rank 1");
  EXPECT_EQ(slow->gain_ns, 30'000);
  const Finding* exposed = Find(diagnosis, "exposed_collectives");
  ASSERT_NE(exposed, nullptr);
  EXPECT_EQ(exposed->gain_ns, 20'000);  // the transfer; the wait is in the other finding
  EXPECT_LE(diagnosis.all_gains_ns, diagnosis.step_ns);
}

TEST(CollectiveRulesTest, OnTheSlowRankItsOwnExcessIsTheGain) {
  RankTraces run(2);
  Make(run);
  run.Compare(1);
  const Diagnosis diagnosis = Diagnose(run.analysis());
  const Finding* slow = Find(diagnosis, "slow_rank");
  ASSERT_NE(slow, nullptr);
  EXPECT_NEAR(static_cast<double>(slow->gain_ns.value()), 30'000, 1);  // shared out over classes of idle time
  EXPECT_LE(diagnosis.all_gains_ns, diagnosis.step_ns);
}

TEST(CollectiveRulesTest, OnlySoMuchIsHiddenAsThereIsCompute) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 5'000});
  make.Collective(kAllReduce, {5'000, 100'000}, {});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Diagnosis diagnosis = Diagnose(analysis);
  const Finding* exposed = Find(diagnosis, "exposed_collectives");
  ASSERT_NE(exposed, nullptr);
  EXPECT_EQ(exposed->gain_ns, 5'000);
  // One rank alone cannot tell who waits for whom; a program without collectives has no such question.
  const auto not_evaluated = [](const Diagnosis& one) {
    return std::any_of(one.not_evaluated.begin(), one.not_evaluated.end(),
                       [](const NotEvaluated& rule) { return rule.rule == "slow_rank"; });
  };
  EXPECT_TRUE(not_evaluated(diagnosis));
  HandMadeTrace alone;
  alone.Kernel("gemm", {0, 5'000});
  const Trace single = alone.Seal();
  Analysis of_single(single, {});
  EXPECT_FALSE(not_evaluated(Diagnose(of_single)));
}

TEST(CollectiveRulesTest, HiddenCollectivesAreNoFinding) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 100'000});
  make.OnStream(9).Collective(kAllReduce, {5'000, 90'000}, {});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(Find(Diagnose(analysis), "exposed_collectives"), nullptr);
}

}  // namespace
}  // namespace warpsight
