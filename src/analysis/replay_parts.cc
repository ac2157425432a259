#include "analysis/replay_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "analysis/sequence_alignment.h"
#include "analysis/work_kind.h"

namespace warpsight {
namespace {

constexpr size_t kMaxEdits = 4000;
// Steps of all alignments together, one with e edits taking about e * e / 2: as many as some tens of hopeless ones, or
// thousands of close ones. Beyond it replays are aligned only where they begin and end like the reference.
constexpr size_t kMostWalkSteps = 200'000'000;

// What a kernel does, by its name alone, so that both recordings are read alike.
class KernelSymbols {
 public:
  explicit KernelSymbols(const Trace& trace) : trace_(trace), known_(trace.strings().size(), 0) {}
  uint64_t symbol(uint32_t row) {
    if (trace_.gpu().kind[row] != GpuKind::kKernel) return 1 + static_cast<uint64_t>(trace_.gpu().kind[row]);
    uint64_t& symbol = known_[static_cast<uint32_t>(trace_.gpu().name[row])];
    if (symbol == 0) {
      const KernelKind kind = WorkKinds::Embedded().OfKernel(trace_.Text(trace_.gpu().name[row]));
      // A cast in one recording is a plain copy in the other where the kernel's name does not say.
      const WorkKind alike = kind.kind == WorkKind::kCast ? WorkKind::kCopy : kind.kind;
      symbol = 16 + 2 * static_cast<uint64_t>(alike) + (kind.backward ? 1 : 0);
    }
    return symbol;
  }

 private:
  const Trace& trace_;
  std::vector<uint64_t> known_;
};

struct Counterpart {
  Part part;
  bool counts;
};

// The kernels of the reference's longest forward pass with ops.
struct ReferencePass {
  std::vector<uint64_t> symbols;
  std::vector<Counterpart> parts;
};

ReferencePass MakeReference(const Trace& trace, const WorkParts& parts) {
  const ForwardPass* best = nullptr;
  for (const ForwardPass& pass : parts.passes) {
    if (pass.replayed) continue;
    const bool longer =
        best == nullptr || pass.cores > best->cores ||
        (pass.cores == best->cores && pass.end_token - pass.first_token > best->end_token - best->first_token);
    if (longer) best = &pass;
  }
  ReferencePass reference;
  if (best == nullptr) return reference;
  KernelSymbols symbols(trace);
  for (uint32_t t = best->first_token; t < best->end_token; ++t) {
    const WorkToken& token = parts.sequence.tokens()[t];
    for (uint32_t i = 0; i < token.count; ++i) {
      reference.symbols.push_back(symbols.symbol(parts.sequence.row(token, i)));
      reference.parts.push_back({token.part, token.counts && i == 0});
    }
  }
  return reference;
}

class ReplayAligner {
 public:
  ReplayAligner(const Trace& trace, WorkParts& parts, ReferencePass reference)
      : parts_(parts), symbols_(trace), reference_(std::move(reference)) {}

  ReplayAlignment Run() {
    std::vector<WorkToken>& tokens = parts_.sequence.tokens();
    alignment_.reference_kernels = static_cast<int64_t>(reference_.symbols.size());
    for (size_t first = 0; first < tokens.size();) {
      if (tokens[first].replay == kNoRow) {
        ++first;
        continue;
      }
      size_t end = first;
      while (end < tokens.size() && tokens[end].replay == tokens[first].replay) ++end;
      AlignOne(first, end);
      first = end;
    }
    return alignment_;
  }

 private:
  void AlignOne(size_t first, size_t end) {
    std::vector<uint64_t> sequence;
    for (size_t t = first; t < end; ++t) {
      const WorkToken& token = parts_.sequence.tokens()[t];
      for (uint32_t i = 0; i < token.count; ++i) sequence.push_back(symbols_.symbol(parts_.sequence.row(token, i)));
    }
    ++alignment_.replays;
    alignment_.kernels += static_cast<int64_t>(sequence.size());
    // What the capture told needs no counterpart.
    if (parts_.sequence.attribution().captured[parts_.sequence.row(parts_.sequence.tokens()[first], 0)] != 0) {
      alignment_.aligned += static_cast<int64_t>(sequence.size());
      alignment_.captured += static_cast<int64_t>(sequence.size());
      return;
    }
    if (reference_.symbols.empty()) return;
    const auto [known, added] = known_.try_emplace(sequence);
    if (added) known->second = Align(sequence);
    TakeOver(first, end, known->second);
  }

