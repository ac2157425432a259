// Names of CUDA's API calls as CUPTI gives them.
//
// Headers only, so that the library that is injected into programs can have it. Threads: pure.
#pragma once

#include <string_view>

namespace warpsight {

// "cudaMalloc_v3020" without the version of CUDA that brought the function. A version is four digits or more: cuMemAlloc_v2
// is another function than cuMemAlloc.
inline std::string_view WithoutCudaVersion(std::string_view name) {
  const size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits < 2 || name.size() - digits - 1 < 4) return name;
  return name.substr(digits - 1, 2) == "_v" ? name.substr(0, digits - 1) : name;
}

}  // namespace warpsight
