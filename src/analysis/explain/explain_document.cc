#include "analysis/explain/explain_document.h"

#include <fmt/format.h>

#include <string>

#include "analysis/explain/kernel_words.h"
#include "analysis/explain/term_text.h"
#include "analysis/kernel_name/decoded_name_data.h"
#include "base/check.h"
#include "document/absent.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json PartsJson(const MetricName& metric) {
  ordered_json parts = ordered_json::array();
  for (const MetricPart& part : metric.parts) {
    parts.push_back({{"text", part.text},
                     {"role", MetricPartRoleName(part.role)},
                     {"meaning", TextOrNull(part.meaning)},
                     {"known", part.is_known()}});
  }
  return parts;
}

ordered_json ExplanationJson(const Explanation& answer) {
  ordered_json json = {{"term", answer.term},
                       {"kind", answer.kind},
                       {"title", answer.title},
                       {"what", answer.what},
                       {"unit", TextOrNull(answer.unit)},
                       {"healthy", TextOrNull(answer.healthy)},
                       {"misleads", TextOrNull(answer.misleads)},
                       {"next", TextOrNull(answer.next)},
                       {"see", answer.see}};
  if (answer.metric) json["parts"] = PartsJson(*answer.metric);
  if (answer.kind == "kernel") {
    json["family"] = answer.family;
    json["decoded"] = answer.decoded ? DecodedNameData(*answer.decoded) : ordered_json(nullptr);
  }
  return json;
}

void AddExplanation(const Explanation& answer, Document& document) {
  document.blocks.push_back(Heading{fmt::format("{} ({})", answer.term, answer.label)});
  document.blocks.push_back(Paragraph{answer.title});
  if (answer.metric) {
    KeyValues parts;
    for (const MetricPart& part : answer.metric->parts)
      parts.pairs.push_back({part.text, part.is_known() ? part.meaning : "not known here"});
    document.blocks.push_back(std::move(parts));
  }
  if (answer.decoded) {
    KeyValues facts;
    for (const auto& [label, value] : KernelFacts(*answer.decoded)) facts.pairs.push_back({label, value});
    document.blocks.push_back(std::move(facts));
  }
  KeyValues fields;
  const auto add = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) fields.pairs.push_back({std::string(label), text});
  };
  add("What", answer.what);
  add("Unit", answer.unit);
  add("Healthy", answer.healthy);
  add("Misleads", answer.misleads);
  add("Do next", answer.next);
  add("See also", fmt::format("{}", fmt::join(answer.see, ", ")));
  document.blocks.push_back(std::move(fields));
}

void AddListGroup(std::string_view key, std::string_view kind, std::string_view heading,
                  const std::vector<std::pair<std::string, std::string>>& terms, Document& document) {
  ordered_json rows = ordered_json::array();
  std::string names;
  for (const auto& [term, title] : terms) {
    rows.push_back({{"term", term}, {"title", title}});
    names += (names.empty() ? "" : ", ") + term;
  }
  document.data["groups"].push_back({{"group", key}, {"kind", kind}, {"terms", std::move(rows)}});
  document.blocks.push_back(Heading{std::string(heading)});
  document.blocks.push_back(Paragraph{std::move(names)});
}

}  // namespace

Document MakeExplainDocument(std::string_view asked, const std::vector<Explanation>& answers) {
  CHECK(!answers.empty());
  Document document;
  document.verb = "explain";
  document.data = ExplanationJson(answers.front());
  document.data["asked"] = asked;
  document.data["also"] = ordered_json::array();
  for (size_t i = 1; i < answers.size(); ++i) document.data["also"].push_back(ExplanationJson(answers[i]));
  for (const Explanation& answer : answers) AddExplanation(answer, document);
  return document;
}

Document MakeTermListDocument() {
  Document document;
  document.verb = "explain";
  document.data["groups"] = ordered_json::array();
  for (int i = 0; i < kTermGroupCount; ++i) {
    const auto group = static_cast<TermGroup>(i);
    std::vector<std::pair<std::string, std::string>> terms;
    for (const TermText& term : AllTerms()) {
      if (term.group == group) terms.emplace_back(term.id, term.title);
    }
    AddListGroup(InfoOf(group).key, InfoOf(group).kind, InfoOf(group).heading, terms, document);
  }
  std::vector<std::pair<std::string, std::string>> metrics;
  for (const std::string& name : AllKnownMetrics()) {
    const std::optional<MetricName> metric = ParseMetricName(name);
    metrics.emplace_back(name, metric && metric->family != nullptr ? metric->family->title : "");
  }
  AddListGroup("metric", "metric", "Metrics that are judged or shown (any other name is explained by its parts)", metrics,
               document);
  document.blocks.push_back(
      Paragraph{"Kernel names are explained as well: give the name as recorded, in quotes.", ParagraphKind::kNote});
  return document;
}

}  // namespace warpsight
