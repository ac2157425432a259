#include "analysis/counters/counters_json.h"

#include <cmath>
#include <string>

#include "analysis/counters/counter_roofline_document.h"
#include "analysis/counters/occupancy.h"
#include "analysis/counters/plain_advice.h"
#include "counters/raw_page.h"
#include "document/absent.h"

namespace warpsight {
namespace {

nlohmann::ordered_json CounterValueData(const CounterValue& value) {
  if (const std::optional<std::string_view> text = TextOf(value)) return std::string(*text);
  if (const uint64_t* whole = std::get_if<uint64_t>(&value)) return *whole;
  const double* real = std::get_if<double>(&value);
  return real != nullptr && std::isfinite(*real) ? nlohmann::ordered_json(*real) : nlohmann::ordered_json();
}

nlohmann::ordered_json SectionRowJson(const SectionRow& row) {
  return {{"label", row.label}, {"metric", row.metric}, {"value", CounterValueData(row.value)}, {"unit", row.unit}};
}

nlohmann::ordered_json SectionRowsData(const std::vector<SectionRow>& rows) {
  nlohmann::ordered_json data = nlohmann::ordered_json::array();
  for (const SectionRow& row : rows) data.push_back(SectionRowJson(row));
  return data;
}

nlohmann::ordered_json SectionJson(const SectionResult& section) {
  nlohmann::ordered_json data = {{"id", section.id}, {"title", section.title}, {"rows", SectionRowsData(section.rows)}};
  data["lists"] = nlohmann::ordered_json::array();
  for (const SectionList& list : section.lists)
    data["lists"].push_back({{"title", list.title}, {"rows", SectionRowsData(list.rows)}});
  data["tables"] = nlohmann::ordered_json::array();
  for (const SectionTable& table : section.tables) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const SectionTable::Row& row : table.rows)
      rows.push_back({{"label", row.label}, {"cells", SectionRowsData(row.cells)}});
    data["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  return data;
}

nlohmann::ordered_json FindingData(const TriageFinding& finding) {
  return {{"id", finding.id},
          {"title", finding.title},
          {"severity", SeverityName(finding.severity)},
          {"evidence", finding.evidence},
          {"gain_ns", nullptr},  // a counter report has no production time
          {"gain_share", OrNull(finding.gain_share)},
          {"gain_of", finding.of_whole_kernel ? "kernel" : "part"},
          {"advice", finding.advice},
          {"stage", finding.stage},
          {"metrics", finding.metrics}};
}

nlohmann::ordered_json OccupancyData(const CounterReport& report, const ProfiledKernel& kernel) {
  const std::optional<Occupancy> occupancy = ComputeOccupancy(report, kernel);
  if (!occupancy) return nullptr;
  const std::optional<double> achieved = report.Number(kernel, "sm__warps_active.avg.pct_of_peak_sustained_active");
  return {{"theoretical_share", occupancy->share},
          {"achieved_share", achieved ? nlohmann::ordered_json(*achieved / 100) : nlohmann::ordered_json()},
          {"warps_per_sm", occupancy->warps_per_sm},
          {"limit_registers", occupancy->limit_registers},
          {"limit_shared_memory", occupancy->limit_shared_memory},
          {"limit_warps", occupancy->limit_warps},
          {"limit_blocks", occupancy->limit_blocks},
          {"limit_barriers", occupancy->limit_barriers},
          {"limiters", occupancy->limiters}};
}

std::string_view AdviceWord(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kInfo:
      return "info";
    case AdviceKind::kWarning:
      return "warning";
    case AdviceKind::kError:
      return "error";
    case AdviceKind::kOptimisation:
      return "optimisation";
    case AdviceKind::kUnknown:
      break;
  }
  return "unknown";
}

// What the recorder's own rules said.
nlohmann::ordered_json RecorderRulesData(const ProfiledKernel& kernel) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const RuleResult& rule : kernel.rules) {
    for (const RuleAdvice& advice : rule.advice) {
      if (advice.text.empty()) continue;
      nlohmann::ordered_json speedup;
      if (advice.speedup_scope != SpeedupScope::kNone) {
        speedup = {{"share", advice.speedup_percent / 100},
                   {"of", advice.speedup_scope == SpeedupScope::kGlobal ? "kernel" : "part"}};
      }
      rules.push_back({{"id", rule.id},
                       {"section", rule.section},
                       {"kind", AdviceWord(advice.kind)},
                       {"title", TextOrNull(advice.title)},
                       {"text", PlainAdvice(advice.text)},
                       {"speedup", std::move(speedup)}});
    }
  }
  return rules;
}

