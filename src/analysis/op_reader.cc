#include "analysis/op_reader.h"

#include "analysis/enclosing_events.h"

namespace warpsight {

OpReader::OpReader(const Trace& trace)
    : trace_(trace), host_(trace.host()), shapes_(trace), op_kinds_(trace.strings().size(), -1) {
  bool frames = false;
  for (const Thread& thread : trace.threads()) frames |= thread.first_frame != thread.end;
  if (!frames) return;
  scope_of_frame_.resize(host_.size());
  scope_known_.assign(host_.size(), 0);
}

const OpReader::OpReading& OpReader::Read(uint32_t op) {
  if (op != last_op_) {
    last_op_ = op;
    last_reading_ = {};
    if (op != kNoRow) ReadNew(op, last_reading_);
  }
  return last_reading_;
}

// From the innermost op outwards: the highest rank says what the work is; among equals the outermost, since it is the op
// that the program called, except that what stands inside of attention or of experts by name stays what it is, and that
// matmul is a batched product when one runs in it.
void OpReader::ReadNew(uint32_t op, OpReading& reading) {
  for (const uint32_t event : EnclosingEvents(host_, op)) {
    if (host_.kind[event] != HostKind::kOp) continue;
    const WorkKind kind = KindOfOp(host_.name[event]);
    const int rank = RankOf(kind);
    const int best = RankOf(reading.kind);
    if (rank == 0) continue;
    const bool batched = reading.kind == WorkKind::kBmm && kind == WorkKind::kGemm;
    if (rank < best || (rank == best && ((rank == 4 && kind != reading.kind) || batched))) continue;
    reading.kind = kind;
    reading.anchor = event;
  }
  reading.direct_copy = reading.anchor != kNoRow && trace_.Text(host_.name[reading.anchor]) == "aten::copy_";
  if (reading.anchor == kNoRow) reading.anchor = op;
}

WorkKind OpReader::KindOfOp(StringId name) {
  int16_t& kind = op_kinds_[static_cast<uint32_t>(name)];
  if (kind < 0) kind = static_cast<int16_t>(WorkKinds::Embedded().OfOp(trace_.Text(name)));
  return static_cast<WorkKind>(kind);
}

OpReader::Scope OpReader::ScopeOf(uint32_t frame) {
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

std::optional<Part> OpReader::PathOf(uint32_t range) {
  const auto [part, added] = path_of_name_.try_emplace(static_cast<uint32_t>(host_.name[range]));
  if (added) part->second = WorkKinds::Embedded().OfPath(trace_.Text(host_.name[range]));
  return part->second;
}

const OperandShapes* OpReader::Shapes(uint32_t op) {
  return op == kNoRow || host_.shapes[op] == StringId::kEmpty ? nullptr : &shapes_.operands(op);
}

const std::optional<LinearSize>* OpReader::Linear(uint32_t op) {
  return op == kNoRow || host_.shapes[op] == StringId::kEmpty ? nullptr : &shapes_.linear(op);
}

}  // namespace warpsight
