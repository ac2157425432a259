#include "base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace warpsight {
namespace {

constexpr bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// The value of eight ASCII digits, the first in the lowest byte; clears `all_digits` when they are not. One multiplication
// joins neighbours at each of three levels.
uint64_t EightDigits(uint64_t chunk, bool& all_digits) {
  const uint64_t high = (chunk & 0xF0F0F0F0F0F0F0F0) ^ 0x3030303030303030;
  const uint64_t carry = ((chunk + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) ^ 0x3030303030303030;
  all_digits = all_digits && (high | carry) == 0;
  chunk -= 0x3030303030303030;
  chunk = chunk * 10 + (chunk >> 8);
  const uint64_t low_pairs = (chunk & 0x000000FF000000FF) * (100 + (uint64_t{1000000} << 32));
  const uint64_t high_pairs = ((chunk >> 16) & 0x000000FF000000FF) * (1 + (uint64_t{10000} << 32));
  return (low_pairs + high_pairs) >> 32;
}

template <typename Word>
uint64_t Load(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Microseconds with three digits behind the point and one to five or eight to thirteen before it, the form that recorders
// write, in nanoseconds. No loop over digits, whose number nobody can predict. False for every other text.
bool ParseThreeDecimals(std::string_view text, uint64_t& ns) {
  if (text.size() < 5 || text.size() > 17) return false;
  const size_t whole = text.size() - 4;  // digits before the point
  const char* const point = text.data() + whole;
  bool all_digits = *point == '.';
  size_t near = whole;   // digits before the point that are read together with those behind it
  uint64_t shifted = 0;  // the last of them in byte 4
  ns = 0;
  if (whole >= 8) {
    static constexpr uint64_t kPowers[] = {1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    near = whole - 8;
    ns = EightDigits(Load<uint64_t>(text.data()), all_digits) * kPowers[near];
    shifted = Load<uint64_t>(point - 8) >> 24;
  } else if (whole > 5) {
    return false;
  } else {
    shifted = (whole < 4 ? Load<uint32_t>(text.data()) : Load<uint64_t>(text.data())) << (8 * (5 - whole));
  }
  const uint64_t behind = Load<uint32_t>(point) << 32 & 0xFFFFFF0000000000;
  const uint64_t before = ~uint64_t{0} << (8 * (5 - near)) & 0x000000FFFFFFFFFF;
  ns += EightDigits(behind | (shifted & before) | (0x3030303030303030 & ~before & 0x000000FFFFFFFFFF), all_digits);
  return all_digits;
}

// Any decimal with sign, fraction and exponent. Digits are gathered into one integer with a power of ten; slower, and exact
// for every number of digits (those below a nanosecond are rounded).
DecimalNs ParseGeneral(std::string_view text) {
  DecimalNs result;
  size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;
  std::string_view digits = text.substr(at);
  int64_t exponent = 0;
  if (const size_t e = digits.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = digits.substr(e + 1);
    if (!power.empty() && power[0] == '+') power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || end != power.data() + power.size()) return {0, DecimalFault::kNotANumber, false};
    exponent = std::clamp<int64_t>(exponent, -100000, 100000);
    digits = digits.substr(0, e);
  }
  const size_t dot = digits.find_first_of(".,");  // some locales write a comma
  const std::string_view whole = digits.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? std::string_view() : digits.substr(dot + 1);
  if (whole.empty() && fraction.empty()) return {0, DecimalFault::kNotANumber, false};
  if (!std::all_of(whole.begin(), whole.end(), IsDigit) || !std::all_of(fraction.begin(), fraction.end(), IsDigit)) {
    return {0, DecimalFault::kNotANumber, false};
  }
  // Digit number i of whole+fraction stands for 10^(point - 1 - i) ns.
  const int64_t point = static_cast<int64_t>(whole.size()) + exponent + 3;
  const int64_t count = static_cast<int64_t>(whole.size() + fraction.size());
  const auto digit = [&](int64_t i) -> int {
    if (i >= count) return 0;
    const auto index = static_cast<size_t>(i);
    return (index < whole.size() ? whole[index] : fraction[index - whole.size()]) - '0';
  };
  constexpr int64_t kMostDigits = 40;  // far past 2^63: more leading non-zero digits than this are out of range anyway
  unsigned __int128 value = 0;
  int64_t significant = 0;
  for (int64_t i = 0; i < point; ++i) {
    if (value == 0 && i >= count) break;  // zeros only: do not walk a huge exponent
    value = value * 10 + static_cast<unsigned>(digit(i));
    if (value != 0 && ++significant > kMostDigits - 2) return {0, DecimalFault::kOutOfRange, false};
  }
  const int64_t first_dropped = std::max<int64_t>(point, 0);
  for (int64_t i = first_dropped; i < count; ++i) result.rounded |= digit(i) != 0;
  if (point >= 0 && point < count && digit(point) >= 5) ++value;
  constexpr auto kMost = static_cast<unsigned __int128>(kMaxNs);
  if (value > kMost) return {0, DecimalFault::kOutOfRange, false};
  result.ns = negative ? -static_cast<Ns>(value) : static_cast<Ns>(value);
  return result;
}

}  // namespace

DecimalNs ParseMicroseconds(std::string_view text) {
  uint64_t ns = 0;
  if (ParseThreeDecimals(text, ns)) return {static_cast<Ns>(ns), DecimalFault::kNone, false};
  // Next: up to 15 digits, optionally a point and exactly one to three digits.
  const char* at = text.data();
  const char* const end = at + text.size();
  uint64_t value = 0;
  while (at != end && IsDigit(*at)) value = value * 10 + static_cast<unsigned>(*at++ - '0');
  const auto whole_digits = at - text.data();
  if (whole_digits == 0 || whole_digits > 15) return ParseGeneral(text);
  if (at == end) return {static_cast<Ns>(value * 1000), DecimalFault::kNone, false};
  const auto fraction_digits = end - at - 1;
  if (*at != '.' || fraction_digits < 1 || fraction_digits > 3) return ParseGeneral(text);
  static constexpr int kScale[] = {1000, 100, 10, 1};
  uint64_t fraction = 0;
  for (++at; at != end; ++at) {
    if (!IsDigit(*at)) return ParseGeneral(text);
    fraction = fraction * 10 + static_cast<unsigned>(*at - '0');
  }
  return {static_cast<Ns>(value * 1000 + fraction * static_cast<unsigned>(kScale[fraction_digits])), DecimalFault::kNone,
          false};
}

int64_t ParseShortDigits(std::string_view text) {
  const size_t size = text.size();
  if (size - 1 > 7) return -1;
  uint64_t chunk = 0;
  if (size >= 4) {  // two loads that overlap
    chunk = Load<uint32_t>(text.data() + size - 4) << 32 | (Load<uint32_t>(text.data()) << (8 * (8 - size)) & 0xFFFFFFFF);
  } else {  // three that overlap: first, middle, last
    const auto byte = [&](size_t at) { return uint64_t{static_cast<unsigned char>(text[at])}; };
    chunk = byte(0) << (8 * (8 - size)) | byte(size / 2) << (8 * (8 - size + size / 2)) | byte(size - 1) << 56;
  }
  const uint64_t zeros = 0x3030303030303030 & ~(~uint64_t{0} << (8 * (8 - size)));  // before the digits
  bool all_digits = true;
  const uint64_t value = EightDigits(chunk | zeros, all_digits);
  return all_digits ? static_cast<int64_t>(value) : -1;
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  if (const int64_t digits = ParseShortDigits(text); digits >= 0) return digits;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace warpsight
