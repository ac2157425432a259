#include "analysis/counters/triage_data.h"

#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kTriageFile = "data/counter_triage.toml";

std::vector<Comparison> TriageConditions(const toml::table& row, std::string_view key) {
  std::vector<Comparison> conditions;
  for (const std::string& text : DataTexts(row, key)) conditions.emplace_back(text);
  return conditions;
}

TriageText ParseTriageText(const toml::table& row) {
  return {RequiredDataText(row, "id"), TriageConditions(row, "when"), RequiredDataText(row, "text"),
          row["short"].value_or(std::string()), row["with_next"].value_or(false)};
}

// "a / b", or a list of {when, value}.
TriageValue ParseTriageValue(std::string_view id, const toml::node& node) {
  TriageValue value;
  value.id = id;
  if (const toml::array* rows = node.as_array()) {
    for (const toml::node& one : *rows) {
      CHECK(one.as_table() != nullptr);
      const toml::table& row = *one.as_table();
      value.alternatives.push_back({TriageConditions(row, "when"), Formula(RequiredDataText(row, "value"))});
    }
  } else {
    value.alternatives.push_back({{}, Formula(node.value_or(std::string()))});
  }
  return value;
}

// Pairs of a condition (or a list of them) and its reason.
std::vector<TriageMinor> ParseTriageMinor(const toml::table& row) {
  std::vector<TriageMinor> minor;
  const toml::array* pairs = row["minor"].as_array();
  if (pairs == nullptr) return minor;
  for (const toml::node& one : *pairs) {
    const toml::array* pair = one.as_array();
    CHECK(pair != nullptr && pair->size() == 2);
    minor.push_back({{Comparison((*pair)[0].value_or(std::string()))}, (*pair)[1].value_or(std::string())});
  }
  return minor;
}

std::optional<Formula> OptionalFormula(const toml::table& row, std::string_view key) {
  const std::optional<std::string> text = row[key].value<std::string>();
  return text ? std::optional<Formula>(std::in_place, *text) : std::nullopt;
}

TriageNode ParseTriageNode(const toml::table& row) {
  TriageNode node;
  node.id = RequiredDataText(row, "id");
  node.stage = RequiredDataText(row, "stage");
  node.kind = RequiredDataText(row, "kind");
  node.when = TriageConditions(row, "when");
  node.not_evaluated_when = TriageConditions(row, "not_evaluated_when");
  node.not_evaluated = row["not_evaluated"].value_or(std::string());
  node.needs = row["needs"].value_or(std::string());
  node.lacking = row["lacking"].value_or(std::string());
  node.title = RequiredDataText(row, "title");
  node.evidence = DataTexts(row, "evidence");
  node.advice = RequiredDataText(row, "advice");
  node.gain = OptionalFormula(row, "gain");
  const std::string scope = RequiredDataText(row, "scope");
  CHECK(scope == "kernel" || scope == "part");
  node.of_whole_kernel = scope == "kernel";
  CHECK(!node.when.empty());
  node.severity = row["severity"].value_or(std::string());
  CHECK(node.severity.empty() || node.severity == "low");
  node.severe_when = TriageConditions(row, "severe_when");
  node.minor = ParseTriageMinor(row);
  return node;
}

void ParseTriageKinds(const toml::table& file, TriageData& data) {
  const toml::table* kinds = file["kinds"].as_table();
  CHECK(kinds != nullptr);
  for (const auto& [id, node] : *kinds) {
    CHECK(node.as_table() != nullptr);
    const toml::table& row = *node.as_table();
    data.kinds.push_back({std::string(id.str()), OptionalFormula(row, "most_gain"), ParseTriageMinor(row)});
  }
}

TriageData ParseTriage(std::string_view text) {
  const toml::table file = toml::parse(text, kTriageFile);
  TriageData data;
  const toml::table* limits = file["limits"].as_table();
  const toml::table* values = file["values"].as_table();
  CHECK(limits != nullptr && values != nullptr);
  for (const auto& [id, node] : *limits) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    const std::optional<double> value = (*row)["value"].value<double>();
    CHECK(value.has_value());
    data.limits.push_back(
        {std::string(id.str()), *value, RequiredDataText(*row, "source"), RequiredDataText(*row, "meaning")});
  }
  for (const auto& [id, node] : *values) data.values.push_back(ParseTriageValue(id.str(), node));
  ForEachDataRow(file, "percentage", [&](const toml::table& row) {
    data.percentages.push_back({RequiredDataTexts(row, "names"), row["most"].value_or(0.0)});
    CHECK(data.percentages.back().most > 0);
  });
  ParseTriageKinds(file, data);
  ForEachDataRow(file, "text", [&](const toml::table& row) { data.texts.push_back(ParseTriageText(row)); });
  ForEachDataRow(file, "verdict", [&](const toml::table& row) { data.verdicts.push_back(ParseTriageText(row)); });
  ForEachDataRow(file, "node", [&](const toml::table& row) { data.nodes.push_back(ParseTriageNode(row)); });
  for (const TriageNode& node : data.nodes) CHECK(!data.KindOf(node).id.empty());
  return data;
}

}  // namespace

std::vector<std::string> TriageValue::names() const {
  std::vector<std::string> names;
  const auto add = [&](const Formula& formula) {
    names.insert(names.end(), formula.names().begin(), formula.names().end());
  };
  for (const Alternative& alternative : alternatives) {
    for (const Comparison& condition : alternative.when) {
      add(condition.left());
      add(condition.right());
    }
    add(alternative.formula);
  }
  return names;
}

const TriageValue* TriageData::FindValue(std::string_view name) const {
  const auto found = std::ranges::find(values, name, &TriageValue::id);
  return found == values.end() ? nullptr : &*found;
}

const TriageKind& TriageData::KindOf(const TriageNode& node) const {
  const auto found = std::ranges::find(kinds, node.kind, &TriageKind::id);
  CHECK(found != kinds.end());
  return *found;
}

const TriageLimit* TriageData::FindLimit(std::string_view id) const {
  const auto found = std::ranges::find(limits, id, &TriageLimit::id);
  return found == limits.end() ? nullptr : &*found;
}

const TriageData& CounterTriageData() {
  static const TriageData& data = *new TriageData(ParseTriage(EmbeddedFile(kTriageFile)));
  return data;
}

}  // namespace warpsight
