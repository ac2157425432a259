#include "analysis/counters/triage_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/counters/kernel_lookup.h"
#include "analysis/counters/occupancy.h"
#include "analysis/counters/stall_reasons.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr double kMostWhole = 9e18;

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " and ") + word;
  return joined;
}

}  // namespace

TriageValues::TriageValues(const TriageData& data, const CounterReport& report, const ProfiledKernel& kernel)
    : data_(data), report_(report), kernel_(kernel), metrics_(KernelLookup(report, kernel)) {
  if (const std::optional<TopStall> stall = FindTopStall(report, kernel)) {
    numbers_["top_stall_cycles"] = stall->cycles;
    numbers_["top_stall_share"] = stall->share;
    words_["top_stall"] = stall->reason->name;
    words_["top_stall_advice"] = stall->reason->advice;
  }
  if (const std::optional<Occupancy> occupancy = ComputeOccupancy(report, kernel))
    words_["limiter"] = Joined(occupancy->limiters);
}

std::optional<double> TriageValues::Number(std::string_view name, std::string_view key) const {
  if (!key.empty()) return metrics_(name, key);
  if (const auto number = numbers_.find(name); number != numbers_.end()) return number->second;
  if (const TriageLimit* limit = data_.FindLimit(name)) return limit->value;
  const Formula* formula = data_.FindValue(name);
  if (formula == nullptr) return metrics_(name, key);
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  const std::optional<double> value = formula->Evaluate(lookup());
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
  if (numbers_.contains(name) || data_.FindLimit(name) != nullptr) return;
  if (const Formula* formula = data_.FindValue(name)) {
    if (missing_only && Number(name)) return;
    for (const std::string& inner : formula->names()) CollectMetrics(inner, missing_only, metrics);
    return;
  }
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
