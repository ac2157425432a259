// GPU work: kernels, copies, sets, whole graphs; and the synchronisations that CUPTI records on streams.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight::nsys_sqlite {
namespace {

// What all tables of work on a stream have.
enum WorkColumn : size_t {
  kWorkStart,
  kWorkEnd,
  kWorkDevice,
  kWorkContext,
  kWorkStream,
  kWorkCorrelation,
  kWorkProcess,
  kWorkGraphNode,
  kWorkGraph,
  kWorkColumns
};
#define WARPSIGHT_WORK_COLUMNS \
  "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphNodeId", "graphId"

constexpr std::array<std::string_view, 21> kKernelColumns = {WARPSIGHT_WORK_COLUMNS,
                                                             "demangledName",
                                                             "shortName",
                                                             "registersPerThread",
                                                             "gridX",
                                                             "gridY",
                                                             "gridZ",
                                                             "blockX",
                                                             "blockY",
                                                             "blockZ",
                                                             "staticSharedMemory",
                                                             "dynamicSharedMemory",
                                                             "mangledName"};
enum KernelColumn : size_t {
  kKernelName = kWorkColumns,
  kKernelShortName,
  kKernelRegisters,
  kKernelGrid,
  kKernelBlock = kKernelGrid + 3,
  kKernelStatic = kKernelBlock + 3,
  kKernelDynamic,
  kKernelMangled
};

constexpr std::array<std::string_view, 13> kMemoryColumns = {WARPSIGHT_WORK_COLUMNS, "bytes", "copyKind", "srcKind",
                                                             "dstKind"};
constexpr std::array<std::string_view, 11> kSetColumns = {WARPSIGHT_WORK_COLUMNS, "bytes", "memKind"};
enum MemoryColumn : size_t { kMemoryBytes = kWorkColumns, kCopyKind, kCopySource, kCopyTarget, kSetMemory = kCopyKind };

constexpr std::array<std::string_view, 10> kGraphColumns = {WARPSIGHT_WORK_COLUMNS, "graphExecId"};
constexpr std::array<std::string_view, 10> kSyncColumns = {WARPSIGHT_WORK_COLUMNS, "syncType"};
enum OtherWorkColumn : size_t { kGraphExec = kWorkColumns, kSyncType = kWorkColumns };
#undef WARPSIGHT_WORK_COLUMNS

int32_t Int32Or(const TableCursor& rows, size_t column, int32_t otherwise) {
  const std::optional<int64_t> value = rows.Integer(column);
  const bool fits = value && *value >= 0 && *value <= std::numeric_limits<int32_t>::max();
  return fits ? static_cast<int32_t>(*value) : otherwise;
}

StreamIndex StreamOf(const TableCursor& rows, RowSink& sink) {
  const std::optional<int64_t> process = rows.Integer(kWorkProcess);
  return sink.names().Stream(rows.IntegerOr(kWorkDevice, 0), rows.IntegerOr(kWorkContext, kAbsent),
                             rows.IntegerOr(kWorkStream, 0), process ? ProcessOf(*process) : kNoProcess);
}

// Null when the row can't be placed in time.
GpuWorkRow* AddWork(const TableCursor& rows, RowSink& sink, GpuKind kind, StringId name) {
  const RowTimes times = sink.ReadTimes(rows, kWorkStart, kWorkEnd);
  if (!times.usable) return nullptr;
  if (times.open) sink.Repair("missing_end", "GPU work has no end: its duration is taken as 0");
  GpuWorkRow& row = sink.AddGpu(times);
  row.kind = kind;
  row.name = name;
  row.stream = StreamOf(rows, sink);
  row.correlation = CorrelationOf(rows, kWorkCorrelation);
  row.graph_node_id = static_cast<uint64_t>(rows.IntegerOr(kWorkGraphNode, 0));
  row.graph_id = static_cast<uint32_t>(Int32Or(rows, kWorkGraph, 0));
  return &row;
}

void ReadKernels(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const size_t name_column = !rows.IsNull(kKernelName)        ? kKernelName
                               : !rows.IsNull(kKernelShortName) ? kKernelShortName
                                                                : kKernelMangled;
    GpuWorkRow* row = AddWork(rows, sink, GpuKind::kKernel, sink.NameOf(rows, name_column));
    if (row == nullptr) continue;
    LaunchConfig config;
    for (size_t i = 0; i < 3; ++i) {
      config.grid[i] = Int32Or(rows, kKernelGrid + i, 0);
      config.block[i] = Int32Or(rows, kKernelBlock + i, 0);
    }
    config.registers_per_thread = Int32Or(rows, kKernelRegisters, -1);
    config.static_shared_bytes = Int32Or(rows, kKernelStatic, -1);
    config.dynamic_shared_bytes = Int32Or(rows, kKernelDynamic, -1);
    row->launch_config = sink.names().names()->InternLaunchConfig(config);
  }
}

