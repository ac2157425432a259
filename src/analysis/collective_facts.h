// CollectiveFacts: what a collective kernel did (which collective, of what type, how many bytes, in which group).
//
// Best first: what the recorder wrote on the kernel; else the op that launched it ("nccl:all_reduce" with its operand
// shapes, symmetric-memory and custom all-reduce ops); else the recorded call of NCCL; else the kernel's name alone, which
// gives the kind and nothing more. What is not known is absent, never 0. Place in the flow: GPU work + host ops -> facts ->
// collectives pass. Units: bytes. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/collective_kind.h"
#include "trace/trace.h"

namespace warpsight {

struct CollectiveFacts {
  const CollectiveKind* kind = nullptr;     // null = the names do not say
  StringId name = StringId::kEmpty;         // as recorded: collective, else op, else kernel name
  std::string_view dtype;                   // as recorded, without "c10::"; empty = not recorded
  StringId group = StringId::kEmpty;        // process group's name
  StringId group_ranks = StringId::kEmpty;  // its ranks, as text: "[0, 1]"
  std::optional<int64_t> group_size;
  std::optional<int64_t> bytes;  // as CollectiveKind counts them
  bool recorded = false;         // the kernel itself carries the facts
};

class CollectiveFactsOf {
 public:
  explicit CollectiveFactsOf(const Trace& trace);
  CollectiveFacts Facts(uint32_t gpu_row);

 private:
  const CollectiveKind* KindOf(StringId name);
  CollectiveFacts Recorded(uint32_t gpu_row);
  CollectiveFacts FromOp(uint32_t gpu_row);
  void ReadCall(uint32_t gpu_row, CollectiveFacts& facts);
  void ReadOperands(uint32_t host_row, CollectiveFacts& facts);

  const Trace& trace_;
  const CollectiveKinds& kinds_;
  std::map<StringId, const CollectiveKind*> kind_of_name_;
};

// Elements of the first operand that has a shape: "[[], [1, 2048]]" -> operand 1, 2048 elements; a list of tensors counts
// with all of them. Absent when none has one or the product leaves int64.
struct OperandSize {
  size_t operand = 0;
  int64_t elements = 0;
};
std::optional<OperandSize> FirstOperandSize(std::string_view shapes);
// The text of element `index` of "["float", "Scalar"]"; empty when there is none.
std::string_view OperandType(std::string_view types, size_t index);
// How many ranks "[0, 1, 2]" lists; absent when the recorder cut the list short ("...") or it is no list.
std::optional<int64_t> CountRanks(std::string_view ranks);

}  // namespace warpsight
