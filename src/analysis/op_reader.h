// OpReader: what the ops and Python frames around a launch say of the work, read once an op, frame and name.
//
// Place in the flow: HostEvents, shapes, kinds -> WorkSequence, which has one for its own recording and one for the
// recording of a graph's capture. Errors: none. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/operand_shapes.h"
#include "analysis/work_kind.h"

namespace warpsight {

class OpReader {
 public:
  explicit OpReader(const Trace& trace);

  struct OpReading {
    WorkKind kind = WorkKind::kNone;
    uint32_t anchor = kNoRow;  // the op that says so: the outermost of those
    bool direct_copy = false;  // aten::copy_ called by the program itself
  };
  // `op` is the innermost op of a launch, or kNoRow.
  const OpReading& Read(uint32_t op);

  struct Scope {
    std::optional<WorkKind> kind;
    uint32_t frame = kNoRow;
  };
  // `frame` is the innermost frame open at a launch.
  Scope ScopeOf(uint32_t frame);
  // The part that a module path in a range names.
  std::optional<Part> PathOf(uint32_t range);

  // Null when the op's shapes were not recorded.
  const OperandShapes* Shapes(uint32_t op);
  const std::optional<LinearSize>* Linear(uint32_t op);

  const Trace& trace() const { return trace_; }

 private:
  WorkKind KindOfOp(StringId name);
  void ReadNew(uint32_t op, OpReading& reading);

  const Trace& trace_;
  const HostEvents& host_;
  ShapesOf shapes_;
  std::vector<int16_t> op_kinds_;  // by StringId, -1 = not asked for
  std::unordered_map<uint32_t, std::optional<WorkKind>> scope_of_name_;
  std::unordered_map<uint32_t, std::optional<Part>> path_of_name_;
  std::vector<Scope> scope_of_frame_;  // by host row; empty without frames
  std::vector<uint8_t> scope_known_;
  uint32_t last_op_ = kNoRow;
  OpReading last_reading_;
};

}  // namespace warpsight
