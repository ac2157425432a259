// OffCpu: how long a thread had no processor, by the switches that the recorder noted.
//
// Place in the flow: Trace::thread_switches -> this -> the idle pass. A thread is in the state of a row until its next row.
// Nothing is known before its first row, behind its last one and behind one of state kUnknown: that is no time off the CPU,
// so sums are at most what it was. Units: ns. Errors: none. Threads: pure.
#pragma once

#include "trace/trace.h"

namespace warpsight {

struct OffCpu {
  Ns asked_ns = 0;
  Ns known_ns = 0;      // of it, time in which the thread's state was recorded
  Ns waiting_ns = 0;    // it waited for something
  Ns preempted_ns = 0;  // it could have run

  bool whole() const { return known_ns > 0 && known_ns == asked_ns; }
  Ns off_ns() const { return waiting_ns + preempted_ns; }
  OffCpu& operator+=(const OffCpu& other);
};

OffCpu OffCpuIn(const Trace& trace, ThreadIndex thread, Interval time);

}  // namespace warpsight
