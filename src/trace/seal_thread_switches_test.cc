// Switches of threads in sealing: by thread and time, whatever the shards they came in.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

struct MadeSwitch {
  const char* thread;
  Ns time_ns;
  ThreadState state;
};

TraceShard SwitchShard(const std::vector<MadeSwitch>& made) {
  TraceShard shard;
  shard.names = std::make_shared<LocalNames>();
  shard.names->InternThread("1", "unused");
  for (const MadeSwitch& one : made) {
    shard.thread_switches.push_back({one.time_ns, shard.names->InternThread("1", one.thread), one.state});
    shard.log.CountRead();
  }
  return shard;
}

TEST(SealThreadSwitchesTest, ByThreadThenTimeThenFile) {
  std::vector<TraceShard> shards;
  shards.push_back(SwitchShard({{"3", 50, ThreadState::kOn}, {"2", 40, ThreadState::kWaiting}}));
  shards.push_back(SwitchShard({{"2", 10, ThreadState::kOn},
                                {"3", 20, ThreadState::kPreempted},
                                {"2", 40, ThreadState::kUnknown},
                                {"2", 60, ThreadState::kOn}}));
  const Trace trace = Seal({}, std::move(shards), {});
  const ThreadSwitches& switches = trace.thread_switches();
  std::string text;
  for (uint32_t row = 0; row < switches.size(); ++row)
    text += trace.threads()[switches.thread[row]].label + "@" + std::to_string(switches.time_ns[row]) + "=" +
            std::to_string(static_cast<int>(switches.state[row])) + " ";
  EXPECT_EQ(text, "2@10=0 2@40=1 2@40=3 2@60=0 3@20=2 3@50=0 ");
  ASSERT_EQ(trace.threads().size(), 2u);
  EXPECT_EQ(trace.threads()[0].first_switch, 0u);
  EXPECT_EQ(trace.threads()[0].end_switch, 4u);
  EXPECT_EQ(trace.threads()[1].first_switch, 4u);
  EXPECT_EQ(trace.threads()[1].end_switch, 6u);
  EXPECT_EQ(trace.log().kept(), 6);
}

}  // namespace
}  // namespace warpsight
