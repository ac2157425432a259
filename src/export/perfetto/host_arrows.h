// HostArrows: the arrows of a recording between events of its host threads (forward to backward op), by the event that they
// start or end at.
//
// An end belongs to the first op or call of its thread that begins at that very time, as PyTorch's profiler writes them.
// Arrows to GPU work are not among them: launches are drawn from the model's own links (launch_flows.h). Ids lie above those
// of launches. Place in the flow: asked row by row, in the order of the table. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "export/row_window.h"
#include "trace/trace.h"

namespace warpsight::perfetto {

class HostArrows {
 public:
  HostArrows(const Trace& trace, const RowWindow& window);

  // The ends at the event of a thread that begins then; threads and their times must come in order.
  std::span<const uint64_t> Take(ThreadIndex thread, Ns start);
  // Ends that no event took so far.
  int64_t untaken() const { return static_cast<int64_t>(ends_.size()) - taken_; }

 private:
  struct End {
    ThreadIndex thread;
    Ns time;
    uint64_t id;
  };
  std::vector<End> ends_;  // by thread, then time
  std::vector<uint64_t> ids_;
  size_t next_ = 0;
  int64_t taken_ = 0;
};

}  // namespace warpsight::perfetto
