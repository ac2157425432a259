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
      gpu_(trace.gpu()),
      own_(trace),
      token_of_(trace.gpu().size(), 0),
      kernel_kinds_(trace.strings().size()) {
  if (attribution.capture != nullptr) captured_.emplace(*attribution.capture);
  tokens_.reserve(gpu_.size());
  for (uint32_t i = 0; i < attribution.order.size(); ++i) AddRow(i);
}

void WorkSequence::AddRow(uint32_t index) {
  const uint32_t row = attribution_.order[index];
  OpReader& reader = attribution_.captured[row] != 0 ? *captured_ : own_;
  const OpReader::OpReading& reading = reader.Read(attribution_.op[row]);
  const KernelKind kernel = gpu_.kind[row] == GpuKind::kKernel   ? KindOfKernel(gpu_.name[row])
                            : gpu_.kind[row] == GpuKind::kMemcpy ? KernelKind{WorkKind::kMemcpy}
                                                                 : KernelKind{WorkKind::kMemset};
  // Written where it stays, since most rows become a token of their own.
  WorkToken& token = tokens_.emplace_back();
  token.first = index;
  token.count = 1;
  token.launch = gpu_.launch[row];
  token.kernel = gpu_.name[row];
  token.kind = Combine(row, reading, kernel);
  token.anchor = reading.anchor;
  token.ops = &reader.trace();
  token.backward = kernel.backward;
  token.direct_copy = reading.direct_copy;
  token.phase = attribution_.phase[row];
  token.step = attribution_.step[row];
  if (attribution_.replayed[row] != 0) token.replay = gpu_.launch[row];
  token.shapes = reader.Shapes(token.anchor);
  if (RankOf(token.kind) == 2 || RankOf(token.kind) == 3) token.linear = reader.Linear(token.anchor);
  if (attribution_.frame[row] != kNoRow) {
    const OpReader::Scope scope = reader.ScopeOf(attribution_.frame[row]);
    token.scope = scope.kind;
    token.scope_frame = scope.frame;
  }
  if (attribution_.range[row] != kNoRow) token.path = own_.PathOf(attribution_.range[row]);
  if (tokens_.size() > 1 && Joins(tokens_[tokens_.size() - 2], token)) {
    tokens_.pop_back();
    ++tokens_.back().count;
  }
  token_of_[row] = static_cast<uint32_t>(tokens_.size() - 1);
}

bool WorkSequence::Joins(const WorkToken& last, const WorkToken& next) const {
  if (last.phase != next.phase || last.step != next.step || last.replay != next.replay) return false;
  if (next.kind == WorkKind::kSplitK) return IsGemm(last.kind) && last.anchor == next.anchor;
  return next.anchor != kNoRow && last.anchor == next.anchor && last.kind == next.kind;
}

WorkKind WorkSequence::Combine(uint32_t row, const OpReader::OpReading& op, const KernelKind& kernel) const {
  if (gpu_.kind[row] == GpuKind::kMemcpy) {
    const CopyKind copy = gpu_.copy_kind[row];
    const bool crosses = copy == CopyKind::kHostToDevice || copy == CopyKind::kDeviceToHost;
    if (crosses) return WorkKind::kMemcpy;
    return RankOf(op.kind) == 0 ? WorkKind::kCopy : op.kind;
  }
  if (RankOf(op.kind) == 0) return kernel.kind;
  if (NameCounts(kernel.kind) && (RankOf(op.kind) != 3 || kernel.kind == WorkKind::kCollective)) return kernel.kind;
  // matmul lays its operands out before the product: such a copy is no product.
  if (RankOf(op.kind) == 2 && RankOf(kernel.kind) == 1 && gpu_.kind[row] == GpuKind::kKernel) return kernel.kind;
  // relu runs as a clamp; the op knows better than the kernel's name in every other case too.
  return op.kind;
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

}  // namespace warpsight
