// Switches of threads: when the scheduler of the operating system gave a thread a processor, and when it took it away.
//
// Place in the flow: importers append ThreadSwitchRows -> sealing sorts them by thread and time. A row says what its thread
// is from its time on until that of the next row; before the first row, and after one of state kUnknown, nothing is known.
// They are points: no part of any sum of times nor of the capture's time range. Units: ns. Errors: none. Threads: sealed,
// any number may read.
#pragma once

#include <cstdint>

#include "base/large_vector.h"
#include "base/time.h"
#include "trace/rows.h"

namespace warpsight {

enum class ThreadState : uint8_t {
  kOn,         // it has a processor
  kWaiting,    // it has none and waits for something
  kPreempted,  // it has none though it could run
  kUnknown,    // not recorded
};

struct ThreadSwitchRow {
  Ns time_ns = 0;
  ThreadIndex thread = 0;
  ThreadState state = ThreadState::kOn;
};

// By thread, then time, then file order. Thread::first_switch and end_switch are rows of these.
struct ThreadSwitches {
  LargeVector<Ns> time_ns;
  LargeVector<ThreadIndex> thread;
  LargeVector<ThreadState> state;

  uint32_t size() const { return static_cast<uint32_t>(time_ns.size()); }
};

}  // namespace warpsight
