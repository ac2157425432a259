// Sealer: the steps between the rows that importers appended and the immutable Trace. Internal to src/trace.
//
//   names  ->  begin/end pairs  ->  damaged times  ->  host: sort, gather, nest  |  GPU: sort, gather  ->  correlate  ->
//   verify
//
// The two sorts run side by side when two threads are allowed. Rows are addressed by (shard, index) while unsorted; `order`
// below holds such addresses in the trace's order.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {

class Sealer {
 public:
  Sealer(TraceHeader header, std::vector<TraceShard> shards, const SealOptions& options);
  Trace Run();

 private:
  // Local index -> the trace's index, for one LocalNames.
  struct NameMaps {
    std::vector<StringId> strings;
    std::vector<ThreadIndex> threads;
    std::vector<StreamIndex> streams;
    std::vector<LaunchIndex> launch_configs;
    std::vector<CollectiveIndex> collectives;
    std::vector<CounterIndex> counters;  // kNoRow = no samples
    std::vector<StackIndex> stacks;
    std::vector<char> thread_used;  // by local index
    std::vector<char> stream_used;
  };
  // Where a row lies before sorting, and what it is sorted by.
  struct RowKey {
    // No initial values: tables of keys are written whole, and clearing them first would touch their memory twice.
    Ns start;
    Ns end;
    uint32_t shard;
    uint32_t index;
  };

  // A B event, by shard and index, and when it ends.
  struct JoinedPair {
    size_t shard = 0;
    size_t index = 0;
    Ns end = 0;
  };

  // seal_names.cc
  void MergeNames();
  void MergeStrings(const LocalNames& names, NameMaps& maps);
  void MarkUsedNames();
  void CollectThreads();
  void CollectStreams();
  void MergeLaunchTables(const LocalNames& names, NameMaps& maps);
  void NameThreads();
  void CollectDevices();
  void RemapPoints();

  // seal_counters.cc
  void CollectCounters();
  void SealCounters();
  void SortSeries(const CounterSeries& series);

  // seal_samples.cc
  void MergeStacks(const LocalNames& names, NameMaps& maps);
  void SealSamples();

  // seal_thread_switches.cc
  void SealThreadSwitches();

  // seal_graph_nodes.cc
  void SealGraphNodes();

  // seal_host.cc
  void JoinDurationEnds();
  void AddJoined(std::vector<JoinedPair> joined);
  void ExcludeZeroTimes();
  void TakeBackRepair(const TraceShard& shard, uint8_t mended);
  void SealHost();
  void GatherHost(const LargeVector<RowKey>& order);
  Interval GatherHostRows(const LargeVector<RowKey>& order, const std::vector<const NameMaps*>& maps_of, size_t first,
                          size_t end);
  int64_t NestLayer(uint32_t first, uint32_t end);
  void NestOverhead();
  uint32_t InnermostAt(const Thread& thread, Interval interval) const;

  // seal_gpu.cc
  void SealGpu();
  void GatherGpu(const LargeVector<RowKey>& order);
  void SealGpuSpans();
  void Correlate();
  void CountUnmatched();

  // The maps of one shard's names. Loops over rows fetch them once a shard, or by shard number.
  const NameMaps& maps(const TraceShard& shard) const { return maps_.at(shard.names.get()); }
  std::vector<const NameMaps*> MapsByShard() const;

  TraceHeader header_;
  std::vector<TraceShard> shards_;
  SealOptions options_;
  std::unordered_map<const LocalNames*, NameMaps> maps_;
  std::vector<const LocalNames*> names_in_order_;
  Interval host_capture_{kMaxNs, kMinNs};
  Trace trace_;
};

}  // namespace warpsight
