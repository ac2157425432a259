// The text of a range that PyTorch's emit_nvtx made of an op: "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]".
//
// Any of the parts may be missing, a name alone is no op's text. What follows the sizes (input_op_ids) is left out.
// Place in the flow: NVTX ranges of a recording -> host rows of kind op. Errors: none. Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsight {

struct OpRangeName {
  std::string_view name;
  uint32_t sequence_plus_one = 0;  // 0 = none
  uint32_t op_id = 0;              // 0 = none
  std::string_view shapes;         // empty = none
};

// Empty when the text is not of that kind.
std::optional<OpRangeName> ParseOpRange(std::string_view text);

}  // namespace warpsight
