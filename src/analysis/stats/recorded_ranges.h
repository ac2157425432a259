// RecordedRanges: the ranges of a recording that count as NVTX ranges, with the names that nsys prints, and the GPU work
// that the calls inside of each launched.
//
// nsys writes the domain before the name, ":step" in the domain without a name. Ops that PyTorch wrote as ranges (emit_nvtx)
// are ranges in an nsys recording and get their whole text back. Place in the flow: Trace -> RecordedRanges -> range
// reports. Units: ns. Errors: none. Threads: pure after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

class RecordedRanges {
 public:
  explicit RecordedRanges(const Trace& trace);

  // Whether the row is a range.
  bool Has(uint32_t host_row) const;
  // Ranges between a start and an end mark, which do not nest in their thread.
  bool IsStartEnd(uint32_t host_row) const { return owner_[trace_.host().thread[host_row]] != kNoThread; }
  std::string PrintedName(uint32_t host_row) const;

  // First start, last end and number of the GPU work launched by calls that lie wholly in the range, on the range's thread.
  struct Projection {
    Interval time;
    int64_t operations = 0;
    Ns work_ns = 0;  // sum of their durations
  };
  std::optional<Projection> ProjectionOf(uint32_t host_row) const;

 private:
  static constexpr ThreadIndex kNoThread = ~ThreadIndex{0};
  // A call with the extent of the work that it launched.
  struct Launch {
    Ns start;
    Ns end;
    Interval work;
    int64_t operations;
    Ns work_ns;
  };
  void CollectLaunches();

  const Trace& trace_;
  bool ops_are_ranges_;
  std::vector<ThreadIndex> owner_;             // of a line of start/end ranges: the thread that they are of
  std::vector<std::vector<Launch>> launches_;  // by thread, by start
};

}  // namespace warpsight
