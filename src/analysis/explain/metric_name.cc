#include "analysis/explain/metric_name.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/counters/counter_sections.h"
#include "analysis/counters/stall_reasons.h"
#include "analysis/counters/triage_data.h"
#include "analysis/explain/text_entries.h"
#include "base/check.h"
#include "base/embedded_data.h"
#include "counters/formula.h"
#include "counters/metric_pattern.h"
#include "counters/metric_unit.h"
#include "counters/section_data.h"

namespace warpsight {
namespace {

using MeaningTable = std::map<std::string, std::string, std::less<>>;

struct MetricGrammar {
  MeaningTable units;
  MeaningTable rollups;
  MeaningTable submetrics;
  MeaningTable words;
  MeaningTable general;
};

MeaningTable ReadMeanings(const std::vector<TextEntry>& file, std::string_view key) {
  MeaningTable table;
  for (const TextEntry& entry : file) {
    if (entry.table != key) continue;
    for (const auto& [word, meaning] : entry.texts) table.emplace(word, meaning);
  }
  CHECK(!table.empty());
  return table;
}

MetricGrammar ReadMetricGrammar() {
  const std::vector<TextEntry> file = ReadTextEntries(EmbeddedFile("data/explain_metric_words.toml"));
  return {ReadMeanings(file, "unit"), ReadMeanings(file, "rollup"), ReadMeanings(file, "submetric"),
          ReadMeanings(file, "word"), ReadMeanings(file, "general")};
}

const MetricGrammar& Grammar() {
  static const MetricGrammar& grammar = *new MetricGrammar(ReadMetricGrammar());
  return grammar;
}

std::vector<MetricFamily> ReadMetricFamilies() {
  std::vector<MetricFamily> families;
  for (const TextEntry& row : ReadTextEntries(EmbeddedFile("data/explain_metrics.toml"))) {
    CHECK(row.table == "metric" && !row.List("names").empty());
    families.push_back({row.List("names"), row.Text("plain") == "true", row.Text("title"), row.Text("what"),
                        row.Text("healthy"), row.Text("misleads"), row.Text("next"), row.List("see")});
  }
  return families;
}

const MetricFamily* FindMetricFamily(std::string_view base) {
  for (const MetricFamily& family : AllMetricFamilies()) {
    if (std::ranges::any_of(family.names, [&](const std::string& form) { return MatchesMetricPattern(form, base); }))
      return &family;
  }
  return nullptr;
}

std::string_view MeaningIn(const MeaningTable& table, std::string_view word) {
  const auto found = table.find(word);
  return found == table.end() ? std::string_view() : std::string_view(found->second);
}

// Old and new names spell some reasons with more letters than their id has.
const StallReason* StallOfWord(std::string_view word) {
  return FindStallReason(word == "no_instructions" ? "no_instruction" : word);
}

// The longest run of words from `at` on that means something; its end.
size_t LongestKnown(const std::vector<std::string_view>& words, size_t at, bool after_stall, std::string& text,
                    std::string& meaning) {
  for (size_t end = words.size(); end > at; --end) {
    text.assign(words[at]);
    for (size_t i = at + 1; i < end; ++i) text.append("_").append(words[i]);
    const StallReason* const stall = after_stall ? StallOfWord(text) : nullptr;
    meaning = stall != nullptr ? stall->name : std::string(MeaningIn(Grammar().words, text));
    if (meaning.empty()) meaning = MeaningIn(Grammar().general, text);
    if (!meaning.empty()) return end;
  }
  text.clear();
  return at;
}

std::vector<std::string_view> SplitAt(std::string_view text, char border) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const size_t at = std::min(text.find(border), text.size());
    if (at > 0) pieces.push_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return pieces;
}

bool NamesStalls(std::string_view word) { return word.find("stall") != std::string_view::npos; }

void AddWords(std::string_view counter, MetricName& metric) {
  const std::vector<std::string_view> words = SplitAt(counter, '_');
  bool after_stall = false;
  for (size_t at = 0; at < words.size();) {
    if (words[at] == "*") {
      metric.parts.push_back({MetricPartRole::kWord, "*", "any text"});
      ++at;
      continue;
    }
    std::string text;
    std::string meaning;
    const size_t end = LongestKnown(words, at, after_stall, text, meaning);
    if (end > at) {
      if (after_stall && metric.stall.empty() && StallOfWord(text) != nullptr) metric.stall = StallOfWord(text)->id;
      after_stall = after_stall || NamesStalls(text);
      metric.parts.push_back({MetricPartRole::kWord, text, meaning});
      at = end;
      continue;
    }
    // Words that are not known are joined, since it is not known where one ends.
    MetricPart* const last = metric.parts.empty() ? nullptr : &metric.parts.back();
    if (last != nullptr && last->role == MetricPartRole::kWord && !last->is_known()) {
      last->text.append("_").append(words[at]);
    } else {
      metric.parts.push_back({MetricPartRole::kWord, std::string(words[at]), ""});
    }
    ++at;
  }
}

void AddPlainWords(std::string_view counter, MetricName& metric) {
  std::string plain(counter);
  std::ranges::replace(plain, '_', ' ');
  const std::string_view known = MeaningIn(Grammar().words, counter);
  metric.parts.push_back({MetricPartRole::kWord, std::string(counter), known.empty() ? plain : std::string(known)});
}

void AddEnding(std::string_view ending, MetricName& metric) {
  for (const std::string_view piece : SplitAt(ending, '.')) {
    const std::string_view rollup = MeaningIn(Grammar().rollups, piece);
    const std::string_view meaning = rollup.empty() ? MeaningIn(Grammar().submetrics, piece) : rollup;
    metric.parts.push_back({rollup.empty() ? MetricPartRole::kSubmetric : MetricPartRole::kRollup, "." + std::string(piece),
                            std::string(meaning)});
  }
}

// "breakdown:x", "pmsampling:x", "SM_A.TriageCompute.x": x is the metric.
std::string_view TakePrefix(std::string_view name, MetricName& metric) {
  const size_t colon = name.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view word = name.substr(0, colon);
    metric.parts.push_back(
        {MetricPartRole::kPrefix, std::string(word) + ":", std::string(MeaningIn(Grammar().units, word))});
    return name.substr(colon + 1);
  }
  const size_t triage = name.find(".triage");
  const size_t dot = triage == std::string_view::npos ? triage : name.find('.', triage + 1);
  if (dot == std::string_view::npos) return name;
  metric.parts.push_back(
      {MetricPartRole::kPrefix, std::string(name.substr(0, dot + 1)), "a group of counters of the sampler"});
  return name.substr(dot + 1);
}

