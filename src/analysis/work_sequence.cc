#include "analysis/work_sequence.h"

#include <utility>

#include "analysis/fused_name.h"

namespace warpsight {
namespace {

// Kernels whose names say more than the op around them.
bool NameCounts(WorkKind kernel) {
  return kernel == WorkKind::kCollective || kernel == WorkKind::kKvCache || kernel == WorkKind::kRotary ||
         kernel == WorkKind::kRouter || kernel == WorkKind::kStepInput;
}

}  // namespace

WorkSequence::WorkSequence(const Trace& trace, const Attribution& attribution)
    : trace_(trace),
      attribution_(attribution),
      host_(trace.host()),
      gpu_(trace.gpu()),
      shapes_(trace),
      token_of_(trace.gpu().size(), 0),
      op_kinds_(trace.strings().size(), -1),
      kernel_kinds_(trace.strings().size()) {
  bool frames = false;
  for (const Thread& thread : trace.threads()) frames |= thread.first_frame != thread.end;
  if (frames) {
    scope_of_frame_.resize(host_.size());
    scope_known_.assign(host_.size(), 0);
  }
  tokens_.reserve(gpu_.size());
  for (uint32_t i = 0; i < attribution.order.size(); ++i) AddRow(i);
}

void WorkSequence::AddRow(uint32_t index) {
  const uint32_t row = attribution_.order[index];
  const uint32_t op = attribution_.op[row];
  if (op != last_op_ || op == kNoRow) {
    last_op_ = op;
    last_reading_ = op == kNoRow ? OpReading{} : ReadOps(op);
  }
  const KernelKind kernel = gpu_.kind[row] == GpuKind::kKernel   ? KindOfKernel(gpu_.name[row])
                            : gpu_.kind[row] == GpuKind::kMemcpy ? KernelKind{WorkKind::kMemcpy}
                                                                 : KernelKind{WorkKind::kMemset};
  WorkToken token;
  token.first = index;
  token.count = 1;
  token.launch = gpu_.launch[row];
  token.kernel = gpu_.name[row];
  token.kind = Combine(row, last_reading_, kernel);
  token.anchor = last_reading_.anchor;
  token.backward = kernel.backward;
  token.direct_copy = last_reading_.direct_copy;
  token.phase = attribution_.phase[row];
  token.step = attribution_.step[row];
  if (attribution_.replayed[row] != 0) token.replay = gpu_.launch[row];
  if (token.anchor != kNoRow && host_.shapes[token.anchor] != StringId::kEmpty) {
    token.shapes = &shapes_.operands(token.anchor);
    if (RankOf(token.kind) == 2 || RankOf(token.kind) == 3) token.linear = &shapes_.linear(token.anchor);
  }
  if (attribution_.frame[row] != kNoRow) {
    const Scope scope = ScopeOf(attribution_.frame[row]);
    token.scope = scope.kind;
    token.scope_frame = scope.frame;
  }
  if (attribution_.range[row] != kNoRow) token.path = PathOf(attribution_.range[row]);
  if (!tokens_.empty() && Joins(tokens_.back(), token)) {
    ++tokens_.back().count;
  } else {
    tokens_.push_back(token);
  }
  token_of_[row] = static_cast<uint32_t>(tokens_.size() - 1);
}

bool WorkSequence::Joins(const WorkToken& last, const WorkToken& next) const {
  if (last.phase != next.phase || last.step != next.step || last.replay != next.replay) return false;
  if (next.kind == WorkKind::kSplitK) return IsGemm(last.kind) && last.anchor == next.anchor;
  return next.anchor != kNoRow && last.anchor == next.anchor && last.kind == next.kind;
}

// From the innermost op outwards: the highest rank says what the work is; among equals the outermost, since it is the op
// that the program called, except that what stands inside of attention or of experts by name stays what it is, and that
// matmul is a batched product when one runs in it.
WorkSequence::OpReading WorkSequence::ReadOps(uint32_t op) {
  OpReading reading;
  uint32_t outermost = kNoRow;
  for (uint32_t event = op; event != kNoRow; event = host_.parent[event]) {
    if (host_.kind[event] != HostKind::kOp) continue;
    const WorkKind kind = KindOfOp(host_.name[event]);
    const int rank = RankOf(kind);
    const int best = RankOf(reading.kind);
    if (rank == 0) continue;
    const bool batched = reading.kind == WorkKind::kBmm && kind == WorkKind::kGemm;
    const bool replaces = rank > best || (rank == best && (rank < 4 || kind == reading.kind) && !batched);
    if (!replaces) continue;
    reading.kind = kind;
    reading.anchor = event;
    outermost = event;
  }
  if (reading.anchor == kNoRow) reading.anchor = op;
  reading.direct_copy = outermost != kNoRow && trace_.Text(host_.name[outermost]) == "aten::copy_";
  return reading;
}

WorkKind WorkSequence::Combine(uint32_t row, const OpReading& op, const KernelKind& kernel) const {
  if (gpu_.kind[row] == GpuKind::kMemcpy) {
    const CopyKind copy = gpu_.copy_kind[row];
    const bool crosses = copy == CopyKind::kHostToDevice || copy == CopyKind::kDeviceToHost;
    if (crosses) return WorkKind::kMemcpy;
    return RankOf(op.kind) == 0 ? WorkKind::kCopy : op.kind;
  }
  if (RankOf(op.kind) == 0) return kernel.kind;
  if (NameCounts(kernel.kind) && (RankOf(op.kind) != 3 || kernel.kind == WorkKind::kCollective)) return kernel.kind;
  // relu runs as a clamp; the op knows better than the kernel's name in every other case too.
  return op.kind;
}

WorkKind WorkSequence::KindOfOp(StringId name) {
  int16_t& kind = op_kinds_[static_cast<uint32_t>(name)];
  if (kind < 0) kind = static_cast<int16_t>(WorkKinds::Embedded().OfOp(trace_.Text(name)));
  return static_cast<WorkKind>(kind);
}

const KernelKind& WorkSequence::KindOfKernel(StringId name) {
  std::optional<KernelKind>& kind = kernel_kinds_[static_cast<uint32_t>(name)];
  if (!kind) {
    kind = WorkKinds::Embedded().OfKernel(trace_.Text(name));
    if (kind->kind == WorkKind::kTriton) {
      std::vector<std::string> ops = FusedOps(trace_.Text(name));
      kind->kind = FusedKind(ops);
      for (const std::string& op : ops) kind->backward |= op.ends_with("_backward") || op.ends_with("_backward_data");
      fused_.push_back({name, std::move(ops)});
    }
  }
  return *kind;
}

WorkSequence::Scope WorkSequence::ScopeOf(uint32_t frame) {
  std::vector<uint32_t> path;
  Scope scope;
  while (frame != kNoRow) {
    if (scope_known_[frame] != 0) {
      scope = scope_of_frame_[frame];
      break;
    }
    path.push_back(frame);
    const auto [kind, added] = scope_of_name_.try_emplace(static_cast<uint32_t>(host_.name[frame]));
    if (added) kind->second = WorkKinds::Embedded().OfScope(trace_.Text(host_.name[frame]));
    if (kind->second) {
      if (*kind->second != WorkKind::kNone) scope = {*kind->second, frame};
      break;
    }
    frame = host_.parent[frame];
  }
  for (const uint32_t known : path) {
    scope_known_[known] = 1;
    scope_of_frame_[known] = scope;
  }
  return scope;
}

std::optional<Part> WorkSequence::PathOf(uint32_t range) {
  const auto [part, added] = path_of_name_.try_emplace(static_cast<uint32_t>(host_.name[range]));
  if (added) part->second = WorkKinds::Embedded().OfPath(trace_.Text(host_.name[range]));
  return part->second;
}

}  // namespace warpsight
