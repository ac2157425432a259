#include "analysis/off_cpu.h"

#include <algorithm>

namespace warpsight {

OffCpu& OffCpu::operator+=(const OffCpu& other) {
  asked_ns += other.asked_ns;
  known_ns += other.known_ns;
  waiting_ns += other.waiting_ns;
  preempted_ns += other.preempted_ns;
  return *this;
}

OffCpu OffCpuIn(const Trace& trace, ThreadIndex thread, Interval time) {
  const ThreadSwitches& switches = trace.thread_switches();
  const uint32_t first = trace.threads()[thread].first_switch;
  const uint32_t end = trace.threads()[thread].end_switch;
  const auto begin = switches.time_ns.begin();
  const auto after = std::upper_bound(begin + first, begin + end, time.start);
  OffCpu off;
  off.asked_ns = std::max<Ns>(time.duration(), 0);
  // From the last row at or before the start on.
  for (uint32_t row = std::max(first, static_cast<uint32_t>(after - begin) - (after == begin + first ? 0 : 1));
       row + 1 < end; ++row) {
    if (switches.time_ns[row] >= time.end) break;
    const Ns lasts = Intersect(Interval{switches.time_ns[row], switches.time_ns[row + 1]}, time).duration();
    const ThreadState state = switches.state[row];
    if (lasts <= 0 || state == ThreadState::kUnknown) continue;
    off.known_ns += lasts;
    if (state == ThreadState::kWaiting) off.waiting_ns += lasts;
    if (state == ThreadState::kPreempted) off.preempted_ns += lasts;
  }
  return off;
}

}  // namespace warpsight
