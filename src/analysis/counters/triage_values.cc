#include "analysis/counters/triage_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/counters/kernel_lookup.h"
#include "analysis/counters/occupancy.h"
#include "analysis/counters/sm_lanes.h"
#include "analysis/counters/stall_reasons.h"
#include "analysis/kernel_family.h"
#include "analysis/kernel_name/decoded_kernel_name.h"
#include "counters/metric_pattern.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr double kMostWhole = 9e18;

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " and ") + word;
  return joined;
}

// By its name. Products with a vector and the sums after a split product are of the family, and reuse nothing.
bool IsMatrixProduct(std::string_view name) {
  if (KernelFamilies::Embedded().Classify(name) != "gemm") return false;
  const std::optional<DecodedKernelName> decoded = DecodeKernelName(name);
  return decoded ? decoded->kind == "gemm" : name.find("gemv") == std::string_view::npos;
}

}  // namespace

TriageValues::TriageValues(const TriageData& data, const CounterReport& report, const ProfiledKernel& kernel,
                           const TriageGiven& given)
    : data_(data), report_(report), kernel_(kernel), metrics_(KernelLookup(report, kernel)) {
  AddStalls();
  AddLargestPercentage();
  AddDevice();
  AddGiven(given);
  numbers_["is_gemm"] = IsMatrixProduct(kernel.full_name.empty() ? kernel.function_name : kernel.full_name) ? 1 : 0;
}

void TriageValues::AddStalls() {
  const std::vector<StallCycles> stalls = StallsOf(report_, kernel_);
  double all_cycles = 0;
  for (const StallCycles& stall : stalls) all_cycles += stall.cycles;
  for (const StallCycles& stall : stalls) {
    if (all_cycles > 0) numbers_["stall_" + stall.reason->id] = stall.cycles / all_cycles;
  }
  const std::optional<TopStall> top = FindTopStall(stalls);
  if (!top) return;
  numbers_["top_stall_cycles"] = top->cycles;
  numbers_["top_stall_share"] = top->share;
  words_["top_stall"] = top->reason->name;
  words_["stall_advice"] = top->reason->advice;
}

void TriageValues::AddLargestPercentage() {
  double largest = -1;
  for (const Metric& metric : kernel_.metrics) {
    const std::string_view name = report_.MetricName(metric.name);
    const std::optional<double> value = NumberOf(metric.value);
    if (!value || !std::isfinite(*value) || metric.is_time_series) continue;
    for (const TriagePercentage& percentage : data_.percentages) {
      const double share = *value / percentage.most;
      if (share <= largest) continue;
      const bool is_one = std::ranges::any_of(
          percentage.names, [&](const std::string& pattern) { return MatchesMetricPattern(pattern, name); });
      if (!is_one) continue;
      largest = share;
      words_["largest_metric"] = name;
    }
  }
  if (largest < 0) return;
  numbers_["largest_share"] = largest;
  metric_of_fact_["largest_share"] = words_["largest_metric"];
}

void TriageValues::AddDevice() {
  if (const std::optional<Occupancy> occupancy = ComputeOccupancy(report_, kernel_))
    words_["limiter"] = Joined(occupancy->limiters);
  const std::optional<int> capability = ComputeCapability(report_, kernel_);
  if (!capability) return;
  numbers_["capability"] = *capability;
  const SmLanes* const lanes = SmLanesFor(*capability);
  if (lanes == nullptr) return;
  numbers_["fp32_lanes"] = static_cast<double>(lanes->fp32);
  numbers_["special_lanes"] = static_cast<double>(lanes->special);
  if (lanes->fp64) numbers_["fp64_lanes"] = static_cast<double>(*lanes->fp64);
}

void TriageValues::AddGiven(const TriageGiven& given) {
  if (given.unprofiled_ns && *given.unprofiled_ns > 0) numbers_["unprofiled_ns"] = *given.unprofiled_ns;
  if (!given.hot_line) return;
  numbers_["hot_line_share"] = given.hot_line->share;
  metric_of_fact_["hot_line_share"] = "smsp__pcsamp_sample_count";
  words_["hot_line"] = given.hot_line->place;
  if (!given.hot_line->wait.empty()) words_["hot_line_wait"] = given.hot_line->wait;
}

