// NcclCall: what a recorded call of NCCL says of the collective that it launched.
//
// `warpsight record -t nccl` writes the sizes of a call as text, "count=1048576 f16 bytes=2097152 op=sum ranks=8 rank=3"
// (src/calls/libraries/nccl_calls.cc): count is the call's own argument, of one rank. Calls inside of a group are launched
// by ncclGroupEnd, which has no sizes. Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsight {

struct NcclCall {
  int64_t in_elements = 0;
  int64_t out_elements = 0;
  int64_t element_bytes = 0;
  std::string_view dtype;
  int64_t ranks = 0;
};

// By the name of the function and the text of its sizes; nullopt when they don't say all of it.
std::optional<NcclCall> ReadNcclCall(std::string_view function, std::string_view sizes);

}  // namespace warpsight
