// HostNaming: names what the launching threads did during the host's share of idle gaps.
//
// Place in the flow: the idle pass gives it the gaps of one device, cut to the window; it fills IdleGap::hosts and
// IdleDevice::host_by_class. One forward sweep per launching thread (open_host_events.h), so cost is the number of events
// plus the number of gaps. Thread-compatible.
#pragma once

#include <span>
#include <vector>

#include "analysis/idle_pass.h"

namespace warpsight {

// `gaps` is the part of timeline.gaps() that device.gaps was made from, in the same order.
void NameHostTime(const Trace& trace, const IdleTimeline& timeline, std::span<const IdleInterval> gaps,
                  std::span<const std::vector<uint32_t>> overhead_by_thread, IdleDevice& device);

}  // namespace warpsight
