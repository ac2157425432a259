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
constexpr std::string_view kJoint = ". ";                        // between verdict and finding
constexpr std::string_view kSecondJoint = "; by its counters ";  // between a verdict and the next one
constexpr std::string_view kTimeline = "timeline";
constexpr std::string_view kLines = "lines";

// What bounds the whole kernel first. In each group what has no gain of its own, since it qualifies the others, then by
// severity, then by gain. What is of low severity and without a gain stands before its like only.
auto OrderOf(const TriageFinding& finding) {
  const double gain = finding.gain_share.value_or(finding.stage == "measurement" ? 3 : 2);
  const bool qualifies = !finding.gain_share && finding.severity < Severity::kLow;
  const int severity = static_cast<int>(finding.severity);
  return std::tuple(!finding.of_whole_kernel, !qualifies, qualifies ? 0 : severity, -gain);
}

std::string MissingReason(const std::vector<std::string>& metrics) {
  std::string reason = "the report lacks ";
  for (size_t i = 0; i < std::min(metrics.size(), kMostNamedMetrics); ++i) reason += (i == 0 ? "" : ", ") + metrics[i];
  if (metrics.size() > kMostNamedMetrics) reason += ", ...";
  return reason;
}

class TriageRun {
 public:
  TriageRun(const CounterReport& report, const ProfiledKernel& kernel, const TriageGiven& given)
      : data_(CounterTriageData()), given_(given), values_(data_, report, kernel, given) {}

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
  // Why a rule cannot be judged; nothing when it can.
  std::optional<UnevaluatedRule> WhyNot(const TriageNode& node, const std::optional<bool>& holds) const {
    if (node.needs == kTimeline && !given_.unprofiled_ns) {
      return UnevaluatedRule{node.id, "no timeline is given: warpsight report TIMELINE REPORT compares with its times",
                             false};
    }
    if (node.needs == kLines && !given_.hot_line)
      return UnevaluatedRule{node.id, given_.no_hot_line.empty() ? "the source is not at hand" : given_.no_hot_line, false};
    if (!node.not_evaluated_when.empty()) {
      const std::optional<bool> excluded = values_.Hold(node.not_evaluated_when);
      if (excluded == true) return UnevaluatedRule{node.id, node.not_evaluated, false};
      if (!excluded) return UnevaluatedRule{node.id, MissingReason(values_.MetricsOf(node.not_evaluated_when, true))};
    }
    if (holds) return std::nullopt;
    if (!node.lacking.empty()) return UnevaluatedRule{node.id, node.lacking, false};
    const std::vector<std::string> missing = values_.MetricsOf(node.when, true);
    return UnevaluatedRule{node.id, missing.empty() ? "a metric has no value" : MissingReason(missing)};
  }

  // Nothing when the node has none, or a metric of it is missing.
  std::optional<double> GainOf(const TriageNode& node) const {
    std::optional<double> gain = node.gain ? node.gain->Evaluate(values_.lookup()) : std::nullopt;
    if (!gain) return std::nullopt;
    if (const std::optional<Formula>& most = data_.KindOf(node).most_gain)
      gain = std::min(*gain, most->Evaluate(values_.lookup()).value_or(*gain));
    return std::clamp(*gain, 0.0, 1.0);
  }

  Severity SeverityOf(const TriageNode& node, const std::optional<double>& gain) const {
    if (!node.severity.empty()) return Severity::kLow;
    if (!gain) return node.stage == "measurement" ? Severity::kHigh : Severity::kMedium;
    if (*gain < data_.FindLimit("medium_gain")->value) return Severity::kLow;
    const bool is_severe = node.severe_when.empty() || values_.Hold(node.severe_when) == true;
    return is_severe && *gain >= data_.FindLimit("high_gain")->value ? Severity::kHigh : Severity::kMedium;
  }

  void TakeMinor(const std::vector<TriageMinor>& reasons, TriageFinding& finding) const {
    for (const TriageMinor& minor : reasons) {
      if (values_.Hold(minor.when) != true) continue;
      finding.severity = Severity::kLow;
      finding.evidence.push_back(values_.Fill(minor.reason).value_or(""));
      return;
    }
  }

  void Visit(const TriageNode& node) {
    const std::optional<bool> holds = values_.Hold(node.when);
    if (std::optional<UnevaluatedRule> unevaluated = WhyNot(node, holds)) {
      triage_.not_evaluated.push_back(*std::move(unevaluated));
      return;
    }
    if (holds != true) return;
    TriageFinding finding;
    finding.gain_share = GainOf(node);
    if (finding.gain_share && *finding.gain_share < data_.FindLimit("least_gain")->value) return;
    const std::optional<std::string> title = values_.Fill(node.title);
    finding.title = title.value_or(node.id);  // tests/counters_triage_test.cc: it can always be filled in
    finding.id = node.id;
    finding.stage = node.stage;
    for (const std::string& line : node.evidence) {
      if (std::optional<std::string> filled = values_.Fill(line)) finding.evidence.push_back(std::move(*filled));
    }
    finding.advice = values_.Fill(node.advice).value_or("");
    finding.of_whole_kernel = node.of_whole_kernel;
    finding.severity = SeverityOf(node, finding.gain_share);
    const size_t lines = finding.evidence.size();
    TakeMinor(node.minor, finding);
    if (finding.evidence.size() == lines) TakeMinor(data_.KindOf(node).minor, finding);
    finding.metrics = values_.MetricsOf(node.when, false);
    triage_.findings.push_back(std::move(finding));
  }

  void TakeVerdict() {
    bool continues = false;
    for (const TriageText& verdict : data_.verdicts) {
      if (continues && verdict.id == triage_.verdict_id) continue;
      if (values_.Hold(verdict.when) != true) continue;
      const std::optional<std::string> text = values_.Fill(verdict.text);
      if (!text) continue;
      if (continues) {
        triage_.verdict.append(kSecondJoint).append(*text);
        break;
      }
      triage_.verdict_id = verdict.id;
      triage_.verdict = *text;
      triage_.in_short = values_.Fill(verdict.in_short).value_or("");
      if (!verdict.with_next) break;
      continues = true;
    }
    if (triage_.verdict.empty())
      triage_.verdict = "not evaluated: the report has no throughput of the SMs and of memory for this kernel";
    triage_.brief = triage_.verdict;
    if (const TriageFinding* headline = triage_.headline()) triage_.verdict.append(kJoint).append(headline->title);
  }

  const TriageData& data_;
  const TriageGiven& given_;
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

const TriageFinding* Triage::headline() const {
  return findings.empty() || findings.front().stage == kLines ? nullptr : &findings.front();
}

Triage TriageKernel(const CounterReport& report, const ProfiledKernel& kernel, const TriageGiven& given) {
  return TriageRun(report, kernel, given).Run();
}

}  // namespace warpsight
