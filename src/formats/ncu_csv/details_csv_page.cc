#include <fmt/format.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "counters/section_data.h"
#include "formats/ncu_csv/csv_report.h"
#include "formats/ncu_csv/printed_value.h"

namespace warpsight {
namespace {

// Metrics that were asked for by name stand under this title, with their names.
constexpr std::string_view kNamedMetrics = "Command line profiler metrics";

using SectionLabels = std::map<std::pair<std::string, std::string>, std::string>;

// (section title, label) -> metric, of the sections that ncu ships.
const SectionLabels& KnownLabels() {
  static const SectionLabels& labels = *[] {
    auto* all = new SectionLabels;
    for (const SectionData& section : AllSectionData()) {
      for (const SectionRowData& row : section.rows) {
        if (!row.metrics.empty()) all->emplace(std::pair(section.title, row.label), row.metrics.front());
      }
    }
    return all;
  }();
  return labels;
}

AdviceKind ReadAdviceKind(std::string_view type) {
  if (type == "INF") return AdviceKind::kInfo;
  if (type == "WRN") return AdviceKind::kWarning;
  if (type == "ERR") return AdviceKind::kError;
  return type == "OPT" ? AdviceKind::kOptimisation : AdviceKind::kUnknown;
}

// One header and the records below it: a record a metric or a rule, a kernel's records one after the other.
class DetailsTable {
 public:
  DetailsTable(const CsvRow& header, CsvReport& report) : header_(header), report_(report) {}

  const CsvHeader& header() const { return header_; }

  bool IsForeign(const CsvRow& row) const { return row.size() == 1; }
  void Take(const CsvRow& row, bool is_cut, int64_t place) {
    const std::string_view id = header_.Cell(row, "ID");
    const std::string_view name = header_.Cell(row, "Kernel Name");
    if (name.empty() || (is_cut && row.size() <= header_.Find("Metric Value"))) {
      report_.log().Add("record_short", ImportSeverity::kWarning, Effect::kNote,
                        "records that are not whole were passed over", place);
      return;
    }
    if (kernel_ == kNoKernel || id != last_id_ || name != last_name_) {
      report_.AddKernel(header_, row);
      kernel_ = report_.parts().kernels.size() - 1;
      last_id_ = id;
      last_name_ = name;
    }
    ProfiledKernel& kernel = report_.parts().kernels[kernel_];
    if (const std::string_view metric = header_.Cell(row, "Metric Name"); !metric.empty()) AddRow(kernel, row, metric);
    if (const std::string_view rule = header_.Cell(row, "Rule Name"); !rule.empty()) AddRule(kernel, row, rule);
  }

 private:
  static constexpr size_t kNoKernel = ~size_t{0};

  void AddRow(ProfiledKernel& kernel, const CsvRow& row, std::string_view label) {
    const std::string_view title = header_.Cell(row, "Section Name");
    const PrintedUnit unit = ReadPrintedUnit(header_.Cell(row, "Metric Unit"));
    const CounterValue value = ReadPrintedValue(header_.Cell(row, "Metric Value"), unit);
    if (title == kNamedMetrics) {
      report_.AddMetric(kernel, label, unit.base, value);
      return;
    }
    const auto known = KnownLabels().find({std::string(title), std::string(label)});
    if (known != KnownLabels().end()) {
      report_.AddMetric(kernel, known->second, unit.base, value);
      return;
    }
    // A section of the user's own: shown as it was printed.
    const auto [made, is_new] = own_names_.try_emplace({title, label});
    if (is_new) made->second = report_.Keep(fmt::format("{}: {}", title, label));
    if (report_.AddMetric(kernel, made->second, unit.base, value))
      report_.budget().Append(SectionOf(kernel, title).header, {made->second, label});
  }

  CounterSection& SectionOf(ProfiledKernel& kernel, std::string_view title) const {
    if (kernel.sections.empty() || kernel.sections.back().title != title) {
      CounterSection& section = report_.budget().Append(kernel.sections, {});
      section.id = title;
      section.title = title;
      section.order = kernel.sections.size();
    }
    return kernel.sections.back();
  }

  void AddRule(ProfiledKernel& kernel, const CsvRow& row, std::string_view name) const {
    RuleResult rule;
    rule.id = name;
    rule.title = name;
    rule.section = header_.Cell(row, "Section Name");
    RuleAdvice& advice = rule.advice.emplace_back();
    advice.text = header_.Cell(row, "Rule Description");
    advice.kind = ReadAdviceKind(header_.Cell(row, "Rule Type"));
    const std::string_view scope = header_.Cell(row, "Estimated Speedup Type");
    if (scope == "global") advice.speedup_scope = SpeedupScope::kGlobal;
    if (scope == "local") advice.speedup_scope = SpeedupScope::kLocal;
    advice.speedup_percent = NumberOf(ReadPrintedValue(header_.Cell(row, "Estimated Speedup"), {})).value_or(0);
    report_.budget().Take(sizeof(RuleAdvice));
    report_.budget().Append(kernel.rules, std::move(rule));
  }

  CsvHeader header_;
  CsvReport& report_;
  size_t kernel_ = kNoKernel;
  std::string_view last_id_;
  std::string_view last_name_;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> own_names_;
};

}  // namespace

void ReadDetailsCsvPage(CsvReader& reader, CsvReport& report) {
  ReadTablesOfPage<DetailsTable>(reader, report);
  if (report.parts().kernels.empty()) return;
  report.log().Add("values_rounded", ImportSeverity::kInfo, Effect::kNote,
                   "a details page has values with two decimals and sections only: --page raw has all of every metric", -1);
}

}  // namespace warpsight
