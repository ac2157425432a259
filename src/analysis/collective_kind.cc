#include "analysis/collective_kind.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

std::string LettersAndDigits(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') kept += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  }
  return kept;
}

template <typename Value>
Value OneOf(const toml::table& row, std::string_view key, std::initializer_list<std::pair<std::string_view, Value>> known) {
  const std::string text = row[key].value_or(std::string());
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == text; });
  CHECK(found != known.end());
  return found->second;
}

CollectiveKind ReadKind(const toml::table& row) {
  CollectiveKind kind;
  kind.kind = row["kind"].value_or(std::string());
  kind.patterns = RequiredDataTexts(row, "patterns");
  kind.bytes = OneOf<CollectiveBytes>(row, "bytes",
                                      {{"none", CollectiveBytes::kNone},
                                       {"input", CollectiveBytes::kInput},
                                       {"output", CollectiveBytes::kOutput},
                                       {"larger", CollectiveBytes::kLarger}});
  kind.factor = OneOf<BusFactor>(row, "factor",
                                 {{"none", BusFactor::kNone},
                                  {"1", BusFactor::kOne},
                                  {"(n-1)/n", BusFactor::kShare},
                                  {"2(n-1)/n", BusFactor::kTwiceShare}});
  const std::optional<bool> same_bytes = row["same_bytes"].value<bool>();
  CHECK(same_bytes.has_value() && !kind.kind.empty());
  kind.same_bytes = *same_bytes;
  kind.source = row["source"].value_or(std::string());
  kind.examples = RequiredDataTexts(row, "examples");
  return kind;
}

}  // namespace

std::optional<double> CollectiveKind::Factor(int64_t ranks) const {
  if (ranks < 2) return std::nullopt;
  const double share = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
  switch (factor) {
    case BusFactor::kOne:
      return 1.0;
    case BusFactor::kShare:
      return share;
    case BusFactor::kTwiceShare:
      return 2 * share;
    case BusFactor::kNone:
      break;
  }
  return std::nullopt;
}

std::optional<int64_t> CollectiveKind::Bytes(int64_t in_elements, int64_t out_elements, int64_t element_bytes) const {
  int64_t elements = 0;
  if (bytes == CollectiveBytes::kInput) elements = in_elements;
  if (bytes == CollectiveBytes::kOutput) elements = out_elements;
  if (bytes == CollectiveBytes::kLarger) elements = std::max(in_elements, out_elements);
  int64_t total = 0;
  if (elements <= 0 || element_bytes <= 0 || __builtin_mul_overflow(elements, element_bytes, &total)) return std::nullopt;
  return total;
}

CollectiveKinds::CollectiveKinds(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/collectives.toml"));
  const toml::array* kinds = file["collective"].as_array();
  const toml::array* elements = file["element"].as_array();
  CHECK(kinds != nullptr && elements != nullptr);
  for (const toml::node& node : *kinds) {
    CHECK(node.is_table());
    kinds_.push_back(ReadKind(*node.as_table()));
  }
  for (const toml::node& node : *elements) {
    CHECK(node.is_table());
    const std::optional<int64_t> bytes = (*node.as_table())["bytes"].value<int64_t>();
    CHECK(bytes.has_value() && *bytes > 0);
    for (std::string& name : RequiredDataTexts(*node.as_table(), "names")) elements_.emplace_back(std::move(name), *bytes);
  }
}

const CollectiveKinds& CollectiveKinds::Embedded() {
  static const CollectiveKinds& kinds = *new CollectiveKinds(EmbeddedFile("data/collectives.toml"));
  return kinds;
}

const CollectiveKind* CollectiveKinds::Match(std::string_view name) const {
  const std::string plain = LettersAndDigits(name);
  for (const CollectiveKind& kind : kinds_) {
    for (const std::string& pattern : kind.patterns) {
      if (plain.find(pattern) != std::string::npos) return &kind;
    }
  }
  return nullptr;
}

std::optional<int64_t> CollectiveKinds::ElementBytes(std::string_view type) const {
  const auto found =
      std::find_if(elements_.begin(), elements_.end(), [type](const auto& element) { return element.first == type; });
  return found == elements_.end() ? std::nullopt : std::optional<int64_t>(found->second);
}

}  // namespace warpsight
