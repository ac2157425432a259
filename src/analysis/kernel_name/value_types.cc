#include "analysis/kernel_name/value_types.h"

#include <toml++/toml.h>

#include <algorithm>

#include "analysis/kernel_name/kernel_name_text.h"
#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr size_t kLongestSpelling = 16;

std::string Find(const std::unordered_map<std::string, std::string>& names, std::string_view key) {
  const auto found = names.find(std::string(key));
  return found == names.end() ? std::string() : found->second;
}

// Greedy from the left, longest spelling first: "bf16f32" -> bf16, f32.
std::vector<std::string> Run(const std::unordered_map<std::string, std::string>& names, std::string_view text) {
  std::vector<std::string> types;
  while (!text.empty()) {
    std::string type;
    size_t length = std::min(text.size(), kLongestSpelling);
    for (; length > 0 && type.empty(); --length) type = Find(names, text.substr(0, length));
    if (type.empty()) return {};
    types.push_back(type);
    text.remove_prefix(length + 1);
  }
  return types;
}

}  // namespace

ValueTypes::ValueTypes(std::string_view toml_text) {
  const toml::table file = toml::parse(toml_text, std::string_view("data/kernel_name_types.toml"));
  const toml::array* rows = file["type"].as_array();
  CHECK(rows != nullptr);
  for (const toml::node& node : *rows) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    const std::string name = (*row)["name"].value_or(std::string());
    CHECK(!name.empty());
    const auto add = [&](Names& names, std::string_view key) {
      const auto put = [&](const toml::node& spelling) {
        const std::optional<std::string> text = spelling.value<std::string>();
        CHECK(text.has_value() && !text->empty() && names.emplace(*text, name).second);
      };
      const toml::node* value = row->get(key);
      if (value == nullptr) return;
      if (!value->is_array()) return put(*value);
      for (const toml::node& spelling : *value->as_array()) put(spelling);
    };
    add(cpp_, "cpp");
    add(words_, "words");
    add(nvjet_, "nvjet");
    add(blas_, "blas");
    add(tensile_, "tensile");
  }
}

const ValueTypes& ValueTypes::Embedded() {
  static const ValueTypes& types = *new ValueTypes(EmbeddedFile("data/kernel_name_types.toml"));
  return types;
}

std::string ValueTypes::OfCpp(std::string_view type) const {
  const auto trim = [&] {
    while (!type.empty() && (type.back() == ' ' || type.back() == '*' || type.back() == '&')) type.remove_suffix(1);
    while (type.starts_with(' ')) type.remove_prefix(1);
  };
  trim();
  type = WithoutSuffix(type, " const");
  if (type.starts_with("const ")) type.remove_prefix(6);
  trim();
  if (std::string found = Find(cpp_, type); !found.empty()) return found;
  // Namespaces before a template bracket do not matter: c10::complex<float>.
  const size_t colon = type.substr(0, type.find('<')).rfind("::");
  return colon == std::string_view::npos ? std::string() : Find(cpp_, type.substr(colon + 2));
}

std::string ValueTypes::OfWord(std::string_view word) const {
  return word.size() > kLongestSpelling ? std::string() : Find(words_, LowerCase(word));
}
std::string ValueTypes::OfNvjet(char letter) const { return Find(nvjet_, std::string_view(&letter, 1)); }
std::string ValueTypes::OfBlas(char letter) const { return Find(blas_, std::string_view(&letter, 1)); }
std::vector<std::string> ValueTypes::OfTensile(std::string_view letters) const { return Run(tensile_, letters); }
std::vector<std::string> ValueTypes::OfWordRun(std::string_view text) const { return Run(words_, text); }

bool IsFloatingType(std::string_view canonical) {
  return !canonical.empty() && canonical[0] != 'i' && canonical[0] != 'u' && canonical != "bool" && canonical != "b1";
}

std::string FirstFloatingType(std::span<const std::string_view> arguments) {
  for (const std::string_view argument : arguments) {
    std::string type = ValueTypes::Embedded().OfCpp(argument);
    if (IsFloatingType(type)) return type;
  }
  return {};
}

}  // namespace warpsight
