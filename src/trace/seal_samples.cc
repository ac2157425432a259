// CPU samples in sealing: the stack trees of all workers become one, samples are sorted by thread and time.
#include "trace/run_sort.h"
#include "trace/sealer.h"

namespace warpsight {

void Sealer::MergeStacks(const LocalNames& names, NameMaps& maps) {
  maps.stacks.assign(1, 0);
  maps.stacks.reserve(names.stacks_.size());
  for (StackIndex index = 1; index < names.stacks_.size(); ++index) {
    StackFrame frame = names.stacks_.frame(index);
    frame.parent = maps.stacks[frame.parent];  // which stands before it
    frame.function = maps.strings[static_cast<uint32_t>(frame.function)];
    frame.module = maps.strings[static_cast<uint32_t>(frame.module)];
    maps.stacks.push_back(trace_.stacks_.Intern(frame));
  }
}

void Sealer::SealSamples() {
  std::vector<SampleRow> rows;
  for (TraceShard& shard : shards_) {
    const NameMaps& map = maps(shard);
    for (const SampleRow& row : shard.samples) rows.push_back({row.time_ns, map.threads[row.thread], map.stacks[row.stack]});
    shard.samples = {};
  }
  // Recorders write the samples of all threads together, nearly in the order of time.
  RunSort(rows, [](const SampleRow& a, const SampleRow& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.time_ns < b.time_ns;
  });
  CpuSamples& samples = trace_.cpu_samples_;
  samples.time_ns.resize(rows.size());
  samples.thread.resize(rows.size());
  samples.stack.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    samples.time_ns[i] = rows[i].time_ns;
    samples.thread[i] = rows[i].thread;
    samples.stack[i] = rows[i].stack;
  }
  uint32_t next = 0;
  for (ThreadIndex thread = 0; thread < trace_.threads_.size(); ++thread) {
    trace_.threads_[thread].first_sample = next;
    while (next < samples.size() && samples.thread[next] == thread) ++next;
    trace_.threads_[thread].end_sample = next;
  }
}

}  // namespace warpsight
