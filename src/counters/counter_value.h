// CounterValue: one value of a counter report, as the recorder wrote it.
//
// Place in the flow: formats fill it; units, sections and triage read it. Values are in base units (ns, byte, hz, cycle):
// metric_unit.h says which. Texts are views into the bytes that the CounterReport owns. Errors: none. Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace warpsight {

// std::monostate: the recorder knew the metric but has no value for it.
using CounterValue = std::variant<std::monostate, std::string_view, double, uint64_t>;

inline bool IsAbsent(const CounterValue& value) { return std::holds_alternative<std::monostate>(value); }

// The number; nothing for texts and absent values. A NaN is a number here: the recorder wrote it.
inline std::optional<double> NumberOf(const CounterValue& value) {
  if (const double* real = std::get_if<double>(&value)) return *real;
  if (const uint64_t* whole = std::get_if<uint64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

inline std::optional<std::string_view> TextOf(const CounterValue& value) {
  const std::string_view* text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::nullopt : std::optional<std::string_view>(*text);
}

}  // namespace warpsight
