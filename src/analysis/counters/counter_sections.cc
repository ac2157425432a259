#include "analysis/counters/counter_sections.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/counters/kernel_lookup.h"
#include "counters/metric_scale.h"
#include "counters/section_data.h"

namespace warpsight {
namespace {

// As a number for sorting; what is none comes last.
double SortKey(const SectionRow& row) { return NumberOf(row.value).value_or(-1); }

void SortLargestFirst(std::vector<SectionRow>& rows) {
  std::ranges::stable_sort(rows, [](const SectionRow& a, const SectionRow& b) { return SortKey(a) > SortKey(b); });
}

class SectionMaker {
 public:
  SectionMaker(const CounterReport& report, const ProfiledKernel& kernel, const UnitContext& units)
      : report_(report), kernel_(kernel), units_(units), lookup_(KernelLookup(report, kernel)) {}

  SectionResult Make(const SectionData& data) const {
    SectionResult result;
    result.id = data.id;
    result.title = data.title;
    for (const SectionRowData& row : data.rows) {
      if (std::optional<SectionRow> made = MakeRow(row)) result.rows.push_back(std::move(*made));
    }
    for (const SectionListData& list : data.lists) {
      SectionList made{list.title, MakeList(list)};
      if (!made.rows.empty()) result.lists.push_back(std::move(made));
    }
    for (const SectionTableData& table : data.tables) {
      SectionTable made = MakeTable(table);
      if (!made.rows.empty()) result.tables.push_back(std::move(made));
    }
    return result;
  }

  SectionResult MakeOwn(const CounterSection& section) const {
    SectionResult result;
    result.id = section.id;
    result.title = section.title.empty() ? section.id : section.title;
    for (const SectionMetric& metric : section.header) {
      // ncu --metrics regex:...: the metric's text lists those that matched.
      if (metric.metric.starts_with("regex:") || metric.metric.starts_with("group:")) {
        for (SectionRow& row : Breakdown(metric.metric)) {
          row.label = row.metric;
          result.rows.push_back(std::move(row));
        }
        continue;
      }
      if (std::optional<SectionRow> row = MetricRow(std::string(metric.label), metric.metric))
        result.rows.push_back(std::move(*row));
    }
    return result;
  }

 private:
  std::optional<SectionRow> MetricRow(std::string label, std::string_view name) const {
    const Metric* metric = report_.Find(kernel_, name);
    if (metric == nullptr || IsAbsent(metric->value)) return std::nullopt;
    if (label.empty()) label = name;
    return SectionRow{std::move(label), std::string(name), metric->value, MetricUnit(name, units_)};
  }

  std::optional<SectionRow> MakeRow(const SectionRowData& data) const {
    if (data.formula) {
      const std::optional<double> value = data.formula->Evaluate(lookup_);
      if (!value) return std::nullopt;
      return SectionRow{data.label, data.formula->text(), *value, data.unit};
    }
    for (const std::string& name : data.metrics) {
      std::optional<SectionRow> row = MetricRow(data.label, name);
      if (!row) continue;
      if (!data.unit.empty()) row->unit = data.unit;
      return row;
    }
    return std::nullopt;
  }

  std::vector<SectionRow> MakeList(const SectionListData& data) const {
    std::vector<SectionRow> rows;
    switch (data.kind) {
      case SectionListData::Kind::kBreakdown:
        rows = Breakdown(data.metric);
        break;
      case SectionListData::Kind::kPattern:
        rows = MatchingMetrics(data.metric);
        break;
      case SectionListData::Kind::kInstances:
        rows = Instances(data.metric);
        break;
    }
    SortLargestFirst(rows);
    return rows;
  }

