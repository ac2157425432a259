// The rows that importers append to a TraceBuilder: one struct a table, plain data, no framework in it.
//
// Place in the flow: importer -> rows -> TraceBuilder -> Seal -> Trace. All times are nanoseconds on the trace's clock;
// absent numbers are 0 for ids ("0 = not recorded") and kAbsent where 0 is a value.
#pragma once

#include <array>
#include <cstdint>

#include "base/string_pool.h"
#include "base/time.h"

namespace warpsight {

inline constexpr int64_t kAbsent = -1;
inline constexpr uint64_t kNoSource = ~uint64_t{0};

// What a host event is. Ops, ranges, API calls and overhead of one thread nest in one another (the "call layer"); Python
// frames nest among themselves (the "frame layer"), since a recorder writes the two with different clocks and cut-offs.
enum class HostKind : uint8_t {
  kOp,           // framework operator: aten::linear
  kRange,        // user annotation: ProfilerStep#3, record_function, NVTX range
  kApi,          // CUDA / HIP runtime or driver call
  kOverhead,     // the profiler's own work: Activity Buffer Request
  kOther,        // an event with a category that we do not know: kept, nested, not interpreted
  kRecording,    // the recorder's own span of the whole capture; it lies in no thread's nesting and outside of every sum
  kPythonFrame,  // Python function or nn.Module frame
};
constexpr size_t kHostKinds = 7;

constexpr bool IsFrame(HostKind kind) { return kind == HostKind::kPythonFrame; }

enum class GpuKind : uint8_t { kKernel, kMemcpy, kMemset };

enum class CopyKind : uint8_t { kNone, kHostToDevice, kDeviceToHost, kDeviceToDevice, kPeerToPeer, kHostToHost, kOther };
enum class MemoryKind : uint8_t { kUnknown, kPageable, kPinned, kDevice, kArray, kManaged };

// Where a row came from, so that all its arguments can be shown on demand without being held in memory.
// What the importer needs to find the event again (Importer::ReadEvent): the byte of the (inflated) file where it begins, or
// a number of its own making; kNoSource when there is none.
using SourceOffset = uint64_t;

// Small dense indices handed out by TraceBuilder.
using ThreadIndex = uint32_t;
using StreamIndex = uint32_t;
using LaunchIndex = uint32_t;      // LaunchConfig; 0 = not recorded
using CollectiveIndex = uint32_t;  // Collective; 0 = none

struct HostEventRow {
  Ns start_ns = 0;
  Ns duration_ns = 0;
  SourceOffset source = kNoSource;
  StringId name = StringId::kEmpty;
  ThreadIndex thread = 0;
  uint32_t correlation = 0;            // API calls: ties to GPU work, unique in the file. 0 = none
  uint32_t external_id = 0;            // ops: own id; API calls: id of the op that was open. 0 = none
  StringId shapes = StringId::kEmpty;  // text of the operand shapes, "[[1, 2048], [2048, 2048]]"
  // Ops: text of the operand types. What else the recorder says of other rows, empty when nothing: the domain of a range,
  // the name of an API call as recorded where `name` is shorter, the library that an event of kind kOther is of.
  StringId types = StringId::kEmpty;
  uint32_t sequence_plus_one = 0;  // autograd sequence number + 1; 0 = none
  uint16_t forward_thread = 0;     // framework's id of the forward thread (backward ops only); 0 = none
  HostKind kind = HostKind::kOther;
  uint8_t mended = 0;  // the ledger has the event as repaired: 1 + number of the cause in its shard's log; 0 = whole
};
static_assert(sizeof(HostEventRow) == 56, "importers hold one of these for every event of a file: keep it small");

struct GpuWorkRow {
  Ns start_ns = 0;
  Ns duration_ns = 0;
  SourceOffset source = kNoSource;
  StringId name = StringId::kEmpty;
  StreamIndex stream = 0;
  uint32_t correlation = 0;
  uint32_t external_id = 0;
  int64_t bytes = kAbsent;
  LaunchIndex launch_config = 0;
  CollectiveIndex collective = 0;
  uint32_t graph_id = 0;
  uint64_t graph_node_id = 0;  // CUPTI uses 64 bits
  GpuKind kind = GpuKind::kKernel;
  CopyKind copy_kind = CopyKind::kNone;
  MemoryKind source_memory = MemoryKind::kUnknown;
  MemoryKind destination_memory = MemoryKind::kUnknown;
  uint8_t mended = 0;  // the ledger has the event as repaired: 1 + number of the cause in its shard's log; 0 = whole
};

// A span on a stream that is no work of its own: projection of a host range, a recorded synchronisation, a counter range.
enum class GpuSpanKind : uint8_t { kAnnotation, kSync, kOther };

struct GpuSpanRow {
  Ns start_ns = 0;
  Ns duration_ns = 0;
  SourceOffset source = kNoSource;
  StringId name = StringId::kEmpty;
  StreamIndex stream = 0;
  uint32_t correlation = 0;
  uint32_t external_id = 0;
  GpuSpanKind kind = GpuSpanKind::kOther;
  uint8_t mended = 0;  // the ledger has the event as repaired: 1 + number of the cause in its shard's log; 0 = whole
};

// How a kernel was launched. Blocks and threads are counts, memory is bytes per block.
struct LaunchConfig {
  std::array<int32_t, 3> grid = {0, 0, 0};
  std::array<int32_t, 3> block = {0, 0, 0};
  int32_t registers_per_thread = -1;
  int32_t static_shared_bytes = -1;
  int32_t dynamic_shared_bytes = -1;
  int32_t shared_bytes = -1;                 // static and dynamic together, when the recorder gives only that
  int32_t estimated_occupancy_percent = -1;  // as the recorder printed it
  friend bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

struct Collective {
  StringId name = StringId::kEmpty;  // allreduce, allgather, ...
  StringId dtype = StringId::kEmpty;
  StringId group_name = StringId::kEmpty;
  StringId group_ranks = StringId::kEmpty;
  int64_t in_elements = kAbsent;
  int64_t out_elements = kAbsent;
  int32_t group_size = -1;
  int32_t rank = -1;
};

// A point in time: instant, memory report, counter event without a number, async begin/instant/end.
struct InstantRow {
  Ns time_ns = 0;
  SourceOffset source = kNoSource;
  StringId name = StringId::kEmpty;
  ThreadIndex thread = 0;
  char phase = 'i';  // i, C, b, n, e as in the Chrome trace format
};

// A node of a CUDA graph when it came up. Work of a replay names its node; the chain of originals leads to the node that was
// made, by a launch in a captured stream or by a call that adds one.
struct GraphNodeRow {
  Ns time_ns = 0;
  uint64_t node = 0;      // unique in its process
  uint64_t original = 0;  // that it was cloned from; 0 = it was made
  ThreadIndex thread = 0;
};

// One end of an arrow between two events.
struct FlowRow {
  Ns time_ns = 0;
  StringId category = StringId::kEmpty;
  ThreadIndex thread = 0;
  uint32_t id = 0;
  char phase = 's';  // s start, t step, f end
};

}  // namespace warpsight
