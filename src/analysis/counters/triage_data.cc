#include "analysis/counters/triage_data.h"

#include <toml++/toml.h>

#include <algorithm>

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
          row["short"].value_or(std::string())};
}

TriageNode ParseTriageNode(const toml::table& row) {
  TriageNode node;
  node.id = RequiredDataText(row, "id");
  node.stage = RequiredDataText(row, "stage");
  node.when = TriageConditions(row, "when");
  node.not_evaluated_when = TriageConditions(row, "not_evaluated_when");
  node.not_evaluated = row["not_evaluated"].value_or(std::string());
  node.title = RequiredDataText(row, "title");
  node.evidence = DataTexts(row, "evidence");
  node.advice = RequiredDataText(row, "advice");
  if (const std::optional<std::string> gain = row["gain"].value<std::string>()) node.gain.emplace(*gain);
  const std::string scope = RequiredDataText(row, "scope");
  CHECK(scope == "kernel" || scope == "part");
  node.of_whole_kernel = scope == "kernel";
  CHECK(!node.when.empty());
  if (const toml::array* minor = row["minor"].as_array()) {
    for (const toml::node& one : *minor) {
      const toml::array* pair = one.as_array();
      CHECK(pair != nullptr && pair->size() == 2);
      node.minor.push_back({{Comparison((*pair)[0].value_or(std::string()))}, (*pair)[1].value_or(std::string())});
    }
  }
  return node;
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
  for (const auto& [id, node] : *values)
    data.values.emplace_back(std::string(id.str()), Formula(node.value_or(std::string())));
  ForEachDataRow(file, "text", [&](const toml::table& row) { data.texts.push_back(ParseTriageText(row)); });
  ForEachDataRow(file, "verdict", [&](const toml::table& row) { data.verdicts.push_back(ParseTriageText(row)); });
  ForEachDataRow(file, "node", [&](const toml::table& row) { data.nodes.push_back(ParseTriageNode(row)); });
  return data;
}

}  // namespace

const Formula* TriageData::FindValue(std::string_view name) const {
  const auto found = std::ranges::find(values, name, &std::pair<std::string, Formula>::first);
  return found == values.end() ? nullptr : &found->second;
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
