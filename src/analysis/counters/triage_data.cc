#include "analysis/counters/triage_data.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kTriageFile = "data/counter_triage.toml";

std::vector<std::string> TriageTexts(const toml::table& row, std::string_view key) {
  std::vector<std::string> texts;
  const toml::array* array = row[key].as_array();
  if (array == nullptr) return texts;
  for (const toml::node& node : *array) texts.push_back(node.value_or(std::string()));
  return texts;
}

std::vector<Comparison> TriageConditions(const toml::table& row, std::string_view key) {
  std::vector<Comparison> conditions;
  for (const std::string& text : TriageTexts(row, key)) conditions.emplace_back(text);
  return conditions;
}

std::string RequiredTriageText(const toml::table& row, std::string_view key) {
  std::string text = row[key].value_or(std::string());
  CHECK(!text.empty());
  return text;
}

template <typename Take>
void ForEachTriageRow(const toml::table& file, std::string_view key, const Take& take) {
  const toml::array* rows = file[key].as_array();
  CHECK(rows != nullptr);
  for (const toml::node& node : *rows) {
    CHECK(node.as_table() != nullptr);
    take(*node.as_table());
  }
}

TriageText ParseTriageText(const toml::table& row) {
  return {RequiredTriageText(row, "id"), TriageConditions(row, "when"), RequiredTriageText(row, "text"),
          row["short"].value_or(std::string())};
}

TriageNode ParseTriageNode(const toml::table& row) {
  TriageNode node;
  node.id = RequiredTriageText(row, "id");
  node.stage = RequiredTriageText(row, "stage");
  node.when = TriageConditions(row, "when");
  node.not_evaluated_when = TriageConditions(row, "not_evaluated_when");
  node.not_evaluated = row["not_evaluated"].value_or(std::string());
  node.title = RequiredTriageText(row, "title");
  node.evidence = TriageTexts(row, "evidence");
  node.advice = RequiredTriageText(row, "advice");
  if (const std::optional<std::string> gain = row["gain"].value<std::string>()) node.gain.emplace(*gain);
  const std::string scope = RequiredTriageText(row, "scope");
  CHECK(scope == "kernel" || scope == "part");
  node.of_whole_kernel = scope == "kernel";
  CHECK(!node.when.empty());
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
        {std::string(id.str()), *value, RequiredTriageText(*row, "source"), RequiredTriageText(*row, "meaning")});
  }
  for (const auto& [id, node] : *values)
    data.values.emplace_back(std::string(id.str()), Formula(node.value_or(std::string())));
  ForEachTriageRow(file, "text", [&](const toml::table& row) { data.texts.push_back(ParseTriageText(row)); });
  ForEachTriageRow(file, "verdict", [&](const toml::table& row) { data.verdicts.push_back(ParseTriageText(row)); });
  ForEachTriageRow(file, "node", [&](const toml::table& row) { data.nodes.push_back(ParseTriageNode(row)); });
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
