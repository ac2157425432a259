// A KV cache that grows by concatenation: every step copies the whole cache to append one position.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

using Dims = std::vector<int64_t>;

// The operands of the first argument, a list of tensors: "[[[1, 4, 203, 64], [1, 4, 1, 64]], []]" -> two shapes. Empty when
// the text is no such list.
std::vector<Dims> FirstTensorList(std::string_view text) {
  std::vector<Dims> tensors;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[') {
      if (++depth == 3) tensors.emplace_back();
    } else if (c == ']') {
      if (--depth == 1) break;  // the first argument ends
    } else if (c >= '0' && c <= '9') {
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
      if (error != std::errc() || depth != 3) return {};
      tensors.back().push_back(value);
      at = static_cast<size_t>(end - text.data()) - 1;
    }
  }
  return tensors;
}

// A long tensor and a short one behind it, alike but for one dimension.
struct Append {
  int64_t cached = 0;  // positions that were there; 0 = the operands are no append
  int64_t added = 0;
  double copied_share() const { return static_cast<double>(cached) / static_cast<double>(cached + added); }
};

Append AsAppend(const std::vector<Dims>& tensors) {
  if (tensors.size() != 2 || tensors[0].size() != tensors[1].size() || tensors[0].size() < 3) return {};
  Append append;
  for (size_t i = 0; i < tensors[0].size(); ++i) {
    if (tensors[0][i] == tensors[1][i]) continue;
    if (append.cached != 0 || tensors[1][i] <= 0 || tensors[0][i] <= tensors[1][i]) return {};
    append = {tensors[0][i], tensors[1][i]};
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
  std::map<StringId, Append> appends;  // by text of the shapes
  CatSums sums;
  Finding finding;
  for (const std::vector<uint32_t>& rows : work->by_stream) {
    for (const uint32_t row : rows) {
      const uint32_t op = trace.gpu().op[row];
      if (work->Op(row) != WorkOp::kCat || op == kNoRow || trace.host().shapes[op] == StringId::kEmpty) continue;
      const auto [found, added] = appends.try_emplace(trace.host().shapes[op]);
      if (added) found->second = AsAppend(FirstTensorList(trace.Text(found->first)));
      const Append& append = found->second;
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
      "concatenations in {1} that append to a cache of {2} positions{3}: {0}; they take {4} ({5} of the GPU's busy time)",
      FormatNumber(frame->PerStepCount(sums.kernels)), frame->Unit(), FormatCount(first),
      last > first ? fmt::format(" that grows to {}", FormatCount(last)) : "", FormatDuration(frame->PerStep(sums.time_ns)),
      FormatShare(sums.time_ns, frame->busy_ns)));
  finding.evidence.push_back("each copies the whole cache to add one position, so the cost grows with the sequence length");
  finding.advice = "Allocate the cache once and write into it (transformers: StaticCache; or paged attention as in vLLM)";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
