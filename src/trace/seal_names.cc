// Joins the names of all workers into one set, in an order that does not depend on how the work was split.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>

#include "base/decimal.h"
#include "trace/sealer.h"

namespace warpsight {
namespace {

// Threads of real processes first, in numeric order; text labels and pid -1 (the recorder's own rows) last, so that a parent
// thread stands before the overhead rows that hang below its events.
auto ThreadOrder(const Thread& thread) {
  const bool last = thread.pid < 0;
  return std::make_tuple(last, thread.pid, thread.process_label, thread.tid, thread.label);
}

// Of one device and number.
void LabelAlike(std::span<Stream> alike) {
  std::map<int64_t, size_t> of_process;
  for (const Stream& stream : alike) ++of_process[stream.process];
  for (Stream& stream : alike) {
    if (stream.process == kAbsent) continue;
    const size_t peers = of_process[stream.process];
    if (peers < alike.size()) stream.label += " of process " + std::to_string(stream.process);
    if (peers > 1) stream.label += ", context " + std::to_string(stream.context);
  }
}

// Streams of one device that carry the same number (which stand side by side) get what tells them apart into their labels.
void LabelEqualStreams(std::vector<Stream>& streams) {
  const auto equal = [](const Stream& a, const Stream& b) { return a.device == b.device && a.stream == b.stream; };
  for (auto first = streams.begin(); first != streams.end();) {
    const auto last = std::find_if(first, streams.end(), [&](const Stream& other) { return !equal(*first, other); });
    if (last - first > 1) LabelAlike(std::span(first, last));
    first = last;
  }
}

}  // namespace

void Sealer::MergeNames() {
  for (const TraceShard& shard : shards_) {
    if (maps_.try_emplace(shard.names.get()).second) names_in_order_.push_back(shard.names.get());
  }
  for (const LocalNames* names : names_in_order_) MergeStrings(*names, maps_[names]);
  MarkUsedNames();
  CollectThreads();
  CollectStreams();
  CollectCounters();
  trace_.launch_configs_ = {LaunchConfig{}};
  trace_.collectives_ = {Collective{}};
  for (const LocalNames* names : names_in_order_) {
    MergeLaunchTables(*names, maps_[names]);
    MergeStacks(*names, maps_[names]);
  }
  NameThreads();
}

std::vector<const Sealer::NameMaps*> Sealer::MapsByShard() const {
  std::vector<const NameMaps*> by_shard;
  for (const TraceShard& shard : shards_) by_shard.push_back(&maps(shard));
  return by_shard;
}

void Sealer::MergeStrings(const LocalNames& names, NameMaps& maps) {
  maps.strings.resize(names.strings.size());
  for (uint32_t id = 1; id < names.strings.size(); ++id) {
    maps.strings[id] = trace_.strings_.Intern(names.strings.View(StringId{id}));
  }
}

// Marks the threads and streams that rows refer to. A worker may have met others in text that turned out to be no events.
void Sealer::MarkUsedNames() {
  for (const LocalNames* names : names_in_order_) {
    maps_[names].thread_used.assign(names->threads_.size(), 0);
    maps_[names].stream_used.assign(names->streams_.size(), 0);
  }
  for (const TraceShard& shard : shards_) {
    NameMaps& map = maps_[shard.names.get()];
    const auto mark_threads = [&](const auto& rows) {
      for (const auto& row : rows) map.thread_used[row.thread] = 1;
    };
    const auto mark_streams = [&](const auto& rows) {
      for (const auto& row : rows) map.stream_used[row.stream] = 1;
    };
    mark_threads(shard.host);
    mark_threads(shard.instants);
    mark_threads(shard.flows);
    mark_threads(shard.samples);
    mark_threads(shard.graph_nodes);
    mark_threads(shard.thread_switches);
    mark_threads(shard.thread_names);
    for (const DurationEndRow& row : shard.duration_ends) map.thread_used[row.event.thread] = 1;
    mark_streams(shard.gpu);
    mark_streams(shard.gpu_spans);
  }
}

void Sealer::CollectThreads() {
  std::map<std::pair<std::string_view, std::string_view>, ThreadIndex> known;
  for (const LocalNames* names : names_in_order_) {
    for (size_t i = 0; i < names->threads_.size(); ++i) {
      const LocalNames::ThreadKey& key = names->threads_[i];
      if (maps_[names].thread_used[i] != 0)
        known.try_emplace({names->strings.View(key.pid), names->strings.View(key.tid)}, 0);
    }
  }
  for (const auto& [labels, unused] : known) {
    Thread thread;
    thread.process_label = labels.first;
    thread.label = labels.second;
    thread.pid = ParseInteger(labels.first).value_or(-1);
    thread.tid = ParseInteger(labels.second).value_or(-1);
    trace_.threads_.push_back(std::move(thread));
  }
  std::sort(trace_.threads_.begin(), trace_.threads_.end(),
            [](const Thread& a, const Thread& b) { return ThreadOrder(a) < ThreadOrder(b); });
  for (ThreadIndex index = 0; index < trace_.threads_.size(); ++index) {
    const Thread& thread = trace_.threads_[index];
    known[{thread.process_label, thread.label}] = index;
  }
  for (const LocalNames* names : names_in_order_) {
    for (const LocalNames::ThreadKey& key : names->threads_) {
      const auto found = known.find({names->strings.View(key.pid), names->strings.View(key.tid)});
      maps_[names].threads.push_back(found == known.end() ? 0 : found->second);
    }
  }
}

void Sealer::CollectStreams() {
  std::map<std::tuple<int32_t, int64_t, int64_t, int64_t>, StreamIndex> known;
  std::map<std::tuple<int32_t, int64_t, int64_t, int64_t>, int64_t> contexts;
  for (const LocalNames* names : names_in_order_) {
    for (size_t i = 0; i < names->streams_.size(); ++i) {
      if (maps_[names].stream_used[i] == 0) continue;
      const LocalNames::StreamKey& key = names->streams_[i];
      known.try_emplace(key.identity(), 0);
      int64_t& context = contexts.try_emplace(key.identity(), kAbsent).first->second;
      context = std::max(context, key.context);
    }
  }
  for (auto& [key, index] : known) {
    index = static_cast<StreamIndex>(trace_.streams_.size());
    const auto [device, stream, process, unused] = key;
    trace_.streams_.push_back({device, contexts[key], stream, process, std::to_string(stream)});
  }
  LabelEqualStreams(trace_.streams_);
  for (const LocalNames* names : names_in_order_) {
    for (const LocalNames::StreamKey& key : names->streams_) {
      const auto found = known.find(key.identity());
      maps_[names].streams.push_back(found == known.end() ? 0 : found->second);
    }
  }
}

void Sealer::MergeLaunchTables(const LocalNames& names, NameMaps& maps) {
  maps.launch_configs.push_back(0);
  for (size_t index = 1; index < names.launch_configs_.size(); ++index) {
    maps.launch_configs.push_back(static_cast<LaunchIndex>(trace_.launch_configs_.size()));
    trace_.launch_configs_.push_back(names.launch_configs_[index]);
  }
  maps.collectives.push_back(0);
  for (size_t index = 1; index < names.collectives_.size(); ++index) {
    Collective collective = names.collectives_[index];
    collective.name = maps.strings[static_cast<uint32_t>(collective.name)];
    collective.dtype = maps.strings[static_cast<uint32_t>(collective.dtype)];
    collective.group_name = maps.strings[static_cast<uint32_t>(collective.group_name)];
    collective.group_ranks = maps.strings[static_cast<uint32_t>(collective.group_ranks)];
    maps.collectives.push_back(static_cast<CollectiveIndex>(trace_.collectives_.size()));
    trace_.collectives_.push_back(collective);
  }
}

void Sealer::NameThreads() {
  std::map<std::string_view, std::string_view> processes;  // the first name of a process counts
  for (const TraceShard& shard : shards_) {
    for (const NameRow& row : shard.thread_names) {
      Thread& thread = trace_.threads_[maps(shard).threads[row.thread]];
      if (row.process) {
        processes.try_emplace(thread.process_label, row.name);
      } else {
        thread.name = row.name;
      }
    }
  }
  for (Thread& thread : trace_.threads_) {
    if (const auto found = processes.find(thread.process_label); found != processes.end())
      thread.process_name = found->second;
  }
}

void Sealer::CollectDevices() {
  trace_.devices_ = std::move(header_.devices);
  std::unordered_set<int32_t> known;
  for (const Device& device : trace_.devices_) known.insert(device.id);
  const auto add = [&](int32_t device) {
    if (known.insert(device).second) trace_.devices_.emplace_back().id = device;
  };
  for (const Stream& stream : trace_.streams_) add(stream.device);
  for (const CounterSeries& series : trace_.counters_) {
    if (series.device >= 0) add(series.device);
  }
  std::sort(trace_.devices_.begin(), trace_.devices_.end(), [](const Device& a, const Device& b) { return a.id < b.id; });
  uint32_t row = 0;
  for (Device& device : trace_.devices_) {
    device.first_work = row;
    while (row < trace_.gpu_.size() && trace_.device_of(row) == device.id) ++row;
    device.end_work = row;
    device.has_work = device.end_work > device.first_work;
  }
}

void Sealer::RemapPoints() {
  for (TraceShard& shard : shards_) {
    const NameMaps& map = maps(shard);
    for (FlowRow& row : shard.flows) {
      row.category = map.strings[static_cast<uint32_t>(row.category)];
      row.thread = map.threads[row.thread];
    }
    for (InstantRow& row : shard.instants) {
      row.name = map.strings[static_cast<uint32_t>(row.name)];
      row.thread = map.threads[row.thread];
    }
    if (!shard.flows.empty()) trace_.flows_.push_back(std::move(shard.flows));
    if (!shard.instants.empty()) trace_.instants_.push_back(std::move(shard.instants));
  }
}

}  // namespace warpsight
