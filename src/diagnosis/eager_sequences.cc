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
Sequence Sandwich(const Trace& trace, const FrameWork& work, std::span<const uint32_t> rows, size_t softmax) {
  size_t first = softmax;
  while (first > 0 && softmax - first < kMostBetween && MayStandBetween(work.Op(rows[first - 1]))) --first;
  size_t last = softmax;
  while (last + 1 < rows.size() && last - softmax < kMostBetween && MayStandBetween(work.Op(rows[last + 1]))) ++last;
  if (first == 0 || last + 1 == rows.size()) return {};
  if (!IsGemmOfAttention(trace, work, rows[first - 1]) || !IsGemmOfAttention(trace, work, rows[last + 1])) return {};
  return rows.subspan(first - 1, last + 3 - first);
}

}  // namespace

std::vector<Sequence> FindEagerNorms(const FrameWork& work) {
  std::vector<Sequence> norms;
  for (const std::span<const uint32_t> rows : work.by_stream) {
    for (size_t at = 0; at < rows.size();) {
      const size_t length = NormLength(work, rows.subspan(at));
      if (length > 0) norms.push_back(rows.subspan(at, length));
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
      if (const Sequence sequence = Sandwich(trace, work, rows, at); !sequence.empty()) found.push_back(sequence);
    }
  }
  return found;
}

std::vector<Sequence> FindElementwiseRuns(const Trace& trace, const FrameWork& work) {
  std::vector<Sequence> runs;
  for (const std::span<const uint32_t> rows : work.by_stream) {
    size_t first = 0;  // of the run that goes on
    const auto end_run = [&](size_t end, size_t next) {
      if (end - first > 1) runs.push_back(rows.subspan(first, end - first));
      first = next;
    };
    for (size_t at = 0; at < rows.size(); ++at) {
      if (!IsElementwise(trace, work, rows[at])) {
        end_run(at, at + 1);
      } else if (work.Step(rows[at]) != work.Step(rows[first])) {
        end_run(at, at);
      }
    }
    end_run(rows.size(), rows.size());
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
