#include "base/data_texts.h"

#include <optional>

#include "base/check.h"

namespace warpsight {

std::vector<std::string> DataTexts(const toml::table& row, std::string_view key) {
  std::vector<std::string> texts;
  const toml::array* array = row[key].as_array();
  if (array == nullptr) {
    CHECK(!row.contains(key));
    return texts;
  }
  texts.reserve(array->size());
  for (const toml::node& node : *array) {
    const std::optional<std::string> text = node.value<std::string>();
    CHECK(text.has_value() && !text->empty());
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::string> RequiredDataTexts(const toml::table& row, std::string_view key) {
  CHECK(row.contains(key));
  return DataTexts(row, key);
}

std::string RequiredDataText(const toml::table& row, std::string_view key) {
  std::string text = row[key].value_or(std::string());
  CHECK(!text.empty());
  return text;
}

}  // namespace warpsight
