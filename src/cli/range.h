// --range START:END
#pragma once

#include <string>

#include "base/status.h"
#include "base/time.h"

namespace warpsight {

// A side is a whole number of ns on the trace's clock, as JSON output has it, or with a unit (ns, us, ms, s) and decimals; a
// leading + counts from the start of the capture. An empty side is the capture's. "+10ms:+20ms", "5108425130290728:",
// ":+1s".
Result<Interval> ParseRange(const std::string& text, Interval capture);

}  // namespace warpsight