void AddMetrics(const CounterReport& report, const ProfiledKernel& kernel, const UnitContext& units,
                nlohmann::ordered_json& data) {
  nlohmann::ordered_json::object_t values;
  nlohmann::ordered_json::object_t named_units;
  for (const Metric& metric : kernel.metrics) {
    if (report.Find(kernel, metric.name) != &metric) continue;  // of two with one name the first
    const std::string name(report.MetricName(metric.name));
    // push_back: the names are known to differ, and looking each up would cost the square of their number.
    values.push_back({name, CounterValueData(metric.value)});
    if (std::string unit = MetricUnit(name, units); !unit.empty()) named_units.push_back({name, std::move(unit)});
  }
  data["metrics"] = std::move(values);
  data["units"] = std::move(named_units);
}

}  // namespace

nlohmann::ordered_json TriageFindingsData(const Triage& triage) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const TriageFinding& finding : triage.findings) findings.push_back(FindingData(finding));
  return findings;
}

nlohmann::ordered_json NotEvaluatedData(const Triage& triage) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const UnevaluatedRule& rule : triage.not_evaluated) rules.push_back({{"id", rule.id}, {"reason", rule.reason}});
  return rules;
}

nlohmann::ordered_json CounterKernelData(const CounterReport& report, const ProfiledKernel& kernel, const UnitContext& units,
                                         const Triage& triage, const std::vector<SectionResult>& sections) {
  nlohmann::ordered_json data;
  data["name"] = kernel.full_name;
  data["function"] = TextOrNull(kernel.function_name);
  data["mangled_name"] = TextOrNull(kernel.mangled_name);
  data["id"] = kernel.id;
  data["device"] = kernel.device;
  data["process"] = kernel.process_id;
  data["context"] = kernel.context;
  data["stream"] = kernel.stream;
  data["grid"] = kernel.grid;
  data["block"] = kernel.block;
  data["compute_capability"] = TextOrNull(CapabilityText(ComputeCapability(report, kernel)));
  const std::optional<double> duration = report.Number(kernel, "gpu__time_duration.sum");
  data["profiled_ns"] = duration ? nlohmann::ordered_json(std::llround(*duration)) : nlohmann::ordered_json();
  nlohmann::ordered_json ranges = nlohmann::ordered_json::array();
  for (const OpenRanges& open : kernel.ranges) {
    for (const std::string_view name : open.names) ranges.push_back(std::string(name));
  }
  data["ranges"] = std::move(ranges);
  data["verdict"] = triage.verdict;
  data["verdict_id"] = TextOrNull(triage.verdict_id);
  data["findings"] = TriageFindingsData(triage);
  data["not_evaluated"] = NotEvaluatedData(triage);
  data["recorder_rules"] = RecorderRulesData(kernel);
  data["occupancy"] = OccupancyData(report, kernel);
  data["roofline"] = CounterRooflineJson(MakeCounterRoofline(report, kernel));
  data["sections"] = nlohmann::ordered_json::array();
  for (const SectionResult& section : sections) data["sections"].push_back(SectionJson(section));
  AddMetrics(report, kernel, units, data);
  return data;
}

}  // namespace warpsight
