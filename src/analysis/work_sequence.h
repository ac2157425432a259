// WorkSequence: the GPU work of a trace as a sequence of tokens in the order of the launches, each one piece of work as a
// reader of a model would count it: a linear layer with its memset and its split-K reduction, an attention op with all its
// kernels, one elementwise op.
//
// Place in the flow: attribution, shapes, kinds -> WorkSequence -> part_patterns.h, block_reader.h, which decide the parts.
// Tokens of one thread are contiguous; so are the tokens of one CUDA graph replay. Kinds are told once per distinct name.
// Cost: linear in GPU work. Errors: none. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/attribution_pass.h"
#include "analysis/op_reader.h"
#include "analysis/operand_shapes.h"
#include "analysis/part.h"
#include "analysis/work_kind.h"

namespace warpsight {

struct WorkToken {
  uint32_t first = 0;                  // index into Attribution::order
  uint32_t count = 0;                  // rows
  uint32_t anchor = kNoRow;            // host row of the op that the rows belong to as one
  const Trace* ops = nullptr;          // whose host row it is: of this recording, or of the capture
  uint32_t launch = kNoRow;            // of the first row
  StringId kernel = StringId::kEmpty;  // name of the first row
  WorkKind kind = WorkKind::kNone;
  Part part = Part::kOther;
  bool decided = false;      // something told the part; otherwise its neighbours may
  bool counts = true;        // begins a call of its part (a norm of eight kernels is one call)
  bool backward = false;     // the kernel's name says that it computes gradients
  bool direct_copy = false;  // aten::copy_ called by the program itself
  Phase phase = Phase::kForward;
  int32_t step = -1;
  uint32_t replay = kNoRow;                           // host row of the graph launch that it was replayed by
  const OperandShapes* shapes = nullptr;              // of the anchor; null when not recorded
  const std::optional<LinearSize>* linear = nullptr;  // matrix products
  std::optional<WorkKind> scope;                      // what the Python frames around the launch are for
  uint32_t scope_frame = kNoRow;
  std::optional<Part> path;  // part that a module path in the range around the launch names

  bool has_linear() const { return linear != nullptr && linear->has_value(); }
};

class WorkSequence {
 public:
  WorkSequence(const Trace& trace, const Attribution& attribution);

  std::vector<WorkToken>& tokens() { return tokens_; }
  const std::vector<WorkToken>& tokens() const { return tokens_; }
  // The token of a row of GPU work.
  uint32_t token_of(uint32_t gpu_row) const { return token_of_[gpu_row]; }
  const Trace& trace() const { return trace_; }
  const Attribution& attribution() const { return attribution_; }
  uint32_t row(const WorkToken& token, uint32_t index) const { return attribution_.order[token.first + index]; }

  struct FusedKernel {
    StringId name;
    std::vector<std::string> ops;
  };
  // TorchInductor's kernels of the trace, in order of first appearance.
  const std::vector<FusedKernel>& fused() const { return fused_; }

 private:
  void AddRow(uint32_t index);
  WorkKind Combine(uint32_t row, const OpReader::OpReading& op, const KernelKind& kernel) const;
  const KernelKind& KindOfKernel(StringId name);
  bool Joins(const WorkToken& last, const WorkToken& next) const;

  const Trace& trace_;
  const Attribution& attribution_;
  const GpuWork& gpu_;
  OpReader own_;
  std::optional<OpReader> captured_;  // of the recording that holds the captures of the replays
  std::vector<WorkToken> tokens_;
  std::vector<uint32_t> token_of_;
  std::vector<std::optional<KernelKind>> kernel_kinds_;  // by StringId
  std::vector<FusedKernel> fused_;
};

}  // namespace warpsight
