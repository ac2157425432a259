#include "analysis/kernel_family.h"

#include <toml++/toml.h>

#include "analysis/kernel_name/kernel_name_text.h"
#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kOther = "other";

constexpr bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::vector<std::string> LowerTexts(std::vector<std::string> texts) {
  for (std::string& text : texts) text = LowerCase(text);
  return texts;
}

bool ContainsPieces(std::string_view name, std::string_view pattern) {
  size_t at = 0;
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    at = name.find(piece, at);
    if (at == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    at += piece.size();
    pattern.remove_prefix(star + 1);
  }
}

bool ContainsWord(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsLetterOrDigit(name[at - 1])) && (end == name.size() || !IsLetterOrDigit(name[end]))) return true;
  }
  return false;
}

}  // namespace

KernelFamilies::KernelFamilies(std::string_view text, std::string_view array) {
  const toml::table file = toml::parse(text, std::string_view("kernel name rules"));
  const toml::array* rules = file[array].as_array();
  CHECK(rules != nullptr);
  for (const toml::node& node : *rules) {
    const toml::table* entry = node.as_table();
    CHECK(entry != nullptr);
    KernelFamilyRule rule;
    rule.family = (*entry)["family"].value_or(std::string());
    rule.patterns = LowerTexts(DataTexts(*entry, "patterns"));
    rule.words = LowerTexts(DataTexts(*entry, "words"));
    rule.source = (*entry)["source"].value_or(std::string());
    rule.examples = DataTexts(*entry, "examples");
    CHECK(!rule.family.empty() && rule.patterns.size() + rule.words.size() > 0);
    const uint32_t index = static_cast<uint32_t>(rules_.size());
    for (const std::string& pattern : rule.patterns) patterns_.push_back({pattern, PairsOf(pattern), false, index});
    for (const std::string& word : rule.words) patterns_.push_back({word, PairsOf(word), true, index});
    rules_.push_back(std::move(rule));
  }
}

const KernelFamilies& KernelFamilies::Embedded() {
  static const KernelFamilies& families = *new KernelFamilies(EmbeddedFile("data/kernel_families.toml"));
  return families;
}

KernelFamilies::Pairs KernelFamilies::PairsOf(std::string_view text) {
  Pairs pairs;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i - 1] == '*' || text[i] == '*') continue;
    const unsigned first = static_cast<unsigned char>(text[i - 1]);
    const unsigned second = static_cast<unsigned char>(text[i]);
    pairs.set((first * 33 + second) % pairs.size());
  }
  return pairs;
}

bool KernelFamilies::Matches(const Pattern& pattern, std::string_view lower_name) {
  return pattern.word ? ContainsWord(lower_name, pattern.text) : ContainsPieces(lower_name, pattern.text);
}

const KernelFamilyRule* KernelFamilies::Match(std::string_view kernel_name) const {
  const std::string name = LowerCase(kernel_name);
  const Pairs missing = ~PairsOf(name);
  for (const Pattern& pattern : patterns_) {
    if ((pattern.pairs & missing).none() && Matches(pattern, name)) return &rules_[pattern.rule];
  }
  return nullptr;
}

std::string_view KernelFamilies::Classify(std::string_view kernel_name) const {
  const KernelFamilyRule* rule = Match(kernel_name);
  return rule == nullptr ? kOther : std::string_view(rule->family);
}

std::string_view KernelFamilies::Classify(GpuKind kind, std::string_view name) const {
  if (kind == GpuKind::kMemcpy) return "memcpy";
  if (kind == GpuKind::kMemset) return "memset";
  return Classify(name);
}

std::string_view FamiliesOf::family(uint32_t gpu_row) {
  const GpuWork& gpu = trace_.gpu();
  const KernelFamilies& families = KernelFamilies::Embedded();
  if (gpu.kind[gpu_row] != GpuKind::kKernel) return families.Classify(gpu.kind[gpu_row], {});
  std::string_view& family = by_name_[static_cast<uint32_t>(gpu.name[gpu_row])];
  if (family.empty()) family = families.Classify(trace_.Text(gpu.name[gpu_row]));
  return family;
}

}  // namespace warpsight
