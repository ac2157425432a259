// OpCostTable: the costs of a trace's host events, each distinct (name, shapes, types, kernel hint) worked out once.
//
// Place in the flow: host rows -> costs, for the work costs pass. Thread-compatible; borrows the trace.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/op_cost.h"
#include "trace/trace.h"

namespace warpsight {

class OpCostTable {
 public:
  explicit OpCostTable(const Trace& trace);

  // Null when no formula is known for the op.
  const OpCostEntry* EntryOf(uint32_t host_row);
  const KernelHint& HintOfKernel(StringId name);

  struct Answer {
    uint32_t cost = kNoRow;  // index into costs(); kNoRow = none
    std::string_view reason;
  };
  // Of an op that has an entry.
  Answer Find(uint32_t host_row, const KernelHint& hint);
  // A cost that was worked out elsewhere.
  uint32_t Add(const OpCost& cost);

  const std::vector<OpCost>& costs() const { return costs_; }

 private:
  struct Key {
    StringId name;
    StringId shapes;
    StringId types;
    StringId later_shapes;
    uint32_t hint;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Later {
    StringId shapes = StringId::kEmpty;
    std::vector<int64_t> output;
  };

  Answer WorkOut(uint32_t host_row, const OpCostEntry& entry, const KernelHint& hint, const Later& later);
  Later FindOutput(uint32_t host_row, const OpCostEntry& entry);
  // Sizes only, each distinct text read once; null when it can't be read.
  const Operands* ShapesOnly(StringId shapes);

  const Trace& trace_;
  std::vector<OpCost> costs_;
  std::vector<uint8_t> entry_known_;               // by StringId of the name
  std::vector<const OpCostEntry*> entry_of_name_;  // by StringId
  std::vector<uint8_t> hint_known_;
  std::vector<KernelHint> hint_of_name_;
  std::unordered_map<Key, Answer, KeyHash> answers_;
  // By StringId of the shapes: their last answer, mostly the one that is asked for again.
  std::vector<const std::pair<const Key, Answer>*> last_answer_;
  std::unordered_map<StringId, std::optional<Operands>> shapes_only_;
};

}  // namespace warpsight
