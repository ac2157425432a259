#include "document/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace warpsight {
namespace {

// One unit of a ladder: `size` base units, used while the rounded value is below `limit`.
struct Unit {
  std::uint64_t size;
  std::uint64_t limit;
  std::string_view name;
};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

constexpr std::array<Unit, 6> kDurationUnits = {{
    {1, 1000, "ns"},
    {1'000, 1000, "us"},
    {1'000'000, 1000, "ms"},
    {1'000'000'000, 10'000, "s"},
    {3'600'000'000'000, 1000, "h"},
    {86'400'000'000'000, kNoLimit, "d"},
}};

constexpr std::array<Unit, 7> kByteUnits = {{
    {1, 1000, "B"},
    {1'000, 1000, "kB"},
    {1'000'000, 1000, "MB"},
    {1'000'000'000, 1000, "GB"},
    {1'000'000'000'000, 1000, "TB"},
    {1'000'000'000'000'000, 1000, "PB"},
    {1'000'000'000'000'000'000, kNoLimit, "EB"},
}};

constexpr std::array<std::uint64_t, 4> kPowersOfTen = {1, 10, 100, 1000};
constexpr std::uint64_t kDigitsLimit = 10'000;  // 4 significant digits

// |value| without overflow at the smallest int64.
std::uint64_t Magnitude(std::int64_t value) {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::string Grouped(std::string digits) {
  // From the right, so that the places still to come keep their offsets.
  const std::size_t end = digits.find('.') == std::string::npos ? digits.size() : digits.find('.');
  const std::size_t begin = !digits.empty() && digits[0] == '-' ? 1 : 0;
  for (std::size_t at = end; at > begin + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string GroupedInteger(std::int64_t value) { return Grouped(fmt::format("{}", value)); }

// `magnitude` / `step`, rounded half up; the product in the comparison cannot overflow since steps stay below 2^63.
std::uint64_t RoundedQuotient(std::uint64_t magnitude, std::uint64_t step) {
  const std::uint64_t rest = magnitude % step;
  return magnitude / step + (rest >= step - rest ? 1 : 0);
}

// Takes the smallest unit and the most decimals with which the rounded value still has 4 digits, so that a value that
// rounds up to the next unit (999.96 us) is shown in it (1.000 ms). All in integers.
std::string FormatInUnits(std::int64_t value, std::span<const Unit> units) {
  const std::uint64_t magnitude = Magnitude(value);
  const char* sign = value < 0 ? "-" : "";
  for (const Unit& unit : units) {
    // The base unit is whole; the others are at least 1000 of it, so three decimals are exact steps.
    const std::size_t most_decimals = unit.size == 1 ? 0 : 3;
    for (std::size_t decimals = most_decimals + 1; decimals-- > 0;) {
      const std::uint64_t scale = kPowersOfTen[decimals];
      const std::uint64_t rounded = RoundedQuotient(magnitude, unit.size / scale);
      const bool last_resort = unit.limit == kNoLimit && decimals == 0;
      if (!last_resort && (rounded >= kDigitsLimit || rounded / scale >= unit.limit)) continue;
      if (decimals == 0) return fmt::format("{}{} {}", sign, rounded, unit.name);
      return fmt::format("{}{}.{:0{}} {}", sign, rounded / scale, rounded % scale, decimals, unit.name);
    }
  }
  return {};  // not reached: the last unit takes every value
}

// `versus_all` is the sign of (value - all), decided by the caller as exactly as it can.
std::string ShareText(double share, bool is_nothing, int versus_all) {
  if (is_nothing) return "0.0 %";
  if (versus_all == 0) return "100.0 %";
  const double tenths = std::round(share * 1000.0);
  if (tenths == 0) return share > 0 ? "<0.1 %" : ">-0.1 %";
  if (tenths == 1000) return versus_all < 0 ? ">99.9 %" : ">100.0 %";
  return Grouped(fmt::format("{:.1f}", tenths / 10.0)) + " %";
}

int Sign(double value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

bool ShowsZero(const std::string& digits) { return digits.find_first_of("123456789") == std::string::npos; }

std::string FixedNumber(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  if (!ShowsZero(text)) return Grouped(text);
  if (value == 0) return fmt::format("{:.{}f}", 0.0, decimals);  // without the sign of -0.0
  return fmt::format("{}{:.{}f}", value > 0 ? "<" : ">-", std::pow(10.0, -decimals), decimals);
}

// Zeros behind the point say nothing about a measured value, so they go.
std::string ShortestNumber(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  std::string text = fmt::format("{:.{}f}", value, exponent >= 3 ? 0 : 3 - exponent);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return Grouped(text);
}

}  // namespace

std::string FormatDuration(std::int64_t ns, Precision precision) {
  return precision == Precision::kExact ? GroupedInteger(ns) + " ns" : FormatInUnits(ns, kDurationUnits);
}

std::string FormatBytes(std::int64_t bytes, Precision precision) {
  return precision == Precision::kExact ? GroupedInteger(bytes) + " B" : FormatInUnits(bytes, kByteUnits);
}

std::string FormatCount(std::int64_t count) { return GroupedInteger(count); }

std::string FormatShare(double share) {
  if (!std::isfinite(share)) return "-";
  // Shares summed in doubles miss 1 by a few units in the last place; that is still all.
  constexpr double kSumError = 1e-12;
  const bool is_all = std::fabs(share - 1.0) <= kSumError;
  return ShareText(share, share == 0, is_all ? 0 : Sign(share - 1.0));
}

std::string FormatShare(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return "-";
  const int versus_all = part == whole ? 0 : (part < whole ? -1 : 1);
  return ShareText(static_cast<double>(part) / static_cast<double>(whole), part == 0, versus_all);
}

std::string FormatNumber(double value, int decimals) {
  constexpr double kSmallest = 1e-4;
  constexpr double kLargest = 1e15;  // above it a double no longer holds every integer's decimals
  constexpr int kMostDecimals = 17;
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (std::fabs(value) >= kLargest) return fmt::format("{:.3e}", value);
  if (decimals >= 0) return FixedNumber(value, decimals < kMostDecimals ? decimals : kMostDecimals);
  if (value == 0) return "0";
  if (std::fabs(value) < kSmallest) return fmt::format("{:.3e}", value);
  return ShortestNumber(value);
}

}  // namespace warpsight
