// Switches of threads in sealing: their threads are mapped, and they are sorted by thread and time.
#include "trace/run_sort.h"
#include "trace/sealer.h"

namespace warpsight {

void Sealer::SealThreadSwitches() {
  std::vector<ThreadSwitchRow> rows;
  for (TraceShard& shard : shards_) {
    const NameMaps& map = maps(shard);
    for (const ThreadSwitchRow& row : shard.thread_switches)
      rows.push_back({row.time_ns, map.threads[row.thread], row.state});
    shard.thread_switches = {};
  }
  // Recorders write those of one thread together, in the order of time, a fraction of a second at once.
  RunSort(rows, [](const ThreadSwitchRow& a, const ThreadSwitchRow& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.time_ns < b.time_ns;
  });
  ThreadSwitches& switches = trace_.thread_switches_;
  switches.time_ns.resize(rows.size());
  switches.thread.resize(rows.size());
  switches.state.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    switches.time_ns[i] = rows[i].time_ns;
    switches.thread[i] = rows[i].thread;
    switches.state[i] = rows[i].state;
  }
  uint32_t next = 0;
  for (ThreadIndex thread = 0; thread < trace_.threads_.size(); ++thread) {
    trace_.threads_[thread].first_switch = next;
    while (next < switches.size() && switches.thread[next] == thread) ++next;
    trace_.threads_[thread].end_switch = next;
  }
}

}  // namespace warpsight
