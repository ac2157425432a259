// Huge pages for large pieces of memory: a hint to the system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsight {

// Size and alignment of a huge page of the processors that this is for.
inline constexpr size_t kHugePageBytes = size_t{2} << 20;

// Asks that all whole huge pages in [begin, end) be given as such: a page is then faulted in, and looked up, once for 2 MiB
// instead of 512 times. They become memory as they are touched, as all pages do. Nothing depends on it; without the system's
// support it does nothing. errno stays as it is. Threads: any.
void WantHugePages(uintptr_t begin, uintptr_t end);

// Takes that back for pages that are not there yet: those in use stay as they are.
void WantSmallPages(uintptr_t begin, uintptr_t end);

}  // namespace warpsight
