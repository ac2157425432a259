// The words for what a row is, in files that people and programs read: "kernel", "host_to_device", "pinned".
//
// Threads: pure.
#pragma once

#include <string_view>

#include "trace/rows.h"

namespace warpsight {

std::string_view HostKindWord(HostKind kind);
std::string_view GpuKindWord(GpuKind kind);
std::string_view GpuSpanKindWord(GpuSpanKind kind);
// Empty when not recorded.
std::string_view CopyKindWord(CopyKind kind);
std::string_view MemoryKindWord(MemoryKind kind);

}  // namespace warpsight
