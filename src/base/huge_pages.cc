#include "base/huge_pages.h"

#include <cerrno>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace warpsight {

#if defined(MADV_HUGEPAGE)

namespace {

void Advise(uintptr_t begin, uintptr_t end, int advice) {
  const uintptr_t first = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const uintptr_t last = end / kHugePageBytes * kHugePageBytes;
  if (first < begin || first >= last) return;
  const int before = errno;
  madvise(reinterpret_cast<void*>(first), last - first, advice);
  errno = before;
}

}  // namespace

void WantHugePages(uintptr_t begin, uintptr_t end) { Advise(begin, end, MADV_HUGEPAGE); }
void WantSmallPages(uintptr_t begin, uintptr_t end) { Advise(begin, end, MADV_NOHUGEPAGE); }

#else

void WantHugePages(uintptr_t /*begin*/, uintptr_t /*end*/) {}
void WantSmallPages(uintptr_t /*begin*/, uintptr_t /*end*/) {}

#endif

}  // namespace warpsight
