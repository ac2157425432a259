#include "formats/ncu_rep/report_messages.h"
#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

SectionMetric ReadSectionMetric(std::string_view message) {
  SectionMetric metric;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) metric.metric = reader.Text();
    if (reader.field() == 2) metric.label = reader.Text();
  }
  return metric;
}

// The metrics in field `number` of a list.
std::vector<SectionMetric> ReadSectionMetrics(std::string_view message, uint32_t number, ReadingBudget& budget) {
  std::vector<SectionMetric> metrics;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() != number) continue;
    const SectionMetric metric = ReadSectionMetric(reader.Bytes());
    if (!metric.metric.empty()) budget.Append(metrics, metric);
  }
  return metrics;
}

AdviceKind AdviceKindOf(uint64_t kind) {
  switch (kind) {
    case 1:
      return AdviceKind::kInfo;
    case 2:
      return AdviceKind::kWarning;
    case 3:
      return AdviceKind::kError;
    case 4:
      return AdviceKind::kOptimisation;
    default:
      return AdviceKind::kUnknown;
  }
}

SpeedupScope SpeedupScopeOf(uint64_t scope) {
  if (scope == 1) return SpeedupScope::kLocal;
  return scope == 2 ? SpeedupScope::kGlobal : SpeedupScope::kNone;
}

void ReadAdviceMessage(std::string_view message, RuleAdvice& advice) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) advice.text = reader.Text();
    if (reader.field() == 2) advice.kind = AdviceKindOf(reader.Whole());
    if (reader.field() == 4) advice.title = reader.Text();
  }
}

void ReadSpeedup(std::string_view message, RuleAdvice& advice) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) advice.speedup_scope = SpeedupScopeOf(reader.Whole());
    if (reader.field() == 2) advice.speedup_percent = reader.Real();
  }
}

RuleAdvice ReadAdvice(std::string_view message) {
  RuleAdvice advice;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) ReadAdviceMessage(reader.Bytes(), advice);
    if (reader.field() == 10) ReadSpeedup(reader.Bytes(), advice);
  }
  return advice;
}

}  // namespace

CounterSection ReadSection(std::string_view message, ReadingBudget& budget) {
  CounterSection section;
  for (WireReader reader(message); reader.Next();) {
    switch (reader.field()) {
      case 1:
        section.id = reader.Text();
        break;
      case 2:
        section.title = reader.Text();
        break;
      case 3:
        section.order = reader.Whole();
        break;
      case 4:
        section.header = ReadSectionMetrics(reader.Bytes(), 2, budget);
        break;
      case 5:
        budget.Append(section.bodies, reader.Bytes());
        break;
      case 6:
        section.more = ReadSectionMetrics(reader.Bytes(), 1, budget);
        break;
      case 7:
        section.description = reader.Text();
        break;
      case 9:
        section.parent = reader.Text();
        break;
      case 10:
        section.derived = ReadSectionMetrics(reader.Bytes(), 1, budget);
        break;
      case 13:
        section.source_columns = ReadSectionMetrics(reader.Bytes(), 1, budget);
        break;
      default:
        break;
    }
  }
  return section;
}

RuleResult ReadRuleResult(std::string_view message, ReadingBudget& budget) {
  RuleResult rule;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) rule.id = reader.Text();
    if (reader.field() == 2) rule.title = reader.Text();
    if (reader.field() == 4) rule.section = reader.Text();
    if (reader.field() != 3) continue;
    for (WireReader entries(reader.Bytes()); entries.Next();) {
      if (entries.field() == 1) budget.Append(rule.advice, ReadAdvice(entries.Bytes()));
    }
  }
  return rule;
}

}  // namespace warpsight
