#include "counters/section_data.h"

#include <toml++/toml.h>

#include <map>
#include <utility>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kSectionFile = "data/counter_sections.toml";

std::string RequiredSectionText(const toml::table& row, std::string_view key) {
  const std::optional<std::string> text = row[key].value<std::string>();
  CHECK(text.has_value());
  return *text;
}

// Calls `take` for every table of the list `key`; there may be none.
template <typename Take>
void ForEachSectionTable(const toml::table& table, std::string_view key, const Take& take) {
  const toml::array* rows = table[key].as_array();
  if (rows == nullptr) return;
  for (const toml::node& node : *rows) {
    CHECK(node.as_table() != nullptr);
    take(*node.as_table());
  }
}

std::vector<std::string> SectionTexts(const toml::array& array) {
  std::vector<std::string> texts;
  for (const toml::node& node : array) texts.push_back(node.value_or(std::string()));
  return texts;
}

SectionRowData ParseSectionRow(const toml::table& table) {
  SectionRowData row;
  row.label = RequiredSectionText(table, "label");
  row.unit = table["unit"].value_or(std::string());
  if (const std::optional<std::string> formula = table["formula"].value<std::string>()) row.formula.emplace(*formula);
  if (const toml::array* metrics = table["metrics"].as_array()) row.metrics = SectionTexts(*metrics);
  CHECK(row.formula.has_value() == row.metrics.empty());
  return row;
}

SectionTableData ParseSectionTable(const toml::table& table) {
  SectionTableData parsed;
  parsed.title = RequiredSectionText(table, "title");
  CHECK(table["columns"].as_array() != nullptr && table["rows"].as_array() != nullptr);
  parsed.columns = SectionTexts(*table["columns"].as_array());
  for (const toml::node& node : *table["rows"].as_array()) {
    CHECK(node.as_array() != nullptr);
    parsed.rows.push_back(SectionTexts(*node.as_array()));
    CHECK(parsed.rows.back().size() == parsed.columns.size() + 1);
  }
  return parsed;
}

SectionData ParseSection(const toml::table& table) {
  SectionData section;
  section.id = RequiredSectionText(table, "id");
  section.title = RequiredSectionText(table, "title");
  CHECK(table["covers"].as_array() != nullptr);
  section.covers = SectionTexts(*table["covers"].as_array());
  ForEachSectionTable(table, "row", [&](const toml::table& row) { section.rows.push_back(ParseSectionRow(row)); });
  const std::pair<std::string_view, SectionListData::Kind> kinds[] = {{"breakdown", SectionListData::Kind::kBreakdown},
                                                                      {"pattern", SectionListData::Kind::kPattern},
                                                                      {"instances", SectionListData::Kind::kInstances}};
  for (const auto& [key, kind] : kinds) {
    ForEachSectionTable(table, key, [&, kind = kind](const toml::table& list) {
      section.lists.push_back({kind, RequiredSectionText(list, "title"), RequiredSectionText(list, "metric")});
    });
  }
  ForEachSectionTable(table, "table", [&](const toml::table& one) { section.tables.push_back(ParseSectionTable(one)); });
  return section;
}

std::vector<SectionData> ParseSections(std::string_view text) {
  std::vector<SectionData> sections;
  ForEachSectionTable(toml::parse(text, kSectionFile), "section",
                      [&](const toml::table& section) { sections.push_back(ParseSection(section)); });
  return sections;
}

using UnitWords = std::map<std::string, std::string, std::less<>>;

const UnitWords& AllUnitWords() {
  static const UnitWords& words = *[] {
    auto* all = new UnitWords;
    const toml::table file = toml::parse(EmbeddedFile(kSectionFile));
    CHECK(file["unit_words"].as_table() != nullptr);
    for (const auto& [unit, word] : *file["unit_words"].as_table())
      all->emplace(std::string(unit.str()), word.value_or(std::string()));
    return all;
  }();
  return words;
}

}  // namespace

std::string BreakdownLabel(std::string_view metric) {
  const std::string_view counter = metric.substr(0, metric.find('.'));
  const size_t gap = counter.find("__");
  const auto word = AllUnitWords().find(counter.substr(0, gap));
  if (gap == std::string_view::npos || word == AllUnitWords().end()) return std::string(counter);
  std::string label = word->second + ":";
  bool starts_word = true;
  for (const char c : counter.substr(gap + 2)) {
    if (c == '_') {
      starts_word = true;
      continue;
    }
    if (starts_word) label += ' ';
    label += starts_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    starts_word = false;
  }
  return label;
}

const std::vector<SectionData>& AllSectionData() {
  static const std::vector<SectionData>& sections = *new std::vector<SectionData>(ParseSections(EmbeddedFile(kSectionFile)));
  return sections;
}

}  // namespace warpsight
