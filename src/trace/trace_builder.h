// TraceBuilder: what importers append to. Build, then freeze: Seal() turns builders into one immutable Trace.
//
// A builder is append only and belongs to one thread. An importer that parses in parallel gives every part of the file its
// own TraceShard; shards share a LocalNames (one a worker thread), and Seal joins them in the order given. Nothing is sorted
// or checked here: rows may come in any order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/string_pool.h"
#include "trace/counters.h"
#include "trace/cpu_samples.h"
#include "trace/import_log.h"
#include "trace/rows.h"
#include "trace/stack_tree.h"
#include "trace/tables.h"
#include "trace/thread_switches.h"
#include "trace/trace.h"

namespace warpsight {

// Names that rows refer to by index: texts, threads, streams, launch configurations, collectives, stacks.
// One a worker thread; its indices are local and are mapped to the trace's own at sealing.
class LocalNames {
 public:
  // A host thread as the file writes it; `pid` and `tid` are the text without quotes ("545", "Spans").
  ThreadIndex InternThread(std::string_view pid, std::string_view tid);
  // A stream; `context` is kAbsent when the file has none. Recorders that number streams per process and context give the
  // process: then streams of equal number are told apart by both. Without one, device and number name a stream.
  StreamIndex InternStream(int32_t device, int64_t stream, int64_t context, int64_t process = kAbsent);
  LaunchIndex InternLaunchConfig(const LaunchConfig& config);
  CollectiveIndex AddCollective(const Collective& collective);
  // A series of samples, told by name, unit, device, process and kind of its values; its rows are not used.
  CounterIndex InternCounter(const CounterSeries& series);
  const CounterSeries& counter(CounterIndex index) const { return counters_[index]; }
  size_t counter_count() const { return counters_.size(); }
  // Of a series that no more samples come for: it is found no longer under its old unit, and not yet under the new one.
  void SetCounterUnit(CounterIndex index, StringId unit) { counters_[index].unit = unit; }

  // A frame of a stack; its parent is one of these, its texts are of `strings`.
  StackIndex InternStack(const StackFrame& frame) { return stacks_.Intern(frame); }

  StringPool strings;

 private:
  friend class Sealer;
  struct ThreadKey {
    StringId pid;
    StringId tid;
  };
  struct StreamKey {
    int32_t device = 0;
    int64_t stream = 0;
    int64_t context = kAbsent;
    int64_t process = kAbsent;
    // What tells streams apart, in the order in which they stand in the trace.
    std::tuple<int32_t, int64_t, int64_t, int64_t> identity() const {
      return {device, stream, process, process == kAbsent ? kAbsent : context};
    }
  };
  std::vector<ThreadKey> threads_;
  std::vector<StreamKey> streams_;
  std::vector<LaunchConfig> launch_configs_ = {LaunchConfig{}};
  std::vector<Collective> collectives_ = {Collective{}};
  std::map<std::pair<StringId, StringId>, ThreadIndex> thread_index_;
  std::map<std::tuple<int32_t, int64_t, int64_t, int64_t>, StreamIndex> stream_index_;
  StreamIndex last_stream_ = 0;
  StackTree stacks_;
  std::vector<CounterSeries> counters_;
  std::map<std::tuple<int32_t, StringId, StringId, StringId, CounterKind>, CounterIndex> counter_index_;
  std::multimap<uint64_t, LaunchIndex> launch_index_;
  StringId last_pid_ = StringId::kEmpty;
  StringId last_tid_ = StringId::kEmpty;
  ThreadIndex last_thread_ = 0;
};

// One end of a B/E pair (Chrome's duration events); Seal joins the pairs of a thread in time order.
struct DurationEndRow {
  HostEventRow event;  // duration_ns unused
  bool begin = true;
};

// The name of a thread or process, from the file's metadata.
struct NameRow {
  ThreadIndex thread = 0;
  bool process = false;  // the name of thread's process
  std::string name;
};

// Rows of one part of the file, in file order.
struct TraceShard {
  std::shared_ptr<LocalNames> names;
  std::vector<HostEventRow> host;
  std::vector<GpuWorkRow> gpu;
  std::vector<GpuSpanRow> gpu_spans;
  std::vector<DurationEndRow> duration_ends;
  std::vector<InstantRow> instants;
  std::vector<FlowRow> flows;
  CounterColumns counters;
  std::vector<SampleRow> samples;
  std::vector<GraphNodeRow> graph_nodes;
  std::vector<ThreadSwitchRow> thread_switches;
  std::vector<NameRow> thread_names;
  bool has_shapes = false;  // of any host row
  bool has_frames = false;
  bool has_memory_reports = false;  // of an allocator, as counters
  int64_t facts = 0;                // events that state a fact and became no row of the tables above (names, sort orders)
  ImportLog log;

  // Events of the file that the rows and facts here stand for, counted from them and not from the ledger.
  int64_t events() const {
    return static_cast<int64_t>(host.size() + gpu.size() + gpu_spans.size() + duration_ends.size() + instants.size() +
                                flows.size() + samples.size() + graph_nodes.size() + thread_switches.size()) +
           counters.events() + facts;
  }
};

// Facts about the whole file.
struct TraceHeader {
  RecordingInfo recording;
  std::vector<Device> devices;
};

// How many threads sealing may use.
struct SealOptions {
  int threads = 1;
};

// Joins, sorts, nests, correlates and checks. The result does not depend on how the file was cut into shards, nor on the
// number of threads.
Trace Seal(TraceHeader header, std::vector<TraceShard> shards, const SealOptions& options);

// The plain form for tests and small importers: one shard, one thread.
class TraceBuilder {
 public:
  TraceBuilder();
  LocalNames& names() { return *shard_.names; }
  TraceShard& shard() { return shard_; }
  TraceHeader& header() { return header_; }
  StringId Intern(std::string_view text) { return names().strings.Intern(text); }
  // Appends and counts the event as read.
  void Add(const HostEventRow& row);
  void Add(const GpuWorkRow& row);
  void Add(const GpuSpanRow& row);
  void Add(const GraphNodeRow& row);
  Trace Seal() &&;

 private:
  TraceHeader header_;
  TraceShard shard_;
};

}  // namespace warpsight
