// The text of a range that PyTorch's emit_nvtx made of an op: "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]"; or
// our own op recorder (python/record_hook/op_recorder.cc), which adds the types of the operands and, of a backward function,
// PyTorch's number of the forward op's thread: "AddmmBackward0, seq = 3, fwd_thread = 1, sizes = [[2, 8]], types =
// ["float"]".
//
// Any of the parts may be missing, a name alone is no op's text. What follows them (input_op_ids) is left out.
// Place in the flow: NVTX ranges of a recording -> host rows of kind op. Errors: none. Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsight {

struct OpRangeName {
  std::string_view name;
  uint32_t sequence_plus_one = 0;  // 0 = none
  uint16_t forward_thread = 0;     // 0 = none
  uint32_t op_id = 0;              // 0 = none
  std::string_view shapes;         // empty = none
  std::string_view types;          // likewise
};

// Empty when the text is not of that kind.
std::optional<OpRangeName> ParseOpRange(std::string_view text);

}  // namespace warpsight