constexpr size_t kLongestMetric = 300;  // the longest known has some 120 letters

bool IsNameText(std::string_view text) {
  return !text.empty() && text.size() <= kLongestMetric && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':' || c == '*';
  });
}

std::string LowerMetric(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Takes the unit off the counter's name.
std::string_view TakeUnit(std::string_view base, MetricName& metric) {
  const size_t border = base.find("__");
  if (border != std::string_view::npos) {
    const std::string_view unit = base.substr(0, border);
    metric.parts.push_back({MetricPartRole::kUnit, std::string(unit), std::string(MeaningIn(Grammar().units, unit))});
    const std::string_view counter = base.substr(border + 2);
    // derived__smsp__x is made of smsp__x.
    return unit == "derived" && counter.find("__") != std::string_view::npos ? TakeUnit(counter, metric) : counter;
  }
  constexpr std::string_view kMemory = "memory_";
  if (!base.starts_with(kMemory)) return base;
  metric.parts.push_back({MetricPartRole::kUnit, "memory", std::string(MeaningIn(Grammar().units, "memory"))});
  return base.substr(kMemory.size());
}

// A name of an unknown unit is a metric's only when its ending is one.
bool LooksLikeMetric(const MetricName& metric) {
  if (metric.family != nullptr) return true;
  if (metric.base.find("__") == std::string::npos) return false;
  return std::ranges::any_of(metric.parts, [](const MetricPart& part) {
    return part.is_known() && part.role != MetricPartRole::kWord && part.role != MetricPartRole::kPrefix;
  });
}

void AddNames(const Formula& formula, std::set<std::string>& names) {
  for (const std::string& name : formula.names()) names.insert(name);
}

std::vector<std::string> ReadKnownMetrics() {
  std::set<std::string> names;
  for (const std::string& name : AllSectionMetrics()) names.insert(name);
  for (const SectionData& section : AllSectionData()) {
    for (const SectionListData& list : section.lists) names.insert(list.metric);
  }
  const TriageData& triage = CounterTriageData();
  for (const TriageValue& value : triage.values) {
    for (std::string& name : value.names()) names.insert(std::move(name));
  }
  for (const TriageNode& node : triage.nodes) {
    for (const Comparison& one : node.when) {
      AddNames(one.left(), names);
      AddNames(one.right(), names);
    }
  }
  std::vector<std::string> known;
  for (const std::string& name : names) {
    const bool is_value = triage.FindValue(name) != nullptr || triage.FindLimit(name) != nullptr;
    if (!is_value && ParseMetricName(name)) known.push_back(name);
  }
  return known;
}

}  // namespace

std::string_view MetricPartRoleName(MetricPartRole role) {
  constexpr std::string_view kNames[] = {"prefix", "unit", "counter", "rollup", "submetric"};
  return kNames[static_cast<size_t>(role)];
}

bool MetricName::is_known() const { return family != nullptr && std::ranges::all_of(parts, &MetricPart::is_known); }

std::optional<MetricName> ParseMetricName(std::string_view text) {
  MetricName metric;
  metric.name = LowerMetric(text);
  if (!IsNameText(metric.name)) return std::nullopt;
  const std::string_view name = TakePrefix(metric.name, metric);
  const size_t dot = std::min(name.find('.'), name.size());
  metric.base = name.substr(0, dot);
  metric.ending = name.substr(std::min(dot + 1, name.size()));
  metric.family = FindMetricFamily(metric.base);
  const std::string_view counter = TakeUnit(metric.base, metric);
  if (metric.family != nullptr && metric.family->is_plain) {
    AddPlainWords(counter, metric);
  } else {
    AddWords(counter, metric);
  }
  AddEnding(metric.ending, metric);
  if (!LooksLikeMetric(metric)) return std::nullopt;
  return metric;
}

const std::vector<MetricFamily>& AllMetricFamilies() {
  static const std::vector<MetricFamily>& families = *new std::vector<MetricFamily>(ReadMetricFamilies());
  return families;
}

const std::vector<std::string>& AllKnownMetrics() {
  static const std::vector<std::string>& metrics = *new std::vector<std::string>(ReadKnownMetrics());
  return metrics;
}

}  // namespace warpsight
