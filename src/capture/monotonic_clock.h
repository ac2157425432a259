// The clock of every record: CLOCK_MONOTONIC, which CUPTI is told to use as well.
#pragma once

#include <time.h>

#include <cstdint>

#include "wire/records.h"

namespace warpsight::capture {

inline uint64_t ClockNs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}
inline uint64_t MonotonicNs() { return ClockNs(CLOCK_MONOTONIC); }

// How the clocks stand to one another now: the reading of the wall clock lies between two of the monotonic one, of several
// tries the closest pair.
inline wire::ClockRecord ReadClocks() {
  wire::ClockRecord best;
  best.error_ns = ~uint64_t{0};
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = MonotonicNs();
    const uint64_t wall = ClockNs(CLOCK_REALTIME);
    const uint64_t after = MonotonicNs();
    const uint64_t error = (after - before + 1) / 2;
    if (error < best.error_ns) best = {before + (after - before) / 2, wall, error};
  }
  return best;
}

}  // namespace warpsight::capture
