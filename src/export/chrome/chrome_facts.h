// What stands around the events of a Chrome trace: the facts of the recording, before and after the array.
//
// A recording that was read from Chrome JSON has its facts as text, in their order, and they are written as they were; of
// other recordings the facts that PyTorch's profiler has words for are made (devices, clock base, rank, name).
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

#include "export/exporter.h"
#include "trace/trace.h"

namespace warpsight::chrome {

// Whether the recording was read from Chrome JSON, whose words it then has.
bool IsFromChrome(const Trace& trace);

struct ChromeFrame {
  std::string before;  // up to and with the bracket that opens the events
  std::string after;   // from the bracket that closes them
};

// Facts that can't be written are told to `outcome`.
ChromeFrame FrameOf(const Trace& trace, ExportOutcome& outcome);

}  // namespace warpsight::chrome
