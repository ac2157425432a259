// FrameStacks: which Python frames were open when a host event started, as a small id for the innermost N of them.
//
// Place in the flow: HostEvents -> FrameStacks -> key averages by stack.
// The frame layer of a thread nests by itself (the sealer's parents), so the innermost open frame at a time is the latest
// started frame of the thread that is still open, or its nearest ancestor that is. Two stacks with the same names are one
// id. Errors: none. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

class FrameStacks {
 public:
  FrameStacks(const Trace& trace, int frames);

  // Id of the stack at the start of a call-layer row; 0 = no frame was open.
  uint32_t stack_of(uint32_t row) const { return stack_of_row_[row]; }
  // Frame names, innermost first.
  std::span<const StringId> names(uint32_t stack) const { return *names_[stack]; }

 private:
  uint32_t InternStackOf(const HostEvents& host, uint32_t frame);

  int frames_;
  std::map<std::vector<StringId>, uint32_t> ids_;
  std::vector<const std::vector<StringId>*> names_;  // keys of ids_, by id; map nodes do not move
  std::vector<uint32_t> stack_of_row_;               // frame rows hold the id of their own stack, once it was asked for
};

}  // namespace warpsight
