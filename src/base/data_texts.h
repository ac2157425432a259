// Lists of texts in the rows of data/*.toml ("patterns", "examples"), read in one way.
//
// The data is compiled in, so a list of another shape is our bug: CHECK. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "base/check.h"

namespace warpsight {

// The texts of `row[key]`, none of them empty; an absent key is an empty list.
std::vector<std::string> DataTexts(const toml::table& row, std::string_view key);

// The same for a key that every row must have.
std::vector<std::string> RequiredDataTexts(const toml::table& row, std::string_view key);

// The text of `row[key]`, which every row must have and which is not empty.
std::string RequiredDataText(const toml::table& row, std::string_view key);

// Calls `take` for every table of the list `key`, which must be there.
template <typename Take>
void ForEachDataRow(const toml::table& file, std::string_view key, const Take& take) {
  const toml::array* rows = file[key].as_array();
  CHECK(rows != nullptr);
  for (const toml::node& node : *rows) {
    CHECK(node.as_table() != nullptr);
    take(*node.as_table());
  }
}

}  // namespace warpsight
