// Absent values: null in JSON, an empty cell in a table; never 0.
//
// Place in the flow: documents made from typed results. Errors: none. Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "document/table.h"

namespace warpsight {

template <typename T>
nlohmann::ordered_json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

template <typename T>
Cell OrAbsent(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

}  // namespace warpsight
