// Fields of GPU records: triples like [16, 1, 1], and what the name of a copy says about it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "trace/rows.h"

namespace warpsight::torch_json {

// "[16, 1, 1]" -> {16, 1, 1}; zeros for anything else.
std::array<int32_t, 3> ParseTriple(std::string_view text);

struct CopyDescription {
  CopyKind kind = CopyKind::kOther;
  MemoryKind source = MemoryKind::kUnknown;
  MemoryKind destination = MemoryKind::kUnknown;
};

// "Memcpy HtoD (Pinned -> Device)", and ROCm's "CopyHostToDevice" / "Memcpy HtoD (Host -> Device)".
CopyDescription DescribeCopy(std::string_view name);

// "Memset (Device)".
MemoryKind DescribeMemset(std::string_view name);

}  // namespace warpsight::torch_json
