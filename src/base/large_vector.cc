#include "base/large_vector.h"

#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace warpsight {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

void* AllocateLarge(size_t bytes) {
  void* const memory = std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Only whole pages of it, or a neighbour's memory would grow with it. A refusal (no huge pages) changes nothing.
  madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return memory;
}

void FreeLarge(void* memory, size_t /*bytes*/) { std::free(memory); }

}  // namespace warpsight
