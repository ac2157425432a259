// What the category of an event says it is: the table of all spellings, old and new, CUDA, ROCm and others.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsight::torch_json {

enum class EventClass : uint8_t {
  kOp,
  kRange,
  kApi,
  kPythonFrame,
  kOverhead,
  kRecording,
  kKernel,
  kMemcpy,
  kMemset,
  kGpuAnnotation,
  kGpuSync,
  kGpuOther,
  kUnknown,  // a category that is not in the table: kept as a host event without meaning
};

// The class of a complete (ph X) event. Comparison ignores ASCII case.
EventClass ClassifyCategory(std::string_view category);

}  // namespace warpsight::torch_json