  // The text of a breakdown is a comma-separated list of metrics.
  std::vector<SectionRow> Breakdown(std::string_view name) const {
    std::vector<SectionRow> rows;
    std::string_view names = TextOf(report_.Value(kernel_, name)).value_or("");
    while (!names.empty()) {
      const size_t comma = std::min(names.find(','), names.size());
      const std::string_view one = names.substr(0, comma);
      if (std::optional<SectionRow> row = MetricRow(BreakdownLabel(one), one)) rows.push_back(std::move(*row));
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
    return rows;
  }

  std::vector<SectionRow> MatchingMetrics(std::string_view pattern) const {
    const size_t star = pattern.find('*');
    const std::string_view before = pattern.substr(0, star);
    const std::string_view after = pattern.substr(star + 1);
    std::vector<SectionRow> rows;
    for (const Metric& metric : kernel_.metrics) {
      const std::string_view name = report_.MetricName(metric.name);
      if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) continue;
      const std::string_view label = name.substr(before.size(), name.size() - before.size() - after.size());
      // Samples come twice: all of them, and those in which the scheduler issued nothing.
      if (after.empty() && label.ends_with("_not_issued")) continue;
      if (report_.Find(kernel_, metric.name) != &metric) continue;
      if (std::optional<SectionRow> row = MetricRow(std::string(label), name)) rows.push_back(std::move(*row));
    }
    return rows;
  }

  std::vector<SectionRow> Instances(std::string_view name) const {
    std::vector<SectionRow> rows;
    const Metric* metric = report_.Find(kernel_, name);
    for (uint32_t i = 0; metric != nullptr && i < metric->instance_count; ++i) {
      const MetricInstance& instance = kernel_.instances[metric->first_instance + i];
      if (const std::optional<std::string_view> key = TextOf(instance.key))
        rows.push_back({std::string(*key), std::string(name), instance.value, "inst"});
    }
    return rows;
  }

  SectionTable MakeTable(const SectionTableData& data) const {
    SectionTable table;
    table.title = data.title;
    table.columns = data.columns;
    for (const std::vector<std::string>& texts : data.rows) {
      SectionTable::Row row;
      row.label = texts.front();
      bool has_value = false;
      for (size_t i = 1; i < texts.size(); ++i) {
        std::optional<SectionRow> cell = MetricRow(data.columns[i - 1], texts[i]);
        has_value = has_value || cell.has_value();
        row.cells.push_back(cell ? std::move(*cell) : SectionRow{data.columns[i - 1], texts[i], {}, ""});
      }
      if (has_value) table.rows.push_back(std::move(row));
    }
    return table;
  }

  const CounterReport& report_;
  const ProfiledKernel& kernel_;
  const UnitContext& units_;
  FormulaLookup lookup_;
};

bool IsCovered(std::string_view section) {
  return std::ranges::any_of(AllSectionData(), [&](const SectionData& data) {
    return std::ranges::find(data.covers, section) != data.covers.end();
  });
}

bool HasContent(const SectionResult& section) {
  return !section.rows.empty() || !section.lists.empty() || !section.tables.empty();
}

}  // namespace

std::vector<SectionResult> MakeSections(const CounterReport& report, const ProfiledKernel& kernel,
                                        const UnitContext& units) {
  const SectionMaker maker(report, kernel, units);
  std::vector<SectionResult> sections;
  for (const SectionData& data : AllSectionData()) {
    SectionResult section = maker.Make(data);
    if (HasContent(section)) sections.push_back(std::move(section));
  }
  for (const CounterSection& own : kernel.sections) {
    if (IsCovered(own.id)) continue;
    SectionResult section = maker.MakeOwn(own);
    if (HasContent(section)) sections.push_back(std::move(section));
  }
  return sections;
}

PrintedValue PrintRow(const SectionRow& row) {
  MetricScale scale(row.unit);
  scale.Include(row.value);
  return {scale.PrintShort(row.value), scale.unit()};
}

std::vector<std::string> AllSectionMetrics() {
  std::vector<std::string> names;
  for (const SectionData& section : AllSectionData()) {
    for (const SectionRowData& row : section.rows) {
      names.insert(names.end(), row.metrics.begin(), row.metrics.end());
      if (row.formula) names.insert(names.end(), row.formula->names().begin(), row.formula->names().end());
    }
    for (const SectionTableData& table : section.tables) {
      for (const std::vector<std::string>& row : table.rows) names.insert(names.end(), row.begin() + 1, row.end());
    }
  }
  std::erase(names, "");
  return names;
}

}  // namespace warpsight
