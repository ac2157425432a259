// A timeline and an Nsight Compute report of the same program, recorded by two tools: their kernels are found to be the
// same.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "analysis/counters/joined_counters_pass.h"
#include "analysis/counters/joined_document.h"
#include "formats/open_counters.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::testing {
namespace {

TEST(JoinedReportTest, EveryKernelOfAProgramFindsItsCounters) {
  const std::filesystem::path timeline = SharedData() / "public/nsys/extrap_ex-gpu.s1000.sqlite";
  if (!std::filesystem::exists(timeline)) GTEST_SKIP() << "no shared data";
  const Result<Trace> trace = OpenTrace(timeline.string(), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const Result<CounterReport> report = OpenCounters((SharedData() / "public/ncu/extrap_ex-gpu.s1000.ncu-rep").string());
  ASSERT_TRUE(report.ok()) << report.status().message();
  Given given;
  given.counter_reports = {&*report};
  Analysis analysis(*trace, {}, given);
  const Result<JoinedCounters>& joined = analysis.Get<JoinedCountersPass>();
  ASSERT_TRUE(joined.ok());
  EXPECT_TRUE(joined->unmatched.empty());
  EXPECT_TRUE(joined->missing.empty());
  std::set<std::string> functions;
  double share = 0;
  for (const JoinedKernel& kernel : joined->matched) {
    EXPECT_EQ(kernel.match, NameMatch::kExact);
    EXPECT_TRUE(kernel.has_launch);
    EXPECT_EQ(static_cast<int64_t>(kernel.launches.size()), kernel.calls) << kernel.name;
    functions.emplace(kernel.launches.front().kernel->function_name);
    share += kernel.gpu_share;
  }
  EXPECT_EQ(functions, (std::set<std::string>{"init_array", "vector_add", "vector_add1", "vector_dot", "vector_mul"}));
  EXPECT_GT(share, 0.99);
  const nlohmann::ordered_json data = JoinedCountersData(*joined);
  // The profiler's durations stand beside the timeline's, and in no sum.
  EXPECT_GT(data["matched"][0]["profiled_ns"].get<int64_t>(), data["matched"][0]["gpu_ns"].get<int64_t>());
}

}  // namespace
}  // namespace warpsight::testing