std::optional<double> TriageValues::Number(std::string_view name, std::string_view key) const {
  if (!key.empty()) return metrics_(name, key);
  if (const auto number = numbers_.find(name); number != numbers_.end()) return number->second;
  if (const TriageLimit* limit = data_.FindLimit(name)) return limit->value;
  const TriageValue* const named = data_.FindValue(name);
  if (named == nullptr) return metrics_(name, key);
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  std::optional<double> value;
  for (const TriageValue::Alternative& alternative : named->alternatives) {
    if (Hold(alternative.when) != true) continue;
    value = alternative.formula.Evaluate(lookup());
    break;
  }
  known_.emplace(std::string(name), value);
  return value;
}

FormulaLookup TriageValues::lookup() const {
  return [this](std::string_view name, std::string_view key) { return Number(name, key); };
}

std::optional<bool> TriageValues::Hold(const std::vector<Comparison>& conditions) const {
  bool is_absent = false;
  for (const Comparison& condition : conditions) {
    const std::optional<bool> holds = condition.Holds(lookup());
    if (holds == false) return false;
    is_absent = is_absent || !holds;
  }
  return is_absent ? std::nullopt : std::optional<bool>(true);
}

std::optional<std::string> TriageValues::Word(std::string_view name) const {
  if (const auto word = words_.find(name); word != words_.end()) return word->second;
  for (const TriageText& text : data_.texts) {
    if (text.id != name || Hold(text.when) != true) continue;
    if (std::optional<std::string> filled = Fill(text.text)) return filled;
  }
  return std::nullopt;
}

std::optional<std::string> TriageValues::Quote(std::string_view placeholder) const {
  const size_t colon = placeholder.find(':');
  const std::string_view name = placeholder.substr(0, colon);
  const std::string_view form = colon == std::string_view::npos ? std::string_view() : placeholder.substr(colon + 1);
  if (std::optional<std::string> word = Word(name)) return word;
  const std::optional<double> number = Number(name);
  if (!number) return std::nullopt;
  if (form == "share") return FormatShare(*number);
  if (form == "percent") return fmt::format("{:.0f} %", std::clamp(*number * 100, -1e6, 1e6));
  if (form.empty()) return FormatNumber(*number);
  const auto whole = static_cast<int64_t>(std::llround(std::clamp(*number, -kMostWhole, kMostWhole)));
  if (form == "ns") return FormatDuration(whole);
  if (form == "short") {
    // "536.9 M": as bytes are shortened, without their unit.
    std::string text = FormatBytes(whole);
    text.pop_back();
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  return form == "bytes" ? FormatBytes(whole) : FormatCount(whole);
}

std::optional<std::string> TriageValues::Fill(std::string_view text) const {
  std::string filled;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    filled += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const size_t close = text.find('}');
    if (close == std::string_view::npos) return filled += text;
    const std::optional<std::string> quoted = Quote(text.substr(1, close - 1));
    if (!quoted) return std::nullopt;
    filled += *quoted;
    text.remove_prefix(close + 1);
  }
  return filled;
}

void TriageValues::CollectMetrics(const std::string& name, bool missing_only, std::vector<std::string>& metrics) const {
  if (const auto fact = metric_of_fact_.find(name); fact != metric_of_fact_.end() && !missing_only)
    return CollectMetrics(fact->second, missing_only, metrics);
  if (numbers_.contains(name) || data_.FindLimit(name) != nullptr) return;
  if (const TriageValue* const value = data_.FindValue(name)) {
    if (missing_only && Number(name)) return;
    for (const std::string& inner : value->names()) CollectMetrics(inner, missing_only, metrics);
    return;
  }
  if (name.find("__") == std::string::npos && !name.starts_with("memory_l")) return;  // a fact that is not known
  const Metric* metric = report_.Find(kernel_, name);
  if ((metric != nullptr) == missing_only) return;
  if (std::ranges::find(metrics, name) == metrics.end()) metrics.push_back(name);
}

std::vector<std::string> TriageValues::MetricsOf(const std::vector<Comparison>& conditions, bool missing_only) const {
  std::vector<std::string> metrics;
  for (const Comparison& condition : conditions) {
    for (const Formula* side : {&condition.left(), &condition.right()}) {
      for (const std::string& name : side->names()) CollectMetrics(name, missing_only, metrics);
    }
  }
  return metrics;
}

}  // namespace warpsight
