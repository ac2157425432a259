#include "analysis/attention_backend_names.h"

#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "analysis/kernel_name/kernel_name_text.h"
#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

std::vector<AttentionBackendRule> ParseBackends(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/attention_backends.toml"));
  const toml::array* entries = file["backend"].as_array();
  CHECK(entries != nullptr);
  std::vector<AttentionBackendRule> rules;
  rules.reserve(entries->size());
  for (const toml::node& node : *entries) {
    const toml::table& entry = *node.as_table();
    AttentionBackendRule rule;
    rule.name = entry["name"].value_or(std::string());
    rule.starts = entry["starts"].value_or(std::string());
    rule.contains = RequiredDataTexts(entry, "contains");
    rule.source = entry["source"].value_or(std::string());
    rule.examples = RequiredDataTexts(entry, "examples");
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

const std::vector<AttentionBackendRule>& AttentionBackendRules() {
  static const auto& rules =
      *new std::vector<AttentionBackendRule>(ParseBackends(EmbeddedFile("data/attention_backends.toml")));
  return rules;
}

std::string_view AttentionBackendOfKernel(std::string_view kernel_name) {
  const std::string lower = LowerCase(kernel_name);
  for (const AttentionBackendRule& rule : AttentionBackendRules()) {
    if (!lower.starts_with(rule.starts)) continue;
    if (std::ranges::any_of(rule.contains, [&](const std::string& text) { return lower.find(text) != std::string::npos; }))
      return rule.name;
  }
  return {};
}

}  // namespace warpsight
