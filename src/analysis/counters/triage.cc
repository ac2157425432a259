#include "analysis/counters/triage.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/counters/triage_data.h"
#include "analysis/counters/triage_values.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr size_t kMostFindings = 5;
constexpr size_t kMostNamedMetrics = 3;
constexpr std::string_view kJoint = ". ";  // between verdict and finding
constexpr double kHighGain = 0.3;
constexpr double kMediumGain = 0.1;

Severity SeverityOf(const TriageFinding& finding) {
  if (!finding.gain_share) return finding.stage == "measurement" ? Severity::kHigh : Severity::kMedium;
  if (*finding.gain_share >= kHighGain) return Severity::kHigh;
  return *finding.gain_share >= kMediumGain ? Severity::kMedium : Severity::kLow;
}

// What bounds the whole kernel first. In each group what has no gain of its own, since it qualifies the others, then by
// severity, then by gain.
auto OrderOf(const TriageFinding& finding) {
  const double gain = finding.gain_share.value_or(finding.stage == "measurement" ? 3 : 2);
  const int severity = static_cast<int>(finding.severity);
  return std::tuple(!finding.of_whole_kernel, finding.gain_share.has_value(), finding.gain_share ? severity : 0, -gain);
}

std::string MissingReason(const std::vector<std::string>& metrics) {
  std::string reason = "the report lacks ";
  for (size_t i = 0; i < std::min(metrics.size(), kMostNamedMetrics); ++i) reason += (i == 0 ? "" : ", ") + metrics[i];
  if (metrics.size() > kMostNamedMetrics) reason += ", ...";
  return reason;
}

class TriageRun {
 public:
  TriageRun(const CounterReport& report, const ProfiledKernel& kernel)
      : data_(CounterTriageData()), values_(data_, report, kernel) {}

  Triage Run() {
    for (const TriageNode& node : data_.nodes) Visit(node);
    std::ranges::stable_sort(triage_.findings,
                             [](const TriageFinding& a, const TriageFinding& b) { return OrderOf(a) < OrderOf(b); });
    if (triage_.findings.size() > kMostFindings) {
      triage_.further_findings = static_cast<int64_t>(triage_.findings.size() - kMostFindings);
      triage_.findings.resize(kMostFindings);
    }
    TakeVerdict();
    return std::move(triage_);
  }

 private:
  void Visit(const TriageNode& node) {
    if (!node.not_evaluated_when.empty() && values_.Hold(node.not_evaluated_when) == true) {
      triage_.not_evaluated.push_back({node.id, node.not_evaluated});
      return;
    }
    const std::optional<bool> holds = values_.Hold(node.when);
    if (holds == false) return;
    if (!holds) {
      const std::vector<std::string> missing = values_.MetricsOf(node.when, true);
      triage_.not_evaluated.push_back({node.id, missing.empty() ? "a metric has no value" : MissingReason(missing)});
      return;
    }
    TriageFinding finding;
    if (node.gain) {
      finding.gain_share = node.gain->Evaluate(values_.lookup());
      if (finding.gain_share) finding.gain_share = std::clamp(*finding.gain_share, 0.0, 1.0);
      if (finding.gain_share && *finding.gain_share < data_.FindLimit("least_gain")->value) return;
    }
    const std::optional<std::string> title = values_.Fill(node.title);
    finding.title = title.value_or(node.id);  // tests/counters_triage_test.cc: it can always be filled in
    finding.id = node.id;
    finding.stage = node.stage;
    for (const std::string& line : node.evidence) {
      if (std::optional<std::string> filled = values_.Fill(line)) finding.evidence.push_back(std::move(*filled));
    }
    finding.advice = values_.Fill(node.advice).value_or("");
    finding.of_whole_kernel = node.of_whole_kernel;
    finding.severity = SeverityOf(finding);
    for (const TriageNode::Minor& minor : node.minor) {
      if (values_.Hold(minor.when) != true) continue;
      finding.severity = Severity::kLow;
      finding.evidence.push_back(values_.Fill(minor.reason).value_or(""));
      break;
    }
    finding.metrics = values_.MetricsOf(node.when, false);
    triage_.findings.push_back(std::move(finding));
  }

  void TakeVerdict() {
    for (const TriageText& verdict : data_.verdicts) {
      if (values_.Hold(verdict.when) != true) continue;
      const std::optional<std::string> text = values_.Fill(verdict.text);
      if (!text) continue;
      triage_.verdict_id = verdict.id;
      triage_.verdict = *text;
      triage_.in_short = values_.Fill(verdict.in_short).value_or("");
      break;
    }
    if (triage_.verdict.empty())
      triage_.verdict = "not evaluated: the report has no throughput of the SMs and of memory for this kernel";
    if (!triage_.findings.empty()) triage_.verdict.append(kJoint).append(triage_.findings.front().title);
  }

  const TriageData& data_;
  TriageValues values_;
  Triage triage_;
};

}  // namespace

std::string TriageFinding::GainText() const {
  if (!gain_share) return "";
  return fmt::format("{} up to {}", of_whole_kernel ? "est. speedup" : "est. local speedup", FormatShare(*gain_share));
}

bool Triage::has_severity_order() const {
  return std::ranges::is_sorted(findings, {}, [](const TriageFinding& finding) { return finding.severity; });
}

std::string Triage::Brief() const {
  return findings.empty() ? verdict : verdict.substr(0, verdict.size() - findings.front().title.size() - kJoint.size());
}

Triage TriageKernel(const CounterReport& report, const ProfiledKernel& kernel) { return TriageRun(report, kernel).Run(); }

}  // namespace warpsight
