// LaunchFlows: the arrows from API calls to the work that they launched, by host row.
//
// Each piece of work is an arrow of its own (its row + 1), so that a graph launch points at all of its kernels and none of
// them at the next; of a call with more work than kMostOfCall, the rest share the last one.
// Memory: 4 bytes a host row and 4 a row of GPU work. Threads: made once, then read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "export/perfetto/packet_writer.h"
#include "export/row_window.h"
#include "trace/trace.h"

namespace warpsight::perfetto {

class LaunchFlows {
 public:
  // Arrows of its own that a call may have; half of what an event may have.
  static constexpr size_t kMostOfCall = PacketWriter::kMostFlows / 2;

  LaunchFlows(const Trace& trace, RowWindow window);

  // Rows of GPU work that the call launched, in the order of the table.
  std::span<const uint32_t> WorkOf(uint32_t host_row) const {
    if (first_.empty()) return {};
    return std::span(work_).subspan(first_[host_row], first_[host_row + 1] - first_[host_row]);
  }
  // The arrow that ends at this row; 0 = none.
  uint64_t FlowTo(uint32_t gpu_row) const { return flow_to_.empty() ? 0 : flow_to_[gpu_row]; }

 private:
  std::vector<uint32_t> first_;  // by host row, into work_
  std::vector<uint32_t> work_;
  std::vector<uint32_t> flow_to_;  // by GPU row
};

}  // namespace warpsight::perfetto
