// The part of a trace that a user names in words: --range START:END and --device N of the command line, and the same of
// the server.
//
// Errors: kUsage with what may be given; kLacks for a device of a recording without GPU work. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "base/time.h"
#include "trace/trace.h"

namespace warpsight {

// A side is a whole number of ns on the trace's clock, as JSON output has it, or with a unit (ns, us, ms, s) and decimals; a
// leading + counts from the start of the capture. An empty side is the capture's. "+10ms:+20ms", "5108425130290728:",
// ":+1s".
Result<Interval> ParseRange(const std::string& text, Interval capture);

// Whether the trace has GPU work of this device.
Status CheckDevice(const Trace& trace, int32_t id);

}  // namespace warpsight
