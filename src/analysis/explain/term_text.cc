#include "analysis/explain/term_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/counters/stall_reasons.h"
#include "analysis/counters/triage_data.h"
#include "analysis/explain/text_entries.h"
#include "analysis/idle_classes.h"
#include "analysis/thresholds.h"
#include "base/check.h"
#include "base/embedded_data.h"
#include "counters/section_data.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr std::array<TermGroupInfo, kTermGroupCount> kTermGroups = {{
    {"stall", "stall", "stall reason", "Stall reasons of warps"},
    {"finding", "finding", "finding", "Findings of a recording"},
    {"counter", "finding", "finding on counters", "Findings on the counters of a kernel"},
    {"verdict", "finding", "verdict", "Verdicts"},
    {"lint", "lint", "lint finding", "Problems of a recording"},
    {"idle", "glossary", "idle class", "Classes of idle time"},
    {"word", "glossary", "glossary word", "Words"},
    {"part", "glossary", "part of a model, or family of kernels", "Parts of a model, families of kernels"},
    {"section", "glossary", "section of counters", "Sections of counters"},
    {"threshold", "threshold", "threshold", "Thresholds"},
    {"limit", "threshold", "threshold of counters", "Thresholds of counters"},
    {"what_if", "glossary", "what-if", "What-ifs"},
    {"cause", "lint", "cause in the ledger", "Causes in the ledger"},
    {"stats", "glossary", "report of stats", "Reports of stats"},
}};

constexpr std::string_view kTermFiles[] = {
    "data/explain_stalls.toml", "data/explain_findings.toml", "data/explain_lint.toml",  "data/explain_glossary.toml",
    "data/explain_model.toml",  "data/explain_limits.toml",   "data/explain_stats.toml",
};

// "a value has not arrived" -> "A value has not arrived."
std::string AsSentence(std::string_view text) {
  std::string sentence(text);
  if (sentence.empty()) return sentence;
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  if (sentence.back() != '.') sentence += '.';
  return sentence;
}

void FillIfEmpty(std::string& field, std::string_view text) {
  if (field.empty()) field = text;
}

void CompleteStall(TermText& term) {
  const StallReason* const reason = FindStallReason(term.id);
  CHECK(reason != nullptr);
  FillIfEmpty(term.title, "Stall: " + reason->name);
  FillIfEmpty(term.what, AsSentence(reason->meaning));
  FillIfEmpty(term.next, AsSentence(reason->advice));
  term.also.push_back("stall_" + term.id);
}

void CompleteCounterFinding(TermText& term) {
  for (const TriageNode& node : CounterTriageData().nodes) {
    if (node.id == term.id) FillIfEmpty(term.next, node.advice);
  }
}

void CompleteIdleClass(TermText& term) {
  for (size_t i = 0; i < kIdleClassCount; ++i) {
    const IdleClassInfo& info = InfoOf(static_cast<IdleClass>(i));
    if (info.key != term.id) continue;
    FillIfEmpty(term.what, AsSentence(info.meaning));
    FillIfEmpty(term.next, AsSentence(info.fix));
    term.also.push_back(term.id + "_ns");
    return;
  }
  CHECK(false);  // no such class
}

void CompleteSection(TermText& term) {
  for (const SectionData& section : AllSectionData()) {
    if (section.id != term.id) continue;
    FillIfEmpty(term.title, section.title);
    term.also.push_back(section.title);
    term.also.insert(term.also.end(), section.covers.begin(), section.covers.end());
    return;
  }
  CHECK(false);  // no such section
}

std::string LimitValue(double value, std::string_view unit) {
  if (unit == "ns") return FormatDuration(static_cast<Ns>(value));
  if (unit == "bytes") return FormatBytes(static_cast<int64_t>(value));
  if (unit == "share") return fmt::format("{:g} ({:g} %)", value, 100 * value);
  return fmt::format("{:g}", value);
}

void CompleteLimit(TermText& term, double value, std::string_view unit, std::string_view meaning, std::string_view source) {
  FillIfEmpty(term.what, fmt::format("{} Source: {}", meaning, source));
  FillIfEmpty(term.unit, unit);
  FillIfEmpty(term.healthy, fmt::format("The limit is {}.", LimitValue(value, unit)));
}

