#include "analysis/kernel_name/op_names.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {

OpNames::OpNames(std::string_view toml_text) {
  const toml::table file = toml::parse(toml_text, std::string_view("data/aten_op_names.toml"));
  const toml::array* names = file["names"].as_array();
  CHECK(names != nullptr);
  for (const toml::node& node : *names) {
    const std::string name = node.value_or(std::string());
    CHECK(name.find('_') != std::string::npos && names_.insert(name).second);
    most_underscores_ = std::max(most_underscores_, static_cast<size_t>(std::ranges::count(name, '_')));
  }
}

const OpNames& OpNames::Embedded() {
  static const OpNames& names = *new OpNames(EmbeddedFile("data/aten_op_names.toml"));
  return names;
}

std::vector<std::string> OpNames::Split(std::string_view joined) const {
  std::vector<std::string> ops;
  while (!joined.empty()) {
    size_t taken = 0;
    size_t end = 0;
    for (size_t underscores = 0; underscores <= most_underscores_ && end < joined.size(); ++underscores) {
      end = std::min(joined.find('_', end + (underscores == 0 ? 0 : 1)), joined.size());
      if (names_.contains(std::string(joined.substr(0, end)))) taken = end;
    }
    if (taken == 0) taken = std::min(joined.find('_'), joined.size());
    if (taken > 0) ops.emplace_back(joined.substr(0, taken));
    joined.remove_prefix(std::min(taken + 1, joined.size()));
  }
  return ops;
}

}  // namespace warpsight
