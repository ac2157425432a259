#include "formats/torch_json/category.h"

#include <algorithm>

namespace warpsight::torch_json {
namespace {

struct CategoryRow {
  std::string_view category;  // lower case
  EventClass event_class;
};

// Kineto writes the lower-case names since 2022; the capitalised ones are of 2021.
constexpr CategoryRow kCategories[] = {
    {"cpu_op", EventClass::kOp},
    {"operator", EventClass::kOp},
    {"kernel", EventClass::kKernel},
    {"cuda_runtime", EventClass::kApi},
    {"cuda_driver", EventClass::kApi},
    {"runtime", EventClass::kApi},
    {"driver", EventClass::kApi},
    {"hip_runtime", EventClass::kApi},
    {"hip_driver", EventClass::kApi},
    {"xpu_runtime", EventClass::kApi},
    {"xpu_driver", EventClass::kApi},
    {"mtia_runtime", EventClass::kApi},
    {"glow_runtime", EventClass::kApi},
    {"privateuse1_runtime", EventClass::kApi},
    {"privateuse1_driver", EventClass::kApi},
    {"python_function", EventClass::kPythonFrame},
    {"user_annotation", EventClass::kRange},
    {"gpu_memcpy", EventClass::kMemcpy},
    {"memcpy", EventClass::kMemcpy},
    {"gpu_memset", EventClass::kMemset},
    {"memset", EventClass::kMemset},
    {"gpu_user_annotation", EventClass::kGpuAnnotation},
    {"cuda_sync", EventClass::kGpuSync},
    {"mtia_ccp_events", EventClass::kKernel},
    {"concurrent_kernel", EventClass::kKernel},
    {"cuda_profiler_range", EventClass::kGpuOther},
    {"overhead", EventClass::kOverhead},
    {"trace", EventClass::kRecording},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool EqualIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) { return Lower(a) == b; });
}

}  // namespace

EventClass ClassifyCategory(std::string_view category) {
  for (const CategoryRow& row : kCategories) {
    if (EqualIgnoringCase(category, row.category)) return row.event_class;
  }
  return EventClass::kUnknown;
}

}  // namespace warpsight::torch_json
