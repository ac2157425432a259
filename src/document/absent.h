// Absent values: null in JSON, an empty cell in a table; never 0.
//
// Place in the flow: documents made from typed results. Errors: none. Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "document/table.h"

namespace warpsight {

template <typename T>
nlohmann::ordered_json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// Text that is empty where there is none.
inline nlohmann::ordered_json TextOrNull(std::string_view text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

template <typename T>
Cell OrAbsent(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}
inline Cell TextOrAbsent(std::string_view text) { return text.empty() ? Cell() : Cell(std::string(text)); }

}  // namespace warpsight
