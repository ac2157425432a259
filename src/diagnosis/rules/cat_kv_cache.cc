// A KV cache that grows by concatenation: every step copies the whole cache to append one position.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/tensor_shapes.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

// A long tensor and a short one behind it, alike but for one dimension.
struct KvAppend {
  int64_t cached = 0;  // positions that were there; 0 = the operands are no append
  int64_t added = 0;
  double copied_share() const {
    return static_cast<double>(cached) / (static_cast<double>(cached) + static_cast<double>(added));
  }
};

// `shapes` are those of a concatenation: a list of tensors, then scalars.
KvAppend AsAppend(std::string_view shapes) {
  const std::optional<Operands> operands = ParseOperands(shapes, "");
  if (!operands || operands->empty() || operands->front().kind != Operand::Kind::kList) return {};
  const std::vector<TensorShape>& tensors = operands->front().tensors;
  if (tensors.size() != 2 || tensors[0].rank() != tensors[1].rank() || tensors[0].rank() < 3) return {};
  KvAppend append;
  for (size_t i = 0; i < tensors[0].rank(); ++i) {
    const int64_t cached = tensors[0].dims[i];
    const int64_t added = tensors[1].dims[i];
    if (cached == added) continue;
    if (append.cached != 0 || added <= 0 || cached <= added) return {};
    append = {cached, added};
  }
  return append;
}

struct CatSums {
  int64_t kernels = 0;
  Ns time_ns = 0;
  std::map<uint32_t, int64_t> longest_in_step;  // cached positions
};

}  // namespace

void RunCatKvCache(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  std::map<StringId, KvAppend> appends;  // by text of the shapes
  CatSums sums;
  Finding finding;
  for (const std::vector<uint32_t>& rows : work->by_stream) {
    for (const uint32_t row : rows) {
      const uint32_t op = trace.gpu().op[row];
      if (work->Op(row) != WorkOp::kCat || op == kNoRow || trace.host().shapes[op] == StringId::kEmpty) continue;
      const auto [found, added] = appends.try_emplace(trace.host().shapes[op]);
      if (added) found->second = AsAppend(trace.Text(found->first));
      const KvAppend& append = found->second;
      if (append.cached == 0) continue;
      ++sums.kernels;
      sums.time_ns = SaturatingAdd(sums.time_ns, work->OwnNs(row));
      int64_t& longest = sums.longest_in_step[work->Step(row)];
      longest = std::max(longest, append.cached);
      finding.claims.Add(row, static_cast<Ns>(static_cast<double>(work->OwnNs(row)) * append.copied_share()));
    }
  }
  if (sums.kernels < 2 * frame->steps) return;  // a key and a value at least
  const int64_t first = sums.longest_in_step.begin()->second;
  const int64_t last = sums.longest_in_step.rbegin()->second;
  if (frame->steps > 1 && last <= first) return;  // it does not grow: no cache
  finding.id = "cat_kv_cache";
  finding.title = "The KV cache grows by concatenation";
  finding.least_ns = LeastBusyGain(*frame);
  finding.evidence.push_back(fmt::format(
      "concatenations in {1}: {0}, each to a cache of {2} positions{3}; they take {4} ({5} of the GPU's busy time)",
      FormatNumber(frame->PerStepCount(sums.kernels)), frame->Unit(), FormatCount(first),
      last > first ? fmt::format(" that grows to {}", FormatCount(last)) : "", FormatDuration(frame->PerStep(sums.time_ns)),
      FormatShare(sums.time_ns, frame->busy_ns)));
  finding.evidence.push_back("each copies the whole cache to add one position, so the cost grows with the sequence length");
  finding.advice = "Allocate the cache once and write into it (transformers: StaticCache; or paged attention as in vLLM)";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
