// The words for CUPTI's numbers: kinds of copies, memory, synchronisations and overhead, spelled as PyTorch's profiler and
// Nsight Systems spell them. Source: cupti_activity.h of CUDA 13.0. Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/rows.h"

namespace warpsight {

struct CuptiCopy {
  std::string_view name;
  CopyKind kind = CopyKind::kOther;
};
struct CuptiMemory {
  std::string_view name;
  MemoryKind kind = MemoryKind::kUnknown;
};

CuptiCopy CopyOfCupti(uint32_t kind);
CuptiMemory MemoryOfCupti(uint32_t kind);
std::string_view SyncNameOfCupti(uint32_t type);
std::string OverheadNameOfCupti(uint32_t kind);

}  // namespace warpsight
