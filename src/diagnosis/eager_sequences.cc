#include "diagnosis/eager_sequences.h"

#include <algorithm>

namespace warpsight {
namespace {

// What stands between the two GEMMs of attention beside the softmax; more than this is something else.
constexpr size_t kMostBetween = 6;

bool TakeIf(const FrameWork& work, std::span<const uint32_t> rows, WorkOp op, size_t& at) {
  if (at >= rows.size() || work.Op(rows[at]) != op) return false;
  ++at;
  return true;
}

// Length of the norm that starts at rows[0], 0 when none does.
size_t NormLength(const FrameWork& work, std::span<const uint32_t> rows) {
  size_t at = 0;
  TakeIf(work, rows, WorkOp::kCast, at);
  for (const WorkOp op : {WorkOp::kPow, WorkOp::kMean, WorkOp::kAdd, WorkOp::kRsqrt, WorkOp::kMul}) {
    if (!TakeIf(work, rows, op, at)) return 0;
  }
  TakeIf(work, rows, WorkOp::kCast, at);
  size_t weighted = at;
  TakeIf(work, rows, WorkOp::kAdd, weighted);  // norms that scale by 1 + weight
  return TakeIf(work, rows, WorkOp::kMul, weighted) ? weighted : at;
}

bool IsGemmOfAttention(const Trace& trace, const FrameWork& work, uint32_t row) {
  if (work.Op(row) == WorkOp::kBatchedMatmul) return true;
  // Without an op the name must do: a replayed graph does not say which GEMM is batched.
  return work.Op(row) == WorkOp::kOther && work.Family(row) == "gemm" && trace.gpu().kind[row] == GpuKind::kKernel;
}

bool MayStandBetween(WorkOp op) {
  return op == WorkOp::kMul || op == WorkOp::kDiv || op == WorkOp::kAdd || op == WorkOp::kMask || op == WorkOp::kCast ||
         op == WorkOp::kDropout;
}

bool IsElementwise(const Trace& trace, const FrameWork& work, uint32_t row) {
  return trace.gpu().kind[row] == GpuKind::kKernel &&
         (work.Family(row) == "elementwise" || (work.Op(row) == WorkOp::kCast && work.Family(row) == "copy"));
}

// The rows from the GEMM before the softmax at `softmax` to the GEMM behind it; empty when they are not there.
Sequence Sandwich(const Trace& trace, const FrameWork& work, const std::vector<uint32_t>& rows, size_t softmax) {
  size_t first = softmax;
  while (first > 0 && softmax - first < kMostBetween && MayStandBetween(work.Op(rows[first - 1]))) --first;
  size_t last = softmax;
  while (last + 1 < rows.size() && last - softmax < kMostBetween && MayStandBetween(work.Op(rows[last + 1]))) ++last;
  if (first == 0 || last + 1 == rows.size()) return {};
  if (!IsGemmOfAttention(trace, work, rows[first - 1]) || !IsGemmOfAttention(trace, work, rows[last + 1])) return {};
  return Sequence(rows.begin() + static_cast<ptrdiff_t>(first - 1), rows.begin() + static_cast<ptrdiff_t>(last + 2));
}

}  // namespace

std::vector<Sequence> FindEagerNorms(const FrameWork& work) {
  std::vector<Sequence> norms;
  for (const std::vector<uint32_t>& rows : work.by_stream) {
    for (size_t at = 0; at < rows.size();) {
      const size_t length = NormLength(work, std::span(rows).subspan(at));
      if (length > 0)
        norms.emplace_back(rows.begin() + static_cast<ptrdiff_t>(at), rows.begin() + static_cast<ptrdiff_t>(at + length));
      at += std::max<size_t>(1, length);
    }
  }
  return norms;
}

std::vector<Sequence> FindEagerAttention(const Trace& trace, const FrameWork& work) {
  std::vector<Sequence> found;
  for (const std::vector<uint32_t>& rows : work.by_stream) {
    for (size_t at = 0; at < rows.size(); ++at) {
      if (work.Op(rows[at]) != WorkOp::kSoftmax) continue;
      if (Sequence sequence = Sandwich(trace, work, rows, at); !sequence.empty()) found.push_back(std::move(sequence));
    }
  }
  return found;
}

std::vector<Sequence> FindElementwiseRuns(const Trace& trace, const FrameWork& work) {
  std::vector<Sequence> runs;
  for (const std::vector<uint32_t>& rows : work.by_stream) {
    Sequence run;
    for (const uint32_t row : rows) {
      const bool elementwise = IsElementwise(trace, work, row);
      if (!run.empty() && (!elementwise || work.Step(row) != work.Step(run.front()))) {
        if (run.size() > 1) runs.push_back(run);
        run.clear();
      }
      if (elementwise) run.push_back(row);
    }
    if (run.size() > 1) runs.push_back(std::move(run));
  }
  return runs;
}

void ClaimAllButLongest(const FrameWork& work, const Sequence& sequence, Claims& claims) {
  const auto longest = std::ranges::max_element(sequence, {}, [&](uint32_t row) { return work.OwnNs(row); });
  for (auto row = sequence.begin(); row != sequence.end(); ++row) {
    if (row != longest && work.OwnNs(*row) > 0) claims.Add(*row, work.OwnNs(*row));
  }
}

Ns OwnTime(const FrameWork& work, const Sequence& sequence) {
  Ns sum = 0;
  for (const uint32_t row : sequence) sum = SaturatingAdd(sum, work.OwnNs(row));
  return sum;
}

}  // namespace warpsight