// CUPTI's kinds of copy, by number (ENUM_CUDA_MEMCPY_OPER; files before 2022 have no such table).
struct CopyName {
  std::string_view text;
  CopyKind kind;
};
constexpr CopyName kCopyNames[] = {
    {"Memcpy", CopyKind::kOther},
    {"Memcpy HtoD", CopyKind::kHostToDevice},
    {"Memcpy DtoH", CopyKind::kDeviceToHost},
    {"Memcpy HtoA", CopyKind::kHostToDevice},
    {"Memcpy AtoH", CopyKind::kDeviceToHost},
    {"Memcpy AtoA", CopyKind::kDeviceToDevice},
    {"Memcpy AtoD", CopyKind::kDeviceToDevice},
    {"Memcpy DtoA", CopyKind::kDeviceToDevice},
    {"Memcpy DtoD", CopyKind::kDeviceToDevice},
    {"Memcpy HtoH", CopyKind::kHostToHost},
    {"Memcpy PtoP", CopyKind::kPeerToPeer},
    {"Memcpy unified HtoD", CopyKind::kHostToDevice},
    {"Memcpy unified DtoH", CopyKind::kDeviceToHost},
    {"Memcpy unified DtoD", CopyKind::kDeviceToDevice},
};

// CUPTI's kinds of memory, by number (ENUM_CUDA_MEM_KIND).
struct MemoryName {
  std::string_view text;
  MemoryKind kind;
};
constexpr MemoryName kMemoryNames[] = {
    {"Pageable", MemoryKind::kPageable},      {"Pinned", MemoryKind::kPinned},
    {"Device", MemoryKind::kDevice},          {"Array", MemoryKind::kArray},
    {"Managed", MemoryKind::kManaged},        {"Device static", MemoryKind::kDevice},
    {"Managed static", MemoryKind::kManaged}, {"Unknown", MemoryKind::kUnknown},
};

template <typename Names>
const auto& EntryOf(const Names& names, std::optional<int64_t> number, size_t otherwise) {
  return names[number && *number >= 0 && static_cast<size_t>(*number) < std::size(names) ? static_cast<size_t>(*number)
                                                                                         : otherwise];
}

void ReadCopies(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const CopyName& copy = EntryOf(kCopyNames, rows.Integer(kCopyKind), 0);
    const MemoryName& source = EntryOf(kMemoryNames, rows.Integer(kCopySource), std::size(kMemoryNames) - 1);
    const MemoryName& target = EntryOf(kMemoryNames, rows.Integer(kCopyTarget), std::size(kMemoryNames) - 1);
    std::string name(copy.text);
    if (rows.Has(kCopySource)) name += " (" + std::string(source.text) + " -> " + std::string(target.text) + ")";
    GpuWorkRow* row = AddWork(rows, sink, GpuKind::kMemcpy, sink.names().Intern(name));
    if (row == nullptr) continue;
    row->bytes = rows.IntegerOr(kMemoryBytes, kAbsent);
    row->copy_kind = copy.kind;
    row->source_memory = source.kind;
    row->destination_memory = target.kind;
  }
}

void ReadSets(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const MemoryName& memory = EntryOf(kMemoryNames, rows.Integer(kSetMemory), std::size(kMemoryNames) - 1);
    GpuWorkRow* row =
        AddWork(rows, sink, GpuKind::kMemset, sink.names().Intern("Memset (" + std::string(memory.text) + ")"));
    if (row == nullptr) continue;
    row->bytes = rows.IntegerOr(kMemoryBytes, kAbsent);
    row->destination_memory = memory.kind;
  }
}

// One row a launch of a whole graph, whose kernels were not recorded one by one: the GPU is busy for all of it.
void ReadGraphs(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const std::string name = "CUDA graph " + std::to_string(rows.IntegerOr(kWorkGraph, 0));
    GpuWorkRow* row = AddWork(rows, sink, GpuKind::kKernel, sink.names().Intern(name));
    if (row != nullptr) row->graph_id = std::max<uint32_t>(row->graph_id, 1);
  }
}

void ReadSynchronisations(TableCursor& rows, RowSink& sink) {
  constexpr std::string_view kSyncNames[] = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
  while (rows.Next()) {
    sink.Begin(rows);
    const RowTimes times = sink.ReadTimes(rows, kWorkStart, kWorkEnd);
    if (!times.usable) continue;
    if (times.open) sink.Repair("missing_end", "a synchronisation has no end: its duration is taken as 0");
    GpuSpanRow& row = sink.AddSpan(times);
    row.kind = GpuSpanKind::kSync;
    row.name = sink.names().Intern(EntryOf(kSyncNames, rows.Integer(kSyncType), 0));
    row.stream = StreamOf(rows, sink);
    row.correlation = CorrelationOf(rows, kWorkCorrelation);
  }
}

}  // namespace

TableReader KernelReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "CUPTI_ACTIVITY_KIND_KERNEL"; }, kKernelColumns,
          ReadKernels};
}

TableReader MemcpyReader() {
  return {[](const ColumnsOfTable& table) { return table.name.rfind("CUPTI_ACTIVITY_KIND_MEMCPY", 0) == 0; }, kMemoryColumns,
          ReadCopies};
}

TableReader MemsetReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "CUPTI_ACTIVITY_KIND_MEMSET"; }, kSetColumns, ReadSets};
}

TableReader GraphReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"; }, kGraphColumns,
          ReadGraphs};
}

TableReader SynchronisationReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"; }, kSyncColumns,
          ReadSynchronisations};
}

}  // namespace warpsight::nsys_sqlite
