#include "analysis/op_cost_table.h"

#include <algorithm>
#include <utility>

namespace warpsight {
namespace {

// How many host events after a convolution are searched for its result.
constexpr uint32_t kSearchedEvents = 64;

}  // namespace

OpCostTable::OpCostTable(const Trace& trace)
    : trace_(trace),
      entry_known_(trace.strings().size()),
      entry_of_name_(trace.strings().size()),
      hint_known_(trace.strings().size()),
      hint_of_name_(trace.strings().size()),
      last_answer_(trace.strings().size()) {}

size_t OpCostTable::KeyHash::operator()(const Key& key) const {
  uint64_t hash = 0;
  for (const uint64_t part :
       {uint64_t{static_cast<uint32_t>(key.name)}, uint64_t{static_cast<uint32_t>(key.shapes)},
        uint64_t{static_cast<uint32_t>(key.types)}, uint64_t{static_cast<uint32_t>(key.later_shapes)}, uint64_t{key.hint}}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

const OpCostEntry* OpCostTable::EntryOf(uint32_t host_row) {
  if (trace_.host().kind[host_row] != HostKind::kOp) return nullptr;
  const uint32_t name = static_cast<uint32_t>(trace_.host().name[host_row]);
  if (!entry_known_[name]) {
    entry_known_[name] = 1;
    entry_of_name_[name] = FindOpCost(trace_.Text(trace_.host().name[host_row]));
  }
  return entry_of_name_[name];
}

const KernelHint& OpCostTable::HintOfKernel(StringId name) {
  const uint32_t id = static_cast<uint32_t>(name);
  if (!hint_known_[id]) {
    hint_known_[id] = 1;
    hint_of_name_[id] = HintOf(trace_.Text(name));
  }
  return hint_of_name_[id];
}

OpCostTable::Answer OpCostTable::Find(uint32_t host_row, const KernelHint& hint) {
  const HostEvents& host = trace_.host();
  const OpCostEntry& entry = *EntryOf(host_row);
  const Later later = entry.needs_output ? FindOutput(host_row, entry) : Later{};
  const Key key{host.name[host_row], host.shapes[host_row], host.types[host_row], later.shapes, hint.Packed()};
  const std::pair<const Key, Answer>*& last = last_answer_[static_cast<uint32_t>(key.shapes)];
  if (last == nullptr || last->first != key) {
    const auto [found, is_new] = answers_.try_emplace(key);
    if (is_new) found->second = WorkOut(host_row, entry, hint, later);
    last = &*found;
  }
  return last->second;
}

OpCostTable::Answer OpCostTable::WorkOut(uint32_t host_row, const OpCostEntry& entry, const KernelHint& hint,
                                         const Later& later) {
  const HostEvents& host = trace_.host();
  const std::optional<Operands> operands =
      ParseOperands(trace_.Text(host.shapes[host_row]), trace_.Text(host.types[host_row]));
  if (!operands) return {kNoRow, "its operands' shapes are not recorded"};
  const OpCall call{trace_.Text(host.name[host_row]), entry, *operands, hint, later.output};
  const CostAnswer answer = entry.cost(call);
  if (!answer.cost) return {kNoRow, answer.reason};
  return {Add(*answer.cost), {}};
}

uint32_t OpCostTable::Add(const OpCost& cost) {
  costs_.push_back(cost);
  return static_cast<uint32_t>(costs_.size() - 1);
}

const Operands* OpCostTable::ShapesOnly(StringId shapes) {
  const auto [found, is_new] = shapes_only_.try_emplace(shapes);
  if (is_new) found->second = ParseOperands(trace_.Text(shapes), "");
  return found->second ? &*found->second : nullptr;
}

OpCostTable::Later OpCostTable::FindOutput(uint32_t host_row, const OpCostEntry& entry) {
  const HostEvents& host = trace_.host();
  const Operands* own = ShapesOnly(host.shapes[host_row]);
  if (own == nullptr) return {};
  StringId last = host.shapes[host_row];
  const uint32_t end = std::min(trace_.threads()[host.thread[host_row]].first_frame, host_row + kSearchedEvents);
  for (uint32_t row = host_row + 1; row < end; ++row) {
    const StringId shapes = host.shapes[row];
    if (host.kind[row] != HostKind::kOp || shapes == StringId::kEmpty || shapes == last) continue;
    // What lies in the convolution itself works on its input, which may look like a result.
    if (host.start_ns[row] < host.end_ns[host_row]) continue;
    last = shapes;
    const Operands* later = ShapesOnly(shapes);
    if (later == nullptr) continue;
    std::vector<int64_t> output = ConvolutionOutput(*own, entry.first, *later);
    if (!output.empty()) return {shapes, std::move(output)};
  }
  return {};
}

}  // namespace warpsight
