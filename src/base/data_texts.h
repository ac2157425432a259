// Lists of texts in the rows of data/*.toml ("patterns", "examples"), read in one way.
//
// The data is compiled in, so a list of another shape is our bug: CHECK. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace warpsight {

// The texts of `row[key]`, none of them empty; an absent key is an empty list.
std::vector<std::string> DataTexts(const toml::table& row, std::string_view key);

// The same for a key that every row must have.
std::vector<std::string> RequiredDataTexts(const toml::table& row, std::string_view key);

}  // namespace warpsight
