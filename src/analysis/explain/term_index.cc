#include "analysis/explain/term_index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analysis/explain/explain.h"
#include "analysis/explain/metric_name.h"
#include "counters/section_data.h"

namespace warpsight {
namespace {

using TermList = std::vector<const TermText*>;

struct TermIndex {
  std::unordered_map<std::string, TermList> by_id;
  std::unordered_map<std::string, TermList> by_spelling;
};

TermIndex MakeTermIndex() {
  TermIndex index;
  for (const TermText& term : AllTerms()) {
    index.by_id[TermKey(term.id)].push_back(&term);
    for (const std::string& spelling : term.also) {
      TermList& list = index.by_spelling[TermKey(spelling)];
      if (std::ranges::find(list, &term) == list.end()) list.push_back(&term);
    }
  }
  return index;
}

const TermIndex& Index() {
  static const TermIndex& index = *new TermIndex(MakeTermIndex());
  return index;
}

// Words that stand for a group before a term.
struct GroupWord {
  std::string_view word;
  TermGroup group;
};
constexpr GroupWord kGroupWords[] = {
    {"stall ", TermGroup::kStall},
    {"stall reason ", TermGroup::kStall},
    {"finding ", TermGroup::kFinding},
    {"finding ", TermGroup::kCounterFinding},
    {"counter ", TermGroup::kCounterFinding},
    {"verdict ", TermGroup::kVerdict},
    {"lint ", TermGroup::kLint},
    {"lint ", TermGroup::kCause},
    {"cause ", TermGroup::kCause},
    {"idle ", TermGroup::kIdleClass},
    {"idle class ", TermGroup::kIdleClass},
    {"word ", TermGroup::kWord},
    {"part ", TermGroup::kPart},
    {"family ", TermGroup::kPart},
    {"section ", TermGroup::kSection},
    {"threshold ", TermGroup::kThreshold},
    {"threshold ", TermGroup::kLimit},
    {"limit ", TermGroup::kLimit},
    {"what if ", TermGroup::kWhatIf},
    {"stats ", TermGroup::kStats},
    {"report ", TermGroup::kStats},
};

std::string LowerTerm(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

TermList ListOf(const std::unordered_map<std::string, TermList>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? TermList() : found->second;
}

void AddNew(const TermList& terms, TermList& list) {
  for (const TermText* term : terms) {
    if (std::ranges::find(list, term) == list.end()) list.push_back(term);
  }
}

TermList FindKey(const std::string& key) {
  TermList list = ListOf(Index().by_id, key);
  AddNew(ListOf(Index().by_spelling, key), list);
  return list;
}

TermList FindInGroups(std::string_view text) {
  const std::string lower = LowerTerm(text);
  TermList list;
  for (const GroupWord& one : kGroupWords) {
    if (!lower.starts_with(one.word)) continue;
    const std::string key = TermKey(std::string_view(lower).substr(one.word.size()));
    for (const TermText* term : ListOf(Index().by_id, key)) {
      if (term->group == one.group) list.push_back(term);
    }
  }
  return list;
}

std::unordered_map<std::string, std::string> MakeMetricIndex() {
  std::unordered_map<std::string, std::string> index;
  for (const std::string& name : AllKnownMetrics()) {
    const std::string base = name.substr(0, name.find('.'));
    index.emplace(TermKey(name), name);
    index.emplace(TermKey(base), base);
  }
  return index;
}

}  // namespace

std::string TermKey(std::string_view text) {
  std::string key;
  for (const char c : LowerTerm(text)) {
    if (c != ' ' && c != '-' && c != '_' && c != '/' && c != '?' && c != '\t') key += c;
  }
  return key;
}

std::vector<const TermText*> FindTerms(std::string_view text) {
  const std::string key = TermKey(text);
  if (key.empty()) return {};
  TermList list = FindKey(key);
  if (list.empty()) list = FindInGroups(text);
  // A plural's other form is asked for as well: "bank conflicts" is a finding, "bank conflict" a word.
  const std::string other = key.back() == 's' ? key.substr(0, key.size() - 1) : key + "s";
  AddNew(FindKey(other), list);
  return list;
}

std::vector<std::string> MetricsOfLabel(std::string_view text) {
  const std::string key = TermKey(text);
  std::vector<std::string> metrics;
  for (const SectionData& section : AllSectionData()) {
    for (const SectionRowData& row : section.rows) {
      if (row.metrics.empty() || TermKey(row.label) != key) continue;
      const std::string& metric = row.metrics.front();
      if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
    }
  }
  return metrics;
}

std::string KnownMetricOf(std::string_view text) {
  static const auto& index = *new std::unordered_map<std::string, std::string>(MakeMetricIndex());
  const auto found = index.find(TermKey(text));
  return found == index.end() ? std::string() : found->second;
}

}  // namespace warpsight
