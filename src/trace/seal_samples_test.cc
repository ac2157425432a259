// CPU samples in sealing: stacks of all shards joined, samples by thread and time.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

struct MadeCpuSample {
  const char* thread;
  Ns time_ns;
  std::vector<const char*> stack;  // outermost first
};

TraceShard SampleShard(const std::vector<MadeCpuSample>& samples) {
  TraceShard shard;
  shard.names = std::make_shared<LocalNames>();
  shard.names->InternThread("1", "unused");
  for (const MadeCpuSample& sample : samples) {
    StackFrame frame;
    for (const char* function : sample.stack) {
      frame.function = shard.names->strings.Intern(function);
      frame.module = shard.names->strings.Intern("program");
      frame.parent = shard.names->InternStack(frame);
    }
    shard.samples.push_back({sample.time_ns, shard.names->InternThread("1", sample.thread), frame.parent});
    shard.log.CountRead();
  }
  return shard;
}

std::string StackText(const Trace& trace, StackIndex stack) {
  std::string text;
  for (; stack != 0; stack = trace.stacks().frame(stack).parent)
    text = std::string(trace.Text(trace.stacks().frame(stack).function)) + (text.empty() ? "" : ";") + text;
  return text;
}

std::vector<std::string> SampleTexts(const Trace& trace) {
  std::vector<std::string> texts;
  const CpuSamples& samples = trace.cpu_samples();
  for (uint32_t row = 0; row < samples.size(); ++row)
    texts.push_back(trace.threads()[samples.thread[row]].label + " " + std::to_string(samples.time_ns[row]) + " " +
                    StackText(trace, samples.stack[row]));
  return texts;
}

TEST(SealSamplesTest, TheyStandByThreadAndTimeWhateverTheShards) {
  const std::vector<MadeCpuSample> made = {
      {"2", 30, {"main", "b"}}, {"1", 20, {"main", "a"}}, {"2", 10, {"main", "b", "c"}}, {"1", 20, {}}, {"1", 5, {"main"}}};
  const std::vector<std::string> expected = {"1 5 main", "1 20 main;a", "1 20 ", "2 10 main;b;c", "2 30 main;b"};
  for (size_t cut = 0; cut <= made.size(); ++cut) {
    std::vector<TraceShard> shards;
    shards.push_back(SampleShard({made.begin(), made.begin() + static_cast<ptrdiff_t>(cut)}));
    shards.push_back(SampleShard({made.begin() + static_cast<ptrdiff_t>(cut), made.end()}));
    const Trace trace = Seal({}, std::move(shards), {});
    EXPECT_EQ(SampleTexts(trace), expected);
    // main, a, b, c: stacks are shared.
    EXPECT_EQ(trace.stacks().size(), 1u + 4u);
    ASSERT_EQ(trace.threads().size(), 2u);
    EXPECT_EQ(trace.threads()[0].first_sample, 0u);
    EXPECT_EQ(trace.threads()[0].end_sample, 3u);
    EXPECT_EQ(trace.threads()[1].first_sample, 3u);
    EXPECT_EQ(trace.threads()[1].end_sample, 5u);
    EXPECT_EQ(trace.log().kept(), 5);
  }
}

}  // namespace
}  // namespace warpsight
