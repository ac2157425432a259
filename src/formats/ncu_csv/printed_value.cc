#include "formats/ncu_csv/printed_value.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace warpsight {
namespace {

struct ScaledUnit {
  std::string_view printed;
  int exponent;
};
// "second" and its parts are of recorders before 2024.
constexpr std::array<ScaledUnit, 8> kTimeUnits = {
    {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}, {"nsecond", 0}, {"usecond", 3}, {"msecond", 6}, {"second", 9}}};
constexpr std::array<ScaledUnit, 4> kHertzUnits = {{{"hz", 0}, {"Khz", 3}, {"Mhz", 6}, {"Ghz", 9}}};
constexpr std::array<ScaledUnit, 8> kPerTimeUnits = {
    {{"/nsecond", 9}, {"/usecond", 6}, {"/msecond", 3}, {"/second", 0}, {"/ns", 9}, {"/us", 6}, {"/ms", 3}, {"/s", 0}}};
constexpr std::array<ScaledUnit, 4> kBytePrefixes = {{{"K", 3}, {"M", 6}, {"G", 9}, {"T", 12}}};

template <size_t count>
std::optional<int> ExponentOf(const std::array<ScaledUnit, count>& units, std::string_view printed) {
  for (const ScaledUnit& unit : units) {
    if (unit.printed == printed) return unit.exponent;
  }
  return std::nullopt;
}

// "1980000" of "1,980,000"; nothing when the cell is no number. Separators stand between groups of three digits only.
std::optional<std::string> PlainDigits(std::string_view cell) {
  std::string digits;
  size_t since_separator = std::string_view::npos;
  bool has_digit = false;
  for (size_t i = 0; i < cell.size(); ++i) {
    const char c = cell[i];
    if (c == ',') {
      if (!has_digit || (since_separator != std::string_view::npos && since_separator != 3)) return std::nullopt;
      if (digits.find('.') != std::string::npos) return std::nullopt;
      since_separator = 0;
      continue;
    }
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_sign = (c == '-' || c == '+') && (i == 0 || cell[i - 1] == 'e' || cell[i - 1] == 'E');
    if (!is_digit && !is_sign && c != '.' && c != 'e' && c != 'E') return std::nullopt;
    if (!is_digit && since_separator != std::string_view::npos && since_separator != 3) return std::nullopt;
    if (!is_digit) since_separator = std::string_view::npos;
    if (is_digit && since_separator != std::string_view::npos) ++since_separator;
    has_digit = has_digit || is_digit;
    digits += c;
  }
  if (!has_digit || (since_separator != std::string_view::npos && since_separator != 3)) return std::nullopt;
  return digits;
}

std::optional<double> SpecialNumber(std::string_view cell) {
  if (cell == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (cell == "-nan") return -std::numeric_limits<double>::quiet_NaN();
  if (cell == "inf") return std::numeric_limits<double>::infinity();
  if (cell == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

PrintedUnit ReadPrintedUnit(std::string_view unit) {
  if (const std::optional<int> exponent = ExponentOf(kTimeUnits, unit)) return {"ns", *exponent};
  if (const std::optional<int> exponent = ExponentOf(kHertzUnits, unit)) return {"hz", *exponent};
  PrintedUnit read{std::string(unit), 0};
  for (const ScaledUnit& per_time : kPerTimeUnits) {
    if (!unit.ends_with(per_time.printed)) continue;
    read.exponent = per_time.exponent;
    read.base = unit.substr(0, unit.size() - per_time.printed.size());
    if (read.base == "cycle") return {"hz", read.exponent};
    read.base += "/s";
    break;
  }
  if (const size_t byte = read.base.find("byte"); byte != std::string::npos && byte > 0) {
    if (const std::optional<int> exponent = ExponentOf(kBytePrefixes, read.base.substr(byte - 1, 1))) {
      read.exponent += *exponent;
      read.base.erase(byte - 1, 1);
    }
  }
  return read;
}

CounterValue ReadPrintedValue(std::string_view cell, const PrintedUnit& unit) {
  if (cell.empty() || cell == "no data") return {};
  if (const std::optional<double> special = SpecialNumber(cell)) return *special;
  std::optional<std::string> digits = PlainDigits(cell);
  if (!digits) return cell;
  if (unit.exponent == 0) {
    uint64_t whole = 0;
    const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), whole);
    if (error == std::errc() && end == digits->data() + digits->size()) return whole;
  } else if (digits->find_first_of("eE") == std::string::npos) {
    // Read as one decimal number: "3.147584" ms is 3147584 ns exactly.
    *digits += 'e' + std::to_string(unit.exponent);
  }
  double number = 0;
  const char* first = digits->data() + (digits->starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, digits->data() + digits->size(), number);
  if (error != std::errc() || end != digits->data() + digits->size()) return cell;
  return number;
}

Extent ReadPrintedExtent(std::string_view cell) {
  Extent extent{};
  size_t at = 0;
  for (uint64_t& size : extent) {
    at = cell.find_first_of("0123456789", at);
    if (at == std::string_view::npos) break;
    const auto [end, error] = std::from_chars(cell.data() + at, cell.data() + cell.size(), size);
    at = static_cast<size_t>(end - cell.data());
  }
  return extent;
}

uint64_t ReadPrintedWhole(std::string_view cell, uint64_t otherwise) {
  const bool is_hexadecimal = cell.starts_with("0x");
  if (is_hexadecimal) cell.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number, is_hexadecimal ? 16 : 10);
  return cell.empty() || error != std::errc() || end != cell.data() + cell.size() ? otherwise : number;
}

}  // namespace warpsight
