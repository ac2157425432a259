// WorkOp: the elementary operation that a kernel does (pow, mean, add, ...), by the rules of data/work_ops.toml.
//
// Place in the flow: GPU work -> WorkOp -> rules that find eager sequences. The op that launched the kernel decides when the
// table has it, else the kernel's name, so sequences in a replayed CUDA graph are found as well. Each distinct name is
// looked up once a trace. Errors: a damaged table is our bug (CHECK). Thread-safe after first use; WorkOpsOf has one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class WorkOp : uint8_t {
  kOther,
  kPow,
  kMean,
  kRsqrt,
  kAdd,
  kMul,
  kDiv,
  kMask,
  kDropout,
  kSoftmax,
  kCat,
  kCast,
  kBatchedMatmul,
  kMatmul,
};

// One entry of data/work_ops.toml, for matching and tests.
struct WorkOpRule {
  WorkOp op = WorkOp::kOther;
  std::string name;
  std::vector<std::string> ops;
  std::vector<std::string> kernels;
  std::string source;
  std::vector<std::string> examples;
};
const std::vector<WorkOpRule>& WorkOpRules();

WorkOp WorkOpOfOp(std::string_view op_name);
WorkOp WorkOpOfKernel(std::string_view kernel_name);

class WorkOpsOf {
 public:
  explicit WorkOpsOf(const Trace& trace)
      : trace_(trace), by_op_(trace.strings().size(), kUnasked), by_kernel_(trace.strings().size(), kUnasked) {}

  // kOther for copies and sets.
  WorkOp op(uint32_t gpu_row);

 private:
  static constexpr uint8_t kUnasked = 0xFF;
  const Trace& trace_;
  std::vector<uint8_t> by_op_;  // by StringId
  std::vector<uint8_t> by_kernel_;
};

}  // namespace warpsight
