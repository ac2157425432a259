// HostNaming: names what the launching threads did during the host's share of idle gaps.
//
// Place in the flow: the idle pass gives it the gaps of one device; it tells the host's time by class, and what was open in
// the gaps that are shown. One forward sweep per launching thread (open_host_events.h), so cost is the number of events plus
// the number of gaps. Units: ns. Thread-compatible.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/idle_pass.h"

namespace warpsight {

// What IdleGap says of the launching thread.
struct GapHosts {
  std::array<StringId, kMaxGapHosts> names = {};
  Ns first_ns = 0;
  Ns unnamed_ns = 0;
  StringId sampled = StringId::kEmpty;
};

struct HostNames {
  std::array<std::vector<HostTime>, kIdleClassCount> by_class;  // most time first
  std::vector<GapHosts> of_gaps;                                // in the order of `shown`
};

// `gaps` are gaps of `timeline` in order of time, all cut to `window`; `shown` are indices of `gaps`, each once.
HostNames NameHostTime(const Trace& trace, const IdleTimeline& timeline, std::span<const IdleInterval> gaps, Interval window,
                       std::span<const std::vector<uint32_t>> overhead_by_thread, std::span<const uint32_t> shown);

}  // namespace warpsight
