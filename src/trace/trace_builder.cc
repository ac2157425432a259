#include "trace/trace_builder.h"

#include "base/text_hash.h"

namespace warpsight {

ThreadIndex LocalNames::InternThread(std::string_view pid, std::string_view tid) {
  // Events of one thread come in long runs: compare with the last one before any lookup.
  if (!threads_.empty() && EqualText(strings.View(last_pid_), pid) && EqualText(strings.View(last_tid_), tid))
    return last_thread_;
  const std::pair key(strings.Intern(pid), strings.Intern(tid));
  const auto [found, added] = thread_index_.try_emplace(key, static_cast<ThreadIndex>(threads_.size()));
  if (added) threads_.push_back({key.first, key.second});
  last_pid_ = key.first;
  last_tid_ = key.second;
  return last_thread_ = found->second;
}

StreamIndex LocalNames::InternStream(int32_t device, int64_t stream, int64_t context, int64_t process) {
  const StreamKey key{device, stream, context, process};
  // Records of one stream come in long runs.
  if (streams_.empty() || streams_[last_stream_].identity() != key.identity()) {
    const auto [found, added] = stream_index_.try_emplace(key.identity(), static_cast<StreamIndex>(streams_.size()));
    if (added) streams_.push_back(key);
    last_stream_ = found->second;
  }
  StreamKey& known = streams_[last_stream_];
  if (known.context == kAbsent) known.context = context;
  return last_stream_;
}

LaunchIndex LocalNames::InternLaunchConfig(const LaunchConfig& config) {
  static_assert(std::has_unique_object_representations_v<LaunchConfig>);
  const uint64_t hash = HashText({reinterpret_cast<const char*>(&config), sizeof(config)});
  const auto [first, last] = launch_index_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (launch_configs_[at->second] == config) return at->second;
  }
  const auto index = static_cast<LaunchIndex>(launch_configs_.size());
  launch_configs_.push_back(config);
  launch_index_.emplace(hash, index);
  return index;
}

CollectiveIndex LocalNames::AddCollective(const Collective& collective) {
  collectives_.push_back(collective);
  return static_cast<CollectiveIndex>(collectives_.size() - 1);
}

CounterIndex LocalNames::InternCounter(const CounterSeries& series) {
  const auto [found, added] = counter_index_.try_emplace(
      {series.device, series.process, series.name, series.unit, series.kind}, static_cast<CounterIndex>(counters_.size()));
  if (added) counters_.push_back(series);
  return found->second;
}

TraceBuilder::TraceBuilder() { shard_.names = std::make_shared<LocalNames>(); }

void TraceBuilder::Add(const HostEventRow& row) {
  shard_.log.CountRead();
  shard_.host.push_back(row);
}

void TraceBuilder::Add(const GpuWorkRow& row) {
  shard_.log.CountRead();
  shard_.gpu.push_back(row);
}

void TraceBuilder::Add(const GpuSpanRow& row) {
  shard_.log.CountRead();
  shard_.gpu_spans.push_back(row);
}

void TraceBuilder::Add(const GraphNodeRow& row) {
  shard_.log.CountRead();
  shard_.graph_nodes.push_back(row);
}

Trace TraceBuilder::Seal() && {
  std::vector<TraceShard> shards;
  shards.push_back(std::move(shard_));
  return warpsight::Seal(std::move(header_), std::move(shards), SealOptions{});
}

}  // namespace warpsight
