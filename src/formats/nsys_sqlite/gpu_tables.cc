// GPU work: kernels, copies, sets, whole graphs; and the synchronisations that CUPTI records on streams.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/cupti_names.h"
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

constexpr uint32_t kNoCuptiNumber = std::numeric_limits<uint32_t>::max();

// The number as CUPTI's: one that it can't be is none that it knows.
uint32_t CuptiNumber(std::optional<int64_t> number) {
  return number && *number >= 0 && *number < kNoCuptiNumber ? static_cast<uint32_t>(*number) : kNoCuptiNumber;
}

// nsys numbers the kinds of memory (ENUM_CUDA_MEM_KIND) from 0 where CUPTI begins at 1; 0 is CUPTI's unknown.
CuptiMemory MemoryOf(std::optional<int64_t> number) {
  const uint32_t kind = CuptiNumber(number);
  return MemoryOfCupti(kind == kNoCuptiNumber ? 0 : kind + 1);
}

void ReadCopies(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const CuptiCopy copy = CopyOfCupti(CuptiNumber(rows.Integer(kCopyKind)));
    const CuptiMemory source = MemoryOf(rows.Integer(kCopySource));
    const CuptiMemory target = MemoryOf(rows.Integer(kCopyTarget));
    std::string name(copy.name);
    if (rows.Has(kCopySource)) name += " (" + std::string(source.name) + " -> " + std::string(target.name) + ")";
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
    const CuptiMemory memory = MemoryOf(rows.Integer(kSetMemory));
    GpuWorkRow* row =
        AddWork(rows, sink, GpuKind::kMemset, sink.names().Intern("Memset (" + std::string(memory.name) + ")"));
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
  while (rows.Next()) {
    sink.Begin(rows);
    const RowTimes times = sink.ReadTimes(rows, kWorkStart, kWorkEnd);
    if (!times.usable) continue;
    if (times.open) sink.Repair("missing_end", "a synchronisation has no end: its duration is taken as 0");
    GpuSpanRow& row = sink.AddSpan(times);
    row.kind = GpuSpanKind::kSync;
    row.name = sink.names().Intern(SyncNameOfCupti(CuptiNumber(rows.Integer(kSyncType))));
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
