#include "counters/metric_unit.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"
#include "counters/metric_pattern.h"

namespace warpsight {
namespace {

constexpr std::string_view kUnitFile = "data/metric_units.toml";

// "7.5" as 75.
int CapabilityIn(const toml::table& row, std::string_view key) {
  const std::string text = row[key].value_or(std::string());
  const size_t dot = text.find('.');
  CHECK(text.empty() || dot != std::string::npos);
  return text.empty() ? 0 : std::stoi(text.substr(0, dot)) * 10 + std::stoi(text.substr(dot + 1));
}

// "2025.3.1.0 (build ...)" as 202503; 0 when it is no version.
int VersionNumber(std::string_view text) {
  int year = 0;
  int release = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, year);
  if (error != std::errc() || at == end || *at != '.' || year < 0 || year > 9999) return 0;
  if (std::from_chars(at + 1, end, release).ec != std::errc() || release < 0 || release > 99) return 0;
  return year * 100 + release;
}

std::vector<UnitRule> ParseUnitRules(std::string_view text) {
  const toml::table file = toml::parse(text, kUnitFile);
  std::vector<UnitRule> rules;
  const toml::array* rows = file["unit"].as_array();
  CHECK(rows != nullptr);
  for (const toml::node& node : *rows) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    UnitRule rule;
    rule.names = RequiredDataTexts(*row, "names");
    const std::optional<std::string> unit = (*row)["unit"].value<std::string>();
    CHECK(unit.has_value());
    rule.unit = *unit;
    rule.is_whole = (*row)["whole"].value_or(false);
    rule.capability = CapabilityIn(*row, "capability");
    rule.below_capability = CapabilityIn(*row, "below_capability");
    rule.before_version = VersionNumber((*row)["before_version"].value_or(std::string()));
    rule.without_thread_counts = (*row)["without_thread_counts"].value_or(false);
    rules.push_back(std::move(rule));
  }
  return rules;
}

bool Applies(const UnitRule& rule, std::string_view counter, const UnitContext& context) {
  if (rule.capability != 0 && context.capability != rule.capability) return false;
  if (rule.below_capability != 0 && (context.capability == 0 || context.capability >= rule.below_capability)) return false;
  if (rule.before_version != 0 && context.version >= rule.before_version) return false;
  if (rule.without_thread_counts && context.has_thread_counts) return false;
  return std::ranges::any_of(rule.names, [&](const std::string& pattern) { return MatchesMetricPattern(pattern, counter); });
}

// "pmsampling:x", "SM_A.TriageCompute.x": the sampler's form of x.
std::string_view WithoutSamplerPrefix(std::string_view name) {
  constexpr std::string_view kSampled = "pmsampling:";
  if (name.starts_with(kSampled)) return name.substr(kSampled.size());
  const size_t triage = name.find(".Triage");
  const size_t dot = triage == std::string_view::npos ? triage : name.find('.', triage + 1);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string WithEnding(std::string_view ending, const std::string& unit) {
  for (const std::string_view rollup : {"sum.", "avg.", "min.", "max."}) {
    if (ending.starts_with(rollup)) ending.remove_prefix(rollup.size());
  }
  if (ending.ends_with("per_second")) return unit == "cycle" ? "hz" : unit.empty() ? "1/s" : unit + "/s";
  if (ending.starts_with("per_cycle") || ending == "peak_sustained") {
    if (unit == "cycle" || unit.empty()) return "";
    return unit == "warp" ? unit : unit + "/cycle";  // warps are counted once a cycle, so their mean is in warps
  }
  return unit;
}

}  // namespace

UnitContext MakeUnitContext(const CounterReport& report) {
  UnitContext context;
  context.report = &report;
  context.version = VersionNumber(report.session().tool_version());
  for (const ProfiledKernel& kernel : report.kernels()) {
    if (context.capability == 0) context.capability = ComputeCapability(report, kernel).value_or(0);
    if (report.Find(kernel, "thread_inst_executed") != nullptr ||
        report.Find(kernel, "thread_inst_executed_true") != nullptr)
      context.has_thread_counts = true;
  }
  return context;
}

const std::vector<UnitRule>& AllUnitRules() {
  static const std::vector<UnitRule>& rules = *new std::vector<UnitRule>(ParseUnitRules(EmbeddedFile(kUnitFile)));
  return rules;
}

std::string MetricUnit(std::string_view name, const UnitContext& context) {
  if (context.report != nullptr) {
    if (const std::string* unit = context.report->StatedUnit(name); unit != nullptr) return *unit;
  }
  name = WithoutSamplerPrefix(name);
  const std::string_view counter = name.substr(0, name.find('.'));
  const std::string_view ending = counter.size() == name.size() ? std::string_view() : name.substr(counter.size() + 1);
  for (const UnitRule& rule : AllUnitRules()) {
    // Rows for one capability or old devices come before the general meaning of an ending.
    const bool special = rule.is_whole && (rule.capability != 0 || rule.below_capability != 0);
    if (!special && ending.find("pct") != std::string_view::npos) return "%";
    if (!Applies(rule, counter, context)) continue;
    return rule.is_whole ? rule.unit : WithEnding(ending, rule.unit);
  }
  return ending.find("pct") != std::string_view::npos ? "%" : "";
}

}  // namespace warpsight
