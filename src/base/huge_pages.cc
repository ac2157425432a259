#include "base/huge_pages.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace warpsight {

void WantHugePages([[maybe_unused]] uintptr_t begin, [[maybe_unused]] uintptr_t end) {
#if defined(MADV_HUGEPAGE)
  const uintptr_t first = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const uintptr_t last = end / kHugePageBytes * kHugePageBytes;
  if (first >= begin && first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace warpsight
