#include "base/process_memory.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace warpsight {

#if defined(__GLIBC__)

// An import takes much memory in pieces and gives it back once, at the end. Pages that the system took back in between would
// only be cleared and given again, and giving them 4 KiB at a time is a tenth of a report's time (docs/performance.md).
void PrepareProcessMemory() {
  constexpr size_t kAhead = size_t{192} << 20;  // address space; only what is touched becomes memory
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  // One heap for all threads: those of other threads are small pieces of address space that get pages of 4 KiB. An import's
  // threads ask for few and large pieces; the server's for many small ones, which costs it 5 % (docs/performance.md).
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, kAhead);
  void* volatile grown = std::malloc(size_t{1} << 20);  // volatile: the pair must not be optimised away
  std::free(grown);
  const auto top = reinterpret_cast<uintptr_t>(sbrk(0));
  const uintptr_t first = (top - kAhead + kHugePage - 1) / kHugePage * kHugePage;
  if (top > kAhead && first < top) madvise(reinterpret_cast<void*>(first), top - first, MADV_HUGEPAGE);
  mallopt(M_TOP_PAD, 16 << 20);
}

void ReturnFreeMemory() { malloc_trim(0); }

#else

void PrepareProcessMemory() {}
void ReturnFreeMemory() {}

#endif

}  // namespace warpsight
