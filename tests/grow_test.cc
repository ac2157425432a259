// The benchmark tool that enlarges traces: grown once a trace stays itself, grown three times it is three recordings in a
// row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../bench/trace_grower.h"
#include "formats/open_trace.h"
#include "hostile/opening.h"
#include "hostile/plain_events.h"
#include "hostile/sample_files.h"

namespace warpsight::testing::grow_test {
namespace {

std::string Grown(const std::string& text, int64_t copies) {
  const Result<bench::TraceGrower> grower = bench::TraceGrower::Parse(text);
  EXPECT_TRUE(grower.ok()) << grower.status().message();
  std::string out;
  grower->Write(copies, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  return out;
}

std::vector<std::string> Samples() {
  std::vector<std::string> paths = {WARPSIGHT_TESTDATA_DIR "/kineto_small.json", WARPSIGHT_TESTDATA_DIR "/kineto_2021.json",
                                    WARPSIGHT_TESTDATA_DIR "/rocm_small.json"};
  for (const std::string& path : TracesIn(WARPSIGHT_EXAMPLES_DIR, true)) paths.push_back(path);
  return paths;
}

class Grow : public ::testing::TestWithParam<std::string> {};

TEST_P(Grow, OnceChangesNoByte) {
  const std::string text = ReadText(GetParam());
  EXPECT_TRUE(Grown(text, 1) == text);
}

TEST_P(Grow, ThreeTimesIsThreeRecordingsInARow) {
  const std::string text = ReadText(GetParam());
  const Result<Trace> one = OpenTraceBytes(text, "one", {});
  const std::string grown = Grown(text, 3);
  const Result<Trace> three = OpenTraceBytes(grown, "three", {});
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_EQ(three->gpu().size(), one->gpu().size() * 3);
  EXPECT_EQ(three->flow_count(), one->flow_count() * 3);
  EXPECT_EQ(three->attribution().with_launch, one->attribution().with_launch * 3);
  EXPECT_EQ(three->attribution().disagreements, one->attribution().disagreements * 3);
  EXPECT_EQ(three->log().kept(), three->log().read()) << CausesOf(three->log());
  // No two launches share an id, unless those of the input do.
  const auto launches = [](const Trace& trace) {
    std::multiset<uint32_t> ids;
    for (uint32_t row = 0; row < trace.host().size(); ++row) {
      if (trace.host().kind[row] == HostKind::kApi && trace.host().correlation[row] != 0)
        ids.insert(trace.host().correlation[row]);
    }
    return ids;
  };
  const std::multiset<uint32_t> ids = launches(*three);
  EXPECT_EQ(ids.size(), launches(*one).size() * 3);
  EXPECT_EQ(std::set<uint32_t>(ids.begin(), ids.end()).size(), [&] {
    const std::multiset<uint32_t> before = launches(*one);
    return std::set<uint32_t>(before.begin(), before.end()).size() * 3;
  }());
}

TEST_P(Grow, CopiesFollowOneAnotherToTheNanosecond) {
  const std::string text = ReadText(GetParam());
  bool found = false;
  const std::vector<PlainEvent> events = ReadPlainEvents(text, &found);
  const std::string grown = Grown(text, 3);
  const std::vector<PlainEvent> grown_events = ReadPlainEvents(grown, &found);
  const auto is_work = [](const PlainEvent& event) { return event.phase == "X" && event.category != "Trace"; };
  std::vector<PlainEvent> work;
  std::vector<PlainEvent> grown_work;
  std::copy_if(events.begin(), events.end(), std::back_inserter(work), is_work);
  std::copy_if(grown_events.begin(), grown_events.end(), std::back_inserter(grown_work), is_work);
  ASSERT_EQ(grown_work.size(), work.size() * 3);
  std::set<int64_t> shifts;
  for (size_t i = 0; i < grown_work.size(); ++i) {
    const PlainEvent& before = work[i % work.size()];
    EXPECT_EQ(grown_work[i].duration_ns, before.duration_ns);
    shifts.insert(grown_work[i].start_ns - before.start_ns);
  }
  // One shift a copy: 0, one recording's length, two of them.
  ASSERT_EQ(shifts.size(), 3u);
  const int64_t period = *std::next(shifts.begin());
  EXPECT_EQ(*shifts.begin(), 0);
  EXPECT_EQ(*shifts.rbegin(), 2 * period);
  for (const PlainEvent& event : work) EXPECT_LE(event.start_ns + event.duration_ns, work[0].start_ns + 2 * period);
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& tested) { return TestNameOf(tested.param); }
INSTANTIATE_TEST_SUITE_P(Samples, Grow, ::testing::ValuesIn(Samples()), NameOf);

TEST(GrowSteps, AreCountedOn) {
  const std::string grown = Grown(ReadText(WARPSIGHT_TESTDATA_DIR "/kineto_small.json"), 3);
  bool found = false;
  std::map<std::string, int> steps;
  for (const PlainEvent& event : ReadPlainEvents(grown, &found)) {
    if (event.category == "user_annotation" && event.name.starts_with("ProfilerStep#")) ++steps[event.name];
  }
  EXPECT_EQ(steps.size(), 6u);
  for (int step = 4; step < 10; ++step) EXPECT_EQ(steps["ProfilerStep#" + std::to_string(step)], 1);
}

TEST(GrowInput, ThatIsNoTraceIsRefused) {
  for (const char* text : {"", "{}", "[]", R"({"traceEvents": []})", R"({"traceEvents": [{"ph": "X", "ts": 1)",
                           R"([{"ph": "X", "ts": 1e3}])"}) {
    EXPECT_FALSE(bench::TraceGrower::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace warpsight::testing::grow_test
