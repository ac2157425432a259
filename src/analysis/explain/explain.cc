#include "analysis/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/explain/kernel_words.h"
#include "analysis/explain/term_index.h"
#include "analysis/kernel_family.h"
#include "counters/metric_unit.h"

namespace warpsight {
namespace {

// Units as today's recorder gives them on today's devices.
constexpr UnitContext kNewest = {.capability = 90, .version = 202'503, .has_thread_counts = true};

Explanation FromTerm(const TermText& term) {
  Explanation answer;
  answer.term = term.id;
  answer.kind = InfoOf(term.group).kind;
  answer.label = InfoOf(term.group).label;
  answer.title = term.title;
  answer.what = term.what;
  answer.unit = term.unit;
  answer.healthy = term.healthy;
  answer.misleads = term.misleads;
  answer.next = term.next;
  answer.see = term.see;
  return answer;
}

std::string UnknownParts(const MetricName& metric) {
  std::string parts;
  for (const MetricPart& part : metric.parts) {
    if (!part.is_known()) parts += (parts.empty() ? "" : ", ") + part.text;
  }
  return parts;
}

// Without a family the parts are all there is to say.
std::string WhatOfParts(const MetricName& metric) {
  std::string words;
  std::string unit = "a unit that is not known here";
  for (const MetricPart& part : metric.parts) {
    if (part.role == MetricPartRole::kUnit && part.is_known()) unit = part.meaning;
    if (part.role == MetricPartRole::kWord && part.is_known()) words += (words.empty() ? "" : "; ") + part.meaning;
  }
  if (words.empty()) return fmt::format("A counter of {}; what it counts is not known here.", unit);
  return fmt::format("A counter of {}, read from its name: {}.", unit, words);
}

void AddStall(const std::string& id, Explanation& answer) {
  const TermText* const stall = FindTerm(TermGroup::kStall, id);
  if (stall == nullptr) return;
  answer.title = stall->title;
  answer.what += " The reason: " + stall->what;
  answer.healthy = stall->healthy;
  answer.misleads = stall->misleads;
  answer.next = stall->next;
  answer.see.insert(answer.see.begin(), id);
}

Explanation FromMetric(MetricName metric) {
  Explanation answer;
  answer.term = metric.name;
  answer.kind = "metric";
  answer.label = "metric";
  if (metric.family != nullptr) {
    answer.title = metric.family->title;
    answer.what = metric.family->what;
    answer.healthy = metric.family->healthy;
    answer.misleads = metric.family->misleads;
    answer.next = metric.family->next;
    answer.see = metric.family->see;
  } else {
    answer.title = "A counter that has no entry of its own";
    answer.what = WhatOfParts(metric);
    answer.see = {"roll-up"};
  }
  if (!metric.stall.empty()) AddStall(metric.stall, answer);
  const std::string unknown = UnknownParts(metric);
  if (!unknown.empty()) {
    answer.what += fmt::format(" Not known here: {}.", unknown);
    const std::vector<std::string> similar = SimilarMetrics(metric.name, 2);
    answer.see.insert(answer.see.begin(), similar.begin(), similar.end());
  }
  const std::string unit = MetricUnit(metric.name, kNewest);
  answer.unit = unit.empty() ? "a plain number" : unit;
  answer.metric = std::move(metric);
  return answer;
}

const TermText* PartOfKernel(const Explanation& answer) {
  const std::string kind = answer.decoded ? answer.decoded->kind : "";
  if (!answer.decoded && answer.family == "other") return nullptr;
  const TermText* const by_kind = FindTerm(TermGroup::kPart, kind);
  return by_kind != nullptr ? by_kind : FindTerm(TermGroup::kPart, answer.family);
}

Explanation FromKernel(std::string_view name, std::optional<DecodedKernelName> decoded) {
  Explanation answer;
  answer.term = name;
  answer.kind = "kernel";
  answer.label = "kernel";
  answer.family = KernelFamilies::Embedded().Classify(name);
  answer.decoded = std::move(decoded);
  if (answer.decoded) {
    answer.title = ShortLabel(*answer.decoded);
    answer.what = KernelSentence(*answer.decoded);
  } else {
    answer.what = "No grammar of kernel names reads this one, so how it was built is not told";
    answer.what += answer.family == "other" ? ", nor is what it does." : "; words in it tell its family.";
  }
  if (answer.title.empty()) answer.title = fmt::format("Kernel, family {}", answer.family);
  const TermText* const part = PartOfKernel(answer);
  if (part == nullptr) {
    answer.next = "Profile it with hardware counters (ncu) and give the report to warpsight counters.";
    answer.see = {"counters"};
    return answer;
  }
  answer.what += " " + part->what;
  answer.healthy = part->healthy;
  answer.misleads = part->misleads;
  answer.next = part->next;
  answer.see = part->see;
  answer.see.insert(answer.see.begin(), "part " + part->id);
  return answer;
}

// A name that only a kernel has, though no grammar reads it.
bool LooksLikeKernel(std::string_view text) {
  if (text.starts_with("_Z") || text.find("::") != std::string_view::npos) return true;
  if (text.find('<') != std::string_view::npos || text.find('(') != std::string_view::npos) return true;
  return text.find(' ') == std::string_view::npos && text.find("kernel") != std::string_view::npos &&
         text.find('_') != std::string_view::npos;
}

// "ProfilerStep#3" is a step.
std::string_view WithoutNumber(std::string_view text) {
  const size_t sign = text.rfind('#');
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == text.size()) return text;
  const bool is_number = text.find_first_not_of("0123456789", sign + 1) == std::string_view::npos;
  return is_number ? text.substr(0, sign) : text;
}

std::vector<Explanation> ExplainByForm(std::string_view text) {
  if (std::optional<MetricName> metric = ParseMetricName(text)) return {FromMetric(*std::move(metric))};
  const std::string known = KnownMetricOf(text);
  if (std::optional<MetricName> metric = ParseMetricName(known)) return {FromMetric(*std::move(metric))};
  std::optional<DecodedKernelName> decoded = DecodeKernelName(text);
  if (decoded || LooksLikeKernel(text)) return {FromKernel(text, std::move(decoded))};
  return {};
}

}  // namespace

std::vector<Explanation> Explain(std::string_view term) {
  while (!term.empty() && term.front() == ' ') term.remove_prefix(1);
  while (!term.empty() && term.back() == ' ') term.remove_suffix(1);
  if (term.empty()) return {};
  term = WithoutNumber(term);
  std::vector<Explanation> answers;
  for (const TermText* found : FindTerms(term)) answers.push_back(FromTerm(*found));
  for (const std::string& known : MetricsOfLabel(term)) {
    if (std::optional<MetricName> metric = ParseMetricName(known)) answers.push_back(FromMetric(*std::move(metric)));
  }
  return answers.empty() ? ExplainByForm(term) : answers;
}

}  // namespace warpsight