void CompleteThreshold(TermText& term) {
  const std::vector<Threshold>& all = AllThresholds();
  const auto row = std::ranges::find(all, term.id, &Threshold::id);
  CHECK(row != all.end());
  CompleteLimit(term, row->value, row->unit, row->meaning, row->source);
}

void CompleteCounterLimit(TermText& term) {
  const TriageLimit* const limit = CounterTriageData().FindLimit(term.id);
  CHECK(limit != nullptr);
  const bool is_time = term.id.ends_with("_ns");
  CompleteLimit(term, limit->value, is_time ? "ns" : "", limit->meaning, limit->source);
  if (!is_time) FillIfEmpty(term.unit, "as the metric that it is compared with");
}

void CompleteFromRow(TermText& term) {
  switch (term.group) {
    case TermGroup::kStall:
      return CompleteStall(term);
    case TermGroup::kCounterFinding:
      return CompleteCounterFinding(term);
    case TermGroup::kIdleClass:
      return CompleteIdleClass(term);
    case TermGroup::kSection:
      return CompleteSection(term);
    case TermGroup::kThreshold:
      return CompleteThreshold(term);
    case TermGroup::kLimit:
      return CompleteCounterLimit(term);
    case TermGroup::kFinding:
    case TermGroup::kVerdict:
    case TermGroup::kLint:
    case TermGroup::kWord:
    case TermGroup::kPart:
    case TermGroup::kWhatIf:
    case TermGroup::kCause:
    case TermGroup::kStats:
      return;
  }
}

std::string LowerId(std::string id) {
  for (char& c : id) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return id;
}

TermText ReadTerm(TermGroup group, const TextEntry& entry, const TextEntry* defaults) {
  const auto text = [&](std::string_view key) {
    std::string own = entry.Text(key);
    return own.empty() && defaults != nullptr ? defaults->Text(key) : own;
  };
  TermText term;
  term.group = group;
  term.id = entry.Text("name");
  if (term.id.empty()) {
    term.id = entry.id;
    if (group == TermGroup::kWord) std::ranges::replace(term.id, '_', ' ');
  }
  term.title = entry.Text("title");
  term.what = entry.Text("what");
  term.unit = text("unit");
  term.healthy = text("healthy");
  term.misleads = text("misleads");
  term.next = entry.Text("next");
  term.see = entry.List("see");
  term.also = entry.List("also");
  if (term.see.empty() && defaults != nullptr) term.see = defaults->List("see");
  CompleteFromRow(term);
  if (term.next.empty()) term.next = text("next");
  return term;
}

void ReadTermGroup(const std::vector<TextEntry>& file, TermGroup group, std::vector<TermText>& terms) {
  const std::string_view key = InfoOf(group).key;
  const auto defaults =
      std::ranges::find_if(file, [&](const TextEntry& entry) { return entry.table == "default" && entry.id == key; });
  for (const TextEntry& entry : file) {
    if (entry.table == key) terms.push_back(ReadTerm(group, entry, defaults == file.end() ? nullptr : &*defaults));
  }
}

std::vector<TermText> ReadTerms() {
  std::vector<std::vector<TextEntry>> files;
  for (const std::string_view path : kTermFiles) files.push_back(ReadTextEntries(EmbeddedFile(path)));
  std::vector<TermText> terms;
  for (int group = 0; group < kTermGroupCount; ++group) {
    for (const std::vector<TextEntry>& file : files) ReadTermGroup(file, static_cast<TermGroup>(group), terms);
  }
  std::ranges::stable_sort(terms, [](const TermText& a, const TermText& b) {
    return std::pair(a.group, LowerId(a.id)) < std::pair(b.group, LowerId(b.id));
  });
  return terms;
}

}  // namespace

const TermGroupInfo& InfoOf(TermGroup group) { return kTermGroups[static_cast<size_t>(group)]; }

const std::vector<TermText>& AllTerms() {
  static const std::vector<TermText>& terms = *new std::vector<TermText>(ReadTerms());
  return terms;
}

const TermText* FindTerm(TermGroup group, std::string_view id) {
  for (const TermText& term : AllTerms()) {
    if (term.group == group && term.id == id) return &term;
  }
  return nullptr;
}

}  // namespace warpsight
