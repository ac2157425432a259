#include "base/process_memory.h"

#include <algorithm>
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

// What malloc's heap had when the process was prepared, and up to where it was asked to be huge pages; 0 = this process does
// not ask. Threads that race here leave a part of the heap with small pages, or ask twice.
std::atomic<uintptr_t> heap_begin{0};
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
  heap_begin = end - std::min<uintptr_t>(end, kAhead);
  asked_until = heap_begin.load();
  ExpectGrownMemory();
  mallopt(M_TOP_PAD, 16 << 20);
}

// What the heap grows by is new to the system: what was asked for the rest does not hold for it.
void ExpectGrownMemory() {
  const uintptr_t end = EndOfHeap();
  uintptr_t before = asked_until;
  if (before == 0 || end <= before || !asked_until.compare_exchange_strong(before, end)) return;
  // From the page on of which a part was asked for.
  WantHugePages(std::max(before / kHugePageBytes * kHugePageBytes, heap_begin.load()), end);
}

// The system gathers what small pages there are to huge ones later on, with the holes that were just given back: a process
// that stays would grow again while it waits. The next import asks anew.
void ReturnFreeMemory() {
  malloc_trim(0);
  if (heap_begin == 0) return;
  WantSmallPages(heap_begin, EndOfHeap());
  asked_until = heap_begin.load();
}

#else

void PrepareProcessMemory() {}
void ExpectGrownMemory() {}
void ReturnFreeMemory() {}

#endif

}  // namespace warpsight