  std::vector<size_t> Align(const std::vector<uint64_t>& sequence) {
    const auto affordable = static_cast<size_t>(std::sqrt(2.0 * static_cast<double>(steps_left_)));
    const size_t most_edits = std::min(kMaxEdits, affordable);
    std::vector<size_t> counterparts = AlignSequences(sequence, reference_.symbols, most_edits);
    const auto missed = static_cast<size_t>(std::ranges::count(counterparts, kNotAligned));
    const size_t matched = sequence.size() - missed;
    const size_t edits = std::min(most_edits, missed + reference_.symbols.size() - matched);
    steps_left_ -= std::min(steps_left_, edits * edits / 2);
    return counterparts;
  }

  void TakeOver(size_t first, size_t end, const std::vector<size_t>& counterparts) {
    size_t at = 0;
    for (size_t t = first; t < end; ++t) {
      WorkToken& token = parts_.sequence.tokens()[t];
      for (uint32_t i = 0; i < token.count; ++i, ++at) {
        if (counterparts[at] == kNotAligned) continue;
        ++alignment_.aligned;
        parts_.confidence[parts_.sequence.row(token, i)] = Confidence::kAligned;
        // The first row decides: a token of a replay is one kernel, or a product with its reduction.
        const Counterpart& counterpart = reference_.parts[counterparts[at]];
        if (i == 0) Decide(token, counterpart.part, counterpart.counts);
      }
    }
  }

  WorkParts& parts_;
  KernelSymbols symbols_;
  ReferencePass reference_;
  std::map<std::vector<uint64_t>, std::vector<size_t>> known_;
  size_t steps_left_ = kMostWalkSteps;
  ReplayAlignment alignment_;
};

using NodeKey = std::pair<uint32_t, uint64_t>;

// Nodes of graphs that an op is known for: captured kernels that ran with their op, and replays aligned before.
void CollectNodes(const Trace& trace, const WorkParts& parts, std::map<NodeKey, Part>& nodes) {
  const GpuWork& gpu = trace.gpu();
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (gpu.graph_node_id[row] == 0 || parts.sequence.attribution().op[row] == kNoRow) continue;
    nodes.try_emplace({gpu.graph_id[row], gpu.graph_node_id[row]}, parts.part(row));
  }
}

void TakeNodes(const Trace& trace, const std::map<NodeKey, Part>& nodes, WorkParts& parts) {
  const GpuWork& gpu = trace.gpu();
  for (WorkToken& token : parts.sequence.tokens()) {
    if (token.replay == kNoRow) continue;
    for (uint32_t i = 0; i < token.count; ++i) {
      const uint32_t row = parts.sequence.row(token, i);
      if (parts.sequence.attribution().captured[row] != 0) continue;  // told by its own capture
      const auto node = nodes.find({gpu.graph_id[row], gpu.graph_node_id[row]});
      if (gpu.graph_node_id[row] == 0 || node == nodes.end()) continue;
      parts.confidence[row] = Confidence::kGraphNode;
      if (i == 0) Decide(token, node->second, token.counts);
    }
  }
}

}  // namespace

void AlignReplays(Analysis& analysis, WorkParts& parts) {
  const Trace& trace = analysis.trace();
  const std::vector<WorkToken>& tokens = parts.sequence.tokens();
  const bool replays = std::any_of(tokens.begin(), tokens.end(), [](const WorkToken& t) { return t.replay != kNoRow; });
  if (!replays) return;
  const LargeVector<uint64_t>& node_ids = trace.gpu().graph_node_id;
  const bool has_nodes = std::any_of(node_ids.begin(), node_ids.end(), [](uint64_t id) { return id != 0; });
  std::map<NodeKey, Part> nodes;
  if (has_nodes) CollectNodes(trace, parts, nodes);
  if (analysis.given().reference != nullptr) {
    Analysis of_reference(*analysis.given().reference, {});
    const Result<WorkParts>& reference = of_reference.Get<WorkPartsPass>();
    if (reference.ok()) {
      parts.alignment = ReplayAligner(trace, parts, MakeReference(of_reference.trace(), *reference)).Run();
      if (has_nodes) CollectNodes(of_reference.trace(), *reference, nodes);
    }
  } else if (parts.sequence.attribution().capture != nullptr) {
    parts.alignment = ReplayAligner(trace, parts, {}).Run();
  }
  if (!nodes.empty()) TakeNodes(trace, nodes, parts);
}

}  // namespace warpsight
