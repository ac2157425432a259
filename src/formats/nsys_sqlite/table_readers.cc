#include "formats/nsys_sqlite/table_readers.h"

#include <algorithm>
#include <array>

namespace warpsight::nsys_sqlite {

const TableReader* ReaderOf(const ColumnsOfTable& table) {
  // The first that takes a table has it; the one that goes by columns alone is last.
  static const std::array kReaders = {
      KernelReader(),          MemcpyReader(),     MemsetReader(),    GraphReader(),       ApiReader(),
      SynchronisationReader(), NvtxReader(),       OsRuntimeReader(), OverheadReader(),    CudaEventReader(),
      GraphEventReader(),      DiagnosticReader(), GpuMetricReader(), MemoryEventReader(), SampleReader(),
      CallChainReader(),       HostRangesReader(),
  };
  const auto found = std::find_if(kReaders.begin(), kReaders.end(), [&](const TableReader& r) { return r.takes(table); });
  return found == kReaders.end() ? nullptr : &*found;
}

bool HasEventTimes(const ColumnsOfTable& table) {
  return table.HasColumn("start") || table.HasColumn("timestamp") || table.HasColumn("startedAt");
}

}  // namespace warpsight::nsys_sqlite
