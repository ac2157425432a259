#include "analysis/counters/hot_line.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/counters/source_view.h"
#include "analysis/counters/stall_reasons.h"

namespace warpsight {
namespace {

bool HasSamples(const CounterReport& report, const ProfiledKernel& kernel) {
  return std::ranges::any_of(kernel.metrics, [&](const Metric& metric) {
    return metric.instance_count > 0 && report.MetricName(metric.name).starts_with("smsp__pcsamp_");
  });
}

std::string WhyNoLines(const KernelCode& code) {
  if (!code.problems.empty()) return code.problems.front();
  if (code.functions.empty()) return "the report does not hold the program of this kernel";
  return "the program has no line table for this kernel: compile with -lineinfo";
}

}  // namespace

void FindHotLine(const CounterReport& report, const ProfiledKernel& kernel, const CodeReader& read_code,
                 TriageGiven& given) {
  if (!HasSamples(report, kernel)) {
    given.no_hot_line = "the report has no samples of single instructions: ncu --section SourceCounters collects them";
    return;
  }
  if (!read_code) return;
  const KernelCode code = read_code(report, kernel);
  const SourceView view(report, kernel, code);
  if (view.lines().empty()) {
    given.no_hot_line = WhyNoLines(code);
    return;
  }
  const double total = view.total_samples().value_or(0);
  if (total <= 0) {
    given.no_hot_line = "the kernel was too short for a sample";
    return;
  }
  const SourceLine& line = view.lines().front();
  HotLine hot;
  hot.place = LinePlace(view, line);
  hot.share = view.Counts(line.instructions).samples.value_or(0) / total;
  const std::vector<StallShare> stalls = view.Stalls(line.instructions, false);
  if (!stalls.empty()) hot.wait = StallName(stalls.front().reason);
  given.hot_line = std::move(hot);
}

TriageGiven GivenOfReport(const CounterReport& report, const ProfiledKernel& kernel, const CodeReader& read_code) {
  TriageGiven given;
  FindHotLine(report, kernel, read_code, given);
  return given;
}

}  // namespace warpsight
