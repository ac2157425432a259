// What runs op by op although one kernel could do it: norms, attention, chains of elementwise kernels.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/thresholds.h"
#include "diagnosis/eager_sequences.h"
#include "diagnosis/enclosing_names.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

struct SequenceSums {
  int64_t kernels = 0;
  Ns time_ns = 0;
};

SequenceSums SumOf(const FrameWork& work, const std::vector<Sequence>& sequences) {
  SequenceSums sums;
  for (const Sequence& sequence : sequences) {
    sums.kernels += static_cast<int64_t>(sequence.size());
    sums.time_ns = SaturatingAdd(sums.time_ns, OwnTime(work, sequence));
  }
  return sums;
}

// Launches of which a fused kernel would leave one each: what the host saves beside the GPU time.
std::string FewerLaunches(const StepFrame& frame, int64_t kernels, int64_t sequences) {
  return fmt::format("kernels that {} would have fewer: {}", frame.Unit(),
                     FormatNumber(frame.PerStepCount(kernels - sequences)));
}

bool IsMathAttention(std::string_view name) { return name == "aten::_scaled_dot_product_attention_math"; }

}  // namespace

void RunUnfusedNorm(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const std::vector<Sequence> norms = FindEagerNorms(*work);
  if (norms.empty()) return;
  const SequenceSums sums = SumOf(*work, norms);
  const int64_t count = static_cast<int64_t>(norms.size());
  Finding finding;
  finding.id = "unfused_norm";
  finding.title = "Normalisation runs op by op";
  finding.least_ns = LeastBusyGain(*frame);
  for (const Sequence& norm : norms) ClaimAllButLongest(*work, norm, finding.claims);
  finding.evidence.push_back(
      fmt::format("norms in {1}: {0}, each a sequence of pow, mean, add, rsqrt, mul; their {2} kernels take {3} ({4} of "
                  "the GPU's busy time)",
                  FormatNumber(frame->PerStepCount(count)), frame->Unit(), FormatNumber(frame->PerStepCount(sums.kernels)),
                  FormatDuration(frame->PerStep(sums.time_ns)), FormatShare(sums.time_ns, frame->busy_ns)));
  finding.evidence.push_back(
      "the gain is the time beyond the longest kernel of each sequence, which reads and writes the tensor once");
  finding.evidence.push_back(FewerLaunches(*frame, sums.kernels, count));
  finding.advice = FindingAdvice(analysis, "fused_norm");
  findings.push_back(std::move(finding));
}

void RunUnfusedAttention(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  const std::vector<Sequence> found = FindEagerAttention(trace, *work);
  if (found.empty()) return;
  const std::vector<uint8_t> math = RowsInside(trace, IsMathAttention);
  Finding finding;
  finding.id = "unfused_attention";
  finding.title = "Attention is not fused: the scores go through memory";
  finding.least_ns = LeastBusyGain(*frame);
  int64_t under_math = 0;
  for (const Sequence& sequence : found) {
    for (size_t i = 1; i + 1 < sequence.size(); ++i) finding.claims.Add(sequence[i], work->OwnNs(sequence[i]));
    const uint32_t op = trace.gpu().op[sequence.front()];
    under_math += op != kNoRow && !math.empty() && math[op] != 0 ? 1 : 0;
  }
  const SequenceSums sums = SumOf(*work, found);
  const int64_t count = static_cast<int64_t>(found.size());
  finding.evidence.push_back(fmt::format(
      "attention cores in {1}: {0}, each GEMM, softmax, GEMM; their {2} kernels take {3} ({4} of the GPU's busy time)",
      FormatNumber(frame->PerStepCount(count)), frame->Unit(), FormatNumber(frame->PerStepCount(sums.kernels)),
      FormatDuration(frame->PerStep(sums.time_ns)), FormatShare(sums.time_ns, frame->busy_ns)));
  if (under_math > 0) {
    finding.evidence.push_back(
        fmt::format("of them by PyTorch's math backend (aten::_scaled_dot_product_attention_math): {} of {}",
                    FormatCount(under_math), FormatCount(count)));
  }
  finding.evidence.push_back(
      "the gain is the time of what stands between the two GEMMs; a fused kernel never writes the scores");
  finding.advice = FindingAdvice(analysis, "fused_attention");
  findings.push_back(std::move(finding));
}

void RunElementwiseFusion(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const std::vector<Sequence> runs = FindElementwiseRuns(analysis.trace(), *work);
  const SequenceSums sums = SumOf(*work, runs);
  if (sums.kernels < ThresholdCount("elementwise_kernels") * frame->steps) return;
  Finding finding;
  finding.id = "elementwise_fusion";
  finding.title = "Elementwise kernels: not slow, but many";
  finding.least_ns = LeastBusyGain(*frame);
  size_t longest = 0;
  for (const Sequence& run : runs) {
    ClaimAllButLongest(*work, run, finding.claims);
    longest = std::max(longest, run.size());
  }
  const int64_t count = static_cast<int64_t>(runs.size());
  finding.evidence.push_back(
      fmt::format("elementwise kernels in {2}, in a row with others: {0} of {1} ({3}); they take {4} ({5} of the "
                  "GPU's busy time)",
                  FormatNumber(frame->PerStepCount(sums.kernels)), FormatNumber(frame->PerStepCount(frame->kernels)),
                  frame->Unit(), FormatShare(sums.kernels, frame->kernels), FormatDuration(frame->PerStep(sums.time_ns)),
                  FormatShare(sums.time_ns, frame->busy_ns)));
  finding.evidence.push_back(
      fmt::format("such rows: {}, of up to {} kernels; the gain is the time beyond the longest kernel of each row",
                  FormatNumber(frame->PerStepCount(count)), longest));
  finding.evidence.push_back(FewerLaunches(*frame, sums.kernels, count));
  finding.advice = FindingAdvice(analysis, "fused_elementwise");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
