#include "diagnosis/what_ifs.h"

#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

std::optional<Ns> GainOf(const std::vector<WhatIf>& what_ifs, std::string_view id) {
  const auto found = std::ranges::find(what_ifs, id, &WhatIf::id);
  return found == what_ifs.end() ? std::nullopt : std::optional<Ns>(found->gain_ns);
}

TEST(WhatIfsTest, EachStandsForItselfWhateverTheLedgerGranted) {
  LaunchedTrace made;
  made.Step(1, {0, 1000});
  for (int64_t i = 0; i < 12; ++i) {
    const int64_t at = i < 6 ? i * 20 : 600 + i * 20;
    made.Launch("k", {at, at + 5}, {at + 5, at + 15});
  }
  made.Call("cudaMalloc", {200, 500});
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  const Diagnosis diagnosis = Diagnose(analysis);
  const Finding* dispatch = Find(diagnosis, "serial_dispatch");
  ASSERT_NE(dispatch, nullptr);
  ASSERT_NE(Find(diagnosis, "allocator_traffic"), nullptr);
  EXPECT_EQ(Find(diagnosis, "allocator_traffic")->gain_ns, 300 * kUs);
  EXPECT_EQ(GainOf(MakeWhatIfs(analysis, diagnosis, std::nullopt), "cuda_graph"), *dispatch->gain_ns + 300 * kUs);
}

TEST(WhatIfsTest, CommunicationHidesBehindOtherWorkOnly) {
  LaunchedTrace made;
  made.Step(1, {0, 100}).Launch("gemm", {0, 1}, {1, 21});
  // 70 us of which 10 us are hidden behind a kernel already: 60 exposed, 20 + 10 - 10 of other work alone.
  made.Launch("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {1, 2}, {21, 91}, {.stream = 9});
  made.Launch("gemm", {2, 3}, {30, 40});
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(GainOf(MakeWhatIfs(analysis, Diagnose(analysis), std::nullopt), "communication_hidden"), 20 * kUs);
}

}  // namespace
}  // namespace warpsight::testing
