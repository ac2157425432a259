#include "base/process_memory.h"

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/huge_pages.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <unistd.h>
#endif

namespace warpsight {

#if defined(__GLIBC__)

namespace {

// Up to where the heap was asked to be huge pages; 0 = this process has not asked for it.
std::atomic<uintptr_t> asked_until{0};

uintptr_t EndOfHeap() { return reinterpret_cast<uintptr_t>(sbrk(0)); }

}  // namespace

// An import takes much memory in pieces and gives it back once, at the end. Pages that the system took back in between would
// only be cleared and given again, and giving them 4 KiB at a time is a tenth of a report's time (docs/performance.md).
void PrepareProcessMemory() {
  constexpr size_t kAhead = size_t{192} << 20;  // address space; only what is touched becomes memory
  // One heap for all threads: those of other threads are small pieces of address space that get pages of 4 KiB. An import's
  // threads ask for few and large pieces; the server's for many small ones, which costs it 5 % (docs/performance.md).
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, kAhead);
  void* volatile grown = std::malloc(size_t{1} << 20);  // volatile: the pair must not be optimised away
  std::free(grown);
  const uintptr_t end = EndOfHeap();
  if (end > kAhead) WantHugePages(end - kAhead, end);
  asked_until = end;
  mallopt(M_TOP_PAD, 64 << 20);
}

// By what the heap grows is new to the system: it does not have what was asked for the rest of it.
void ExpectGrownMemory() {
  const uintptr_t end = EndOfHeap();
  uintptr_t before = asked_until;
  if (before == 0 || end <= before || !asked_until.compare_exchange_strong(before, end)) return;
  WantHugePages(before / kHugePageBytes * kHugePageBytes, end);
}

void ReturnFreeMemory() {
  malloc_trim(0);
  if (asked_until != 0) asked_until = EndOfHeap();  // what is taken again is new too
}

#else

void PrepareProcessMemory() {}
void ExpectGrownMemory() {}
void ReturnFreeMemory() {}

#endif

}  // namespace warpsight
