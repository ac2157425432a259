// A timeline and an Nsight Compute report of the same program, recorded by two tools: their kernels are found to be the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "analysis/counters/joined_counters_pass.h"
#include "analysis/counters/joined_document.h"
#include "analysis/counters/launch_filter.h"
#include "analysis/counters/timeline_kernels.h"
#include "formats/open_counters.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::testing::joined_report_test {
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

// The pattern of every kernel of real recordings lets through exactly what is counted, by the rules of a real matcher.
TEST(JoinedReportTest, PatternsLetThroughWhatIsCounted) {
  int64_t patterns = 0;
  for (const char* file : {"h200/torch/train_b2.pt.trace.json.gz", "h200/torch/decode_b1.pt.trace.json.gz"}) {
    const std::filesystem::path path = SharedData() / file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
    const Result<Trace> trace = OpenTrace(path.string(), {});
    ASSERT_TRUE(trace.ok());
    const TimelineKernels timeline = CollectTimelineKernels(Analysis(*trace, {}));
    for (size_t i = 0; i < timeline.names.size(); ++i) {
      const LaunchFilter filter = MakeLaunchFilter(timeline.comparable, i);
      EXPECT_TRUE(std::ranges::find(filter.passed, i) != filter.passed.end()) << timeline.names[i];
      if (!filter.pattern.starts_with("regex:")) continue;
      ++patterns;
      const std::regex pattern(filter.pattern.substr(6));
      for (size_t k = 0; k < timeline.names.size(); ++k) {
        const std::string name(timeline.names[k]);
        const bool passes = std::ranges::find(filter.passed, k) != filter.passed.end();
        EXPECT_EQ(std::regex_search(name, pattern), passes) << filter.pattern << "\n" << name;
      }
    }
  }
  std::printf("%ld patterns\n", static_cast<long>(patterns));
}

}  // namespace
}  // namespace warpsight::testing::joined_report_test
