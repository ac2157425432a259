// Trace: the sealed, immutable recording. Every analysis reads this and nothing else.
//
// Columns, one value a row. Row order is part of the contract:
//   host events  by thread, then layer (calls before frames), then start, then longer first, then file order. The rows of a
//                thread and layer are therefore contiguous, and a parent always stands before its children.
//   GPU work     by device, then start, then end, then stream, then file order.
//   GPU spans    by device, then start.
//   counters     series by device, process, name, unit; their samples by time.
//   CPU samples  by thread, then time, then file order.
// After sealing nothing changes, so any number of threads may read.
// Units: ns everywhere. Row numbers are uint32; kNoRow says "none".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/large_vector.h"
#include "base/string_pool.h"
#include "base/time.h"
#include "trace/counters.h"
#include "trace/cpu_samples.h"
#include "trace/import_log.h"
#include "trace/rows.h"
#include "trace/stack_tree.h"
#include "trace/tables.h"
#include "trace/thread_switches.h"

namespace warpsight {

inline constexpr uint32_t kNoRow = ~uint32_t{0};

struct HostEvents {
  LargeVector<Ns> start_ns;
  LargeVector<Ns> end_ns;
  LargeVector<StringId> name;
  LargeVector<HostKind> kind;
  LargeVector<ThreadIndex> thread;
  // Innermost event of the same thread and layer that contains this one wholly; kNoRow at top level. Partial overlap is no
  // containment: both events stay, side by side, and the case is counted in the ledger (host_partial_overlap).
  // Overhead records that the recorder wrote on no thread (pid -1) hang below the innermost call or op that contains them.
  LargeVector<uint32_t> parent;
  LargeVector<uint32_t> correlation;
  LargeVector<uint32_t> external_id;
  LargeVector<StringId> shapes;
  LargeVector<StringId> types;
  LargeVector<uint32_t> sequence_plus_one;
  LargeVector<uint16_t> forward_thread;
  LargeVector<SourceOffset> source;

  uint32_t size() const { return static_cast<uint32_t>(start_ns.size()); }
  Ns duration_ns(uint32_t row) const { return end_ns[row] - start_ns[row]; }
};

struct GpuWork {
  LargeVector<Ns> start_ns;
  LargeVector<Ns> end_ns;
  LargeVector<StringId> name;
  LargeVector<GpuKind> kind;
  LargeVector<StreamIndex> stream;
  LargeVector<uint32_t> correlation;
  LargeVector<uint32_t> external_id;
  // The API call that launched the work (host row, by correlation id), kNoRow when the file has none.
  LargeVector<uint32_t> launch;
  // The op or range that was innermost when the work was launched (host row): by External id when the file has one, else by
  // containment of the launch; kNoRow when unknown.
  LargeVector<uint32_t> op;
  LargeVector<int64_t> bytes;  // copies and sets; kAbsent otherwise
  LargeVector<LaunchIndex> launch_config;
  LargeVector<CollectiveIndex> collective;
  LargeVector<uint32_t> graph_id;
  LargeVector<uint64_t> graph_node_id;
  LargeVector<CopyKind> copy_kind;
  LargeVector<MemoryKind> source_memory;
  LargeVector<MemoryKind> destination_memory;
  LargeVector<SourceOffset> source;

  uint32_t size() const { return static_cast<uint32_t>(start_ns.size()); }
  Ns duration_ns(uint32_t row) const { return end_ns[row] - start_ns[row]; }
};

struct GpuSpans {
  LargeVector<Ns> start_ns;
  LargeVector<Ns> end_ns;
  LargeVector<StringId> name;
  LargeVector<GpuSpanKind> kind;
  LargeVector<StreamIndex> stream;
  LargeVector<uint32_t> external_id;
  LargeVector<SourceOffset> source;
  uint32_t size() const { return static_cast<uint32_t>(start_ns.size()); }
};

// How well the attribution chain held; every number is a count of GPU work rows.
struct AttributionCounts {
  int64_t with_launch = 0;
  int64_t without_launch = 0;      // the call was outside of the recording, or the file has no calls
  int64_t by_external_id = 0;      // op found through External id
  int64_t by_containment = 0;      // op found by containment of the launch only
  int64_t disagreements = 0;       // External id and containment name different ops
  int64_t launch_after_start = 0;  // GPU work that starts before its launch call: clock error
};

class Trace {
 public:
  const StringPool& strings() const { return strings_; }
  std::string_view Text(StringId id) const { return strings_.View(id); }

  const HostEvents& host() const { return host_; }
  const GpuWork& gpu() const { return gpu_; }
  const GpuSpans& gpu_spans() const { return gpu_spans_; }

  const std::vector<Thread>& threads() const { return threads_; }
  const std::vector<Stream>& streams() const { return streams_; }
  // Every device the file names or uses, by id. Only those with has_work have rows.
  const std::vector<Device>& devices() const { return devices_; }
  // The device with this id, null when the trace has none.
  const Device* FindDevice(int32_t id) const;
  int32_t device_of(uint32_t gpu_row) const { return streams_[gpu_.stream[gpu_row]].device; }

  // Index 0 of both is "not recorded".
  const LaunchConfig& launch_config(LaunchIndex index) const { return launch_configs_[index]; }
  const Collective& collective(CollectiveIndex index) const { return collectives_[index]; }

  // Segments in file order.
  const std::vector<std::vector<FlowRow>>& flows() const { return flows_; }
  const std::vector<std::vector<InstantRow>>& instants() const { return instants_; }
  // Sampled values; each series has its rows of the samples.
  const std::vector<CounterSeries>& counters() const { return counters_; }
  const CounterSamples& counter_samples() const { return counter_samples_; }
  // Events of the file that the samples come from: one may have given several.
  int64_t counter_events() const { return counter_events_; }
  // What threads were executing; stacks are indices of the tree.
  const CpuSamples& cpu_samples() const { return cpu_samples_; }
  const StackTree& stacks() const { return stacks_; }

  const ThreadSwitches& thread_switches() const { return thread_switches_; }

  // By process, then node, then those that tell an original before those that do not, then time.
  const std::vector<GraphNodeRow>& graph_nodes() const { return graph_nodes_; }

  int64_t flow_count() const;
  int64_t instant_count() const;

  const RecordingInfo& recording() const { return recording_; }
  const ImportLog& log() const { return log_; }
  const AttributionCounts& attribution() const { return attribution_; }

  // [first start, last end) over host events and GPU work, without the recorder's own span. Empty for an empty trace.
  Interval capture() const { return capture_; }

 private:
  friend class Sealer;
  StringPool strings_;
  HostEvents host_;
  GpuWork gpu_;
  GpuSpans gpu_spans_;
  std::vector<Thread> threads_;
  std::vector<Stream> streams_;
  std::vector<Device> devices_;
  std::vector<LaunchConfig> launch_configs_;
  std::vector<Collective> collectives_;
  std::vector<std::vector<FlowRow>> flows_;
  std::vector<std::vector<InstantRow>> instants_;
  std::vector<CounterSeries> counters_;
  CounterSamples counter_samples_;
  int64_t counter_events_ = 0;
  CpuSamples cpu_samples_;
  StackTree stacks_;
  ThreadSwitches thread_switches_;
  std::vector<GraphNodeRow> graph_nodes_;
  RecordingInfo recording_;
  ImportLog log_;
  AttributionCounts attribution_;
  Interval capture_;
};

}  // namespace warpsight
