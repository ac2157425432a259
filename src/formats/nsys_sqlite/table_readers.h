// The tables of an nsys export that become rows of the trace: which reader takes which table. The one list is in
// table_readers.cc; a reader is a function in host_tables.cc, nvtx_table.cc, gpu_tables.cc, point_tables.cc or
// sample_tables.cc.
//
// A table is taken by what it has, not by the file's version: tables and columns have come and gone since 2019. A table of
// host ranges that no reader names (cuBLAS, cuDNN, MPI, OpenACC, what will come) is told by its columns.
#pragma once

#include <span>
#include <string_view>

#include "formats/nsys_sqlite/database.h"
#include "formats/nsys_sqlite/row_sink.h"

namespace warpsight::nsys_sqlite {

// HostEventRow::types of OS runtime calls.
inline constexpr std::string_view kOsRuntime = "OS runtime";

struct TableReader {
  bool (*takes)(const ColumnsOfTable& table);
  std::span<const std::string_view> columns;
  void (*read)(TableCursor& rows, RowSink& sink);
};

// The reader of a table; null when its rows are no events, or of a kind that the model has no place for.
const TableReader* ReaderOf(const ColumnsOfTable& table);

// Whether the rows of a table that has no reader have times: events that are left out, to be counted.
bool HasEventTimes(const ColumnsOfTable& table);

// host_tables.cc
TableReader ApiReader();
TableReader OsRuntimeReader();
TableReader OverheadReader();
TableReader HostRangesReader();
// nvtx_table.cc
TableReader NvtxReader();
// gpu_tables.cc
TableReader KernelReader();
TableReader MemcpyReader();
TableReader MemsetReader();
TableReader GraphReader();
TableReader SynchronisationReader();
// point_tables.cc
TableReader CudaEventReader();
TableReader DiagnosticReader();
TableReader GpuMetricReader();
TableReader GraphEventReader();
TableReader MemoryEventReader();
// sample_tables.cc
TableReader SampleReader();
TableReader CallChainReader();

}  // namespace warpsight::nsys_sqlite
