// Times and ids as text, for the benchmark tools: decimal microseconds <-> integer nanoseconds, never through a double.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace warpsight::bench {

// Reads a whole number.
inline bool ParseId(std::string_view token, int64_t* value) {
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), *value);
  return error == std::errc{} && end == token.data() + token.size() && !token.empty();
}

// Microseconds with up to 3 decimals to ns; further decimals are cut (AppendTime puts them back). No exponent.
inline bool ParseTime(std::string_view token, int64_t* ns) {
  const bool negative = !token.empty() && token[0] == '-';
  const std::string_view digits = token.substr(negative ? 1 : 0);
  const size_t point = digits.find('.');
  int64_t microseconds = 0;
  if (!ParseId(digits.substr(0, point), &microseconds) || microseconds < 0) return false;
  int64_t decimals = 0;
  if (point != std::string_view::npos) {
    const std::string_view fraction = digits.substr(point + 1);
    if (fraction.empty() || fraction.find_first_not_of("0123456789") != std::string_view::npos) return false;
    for (size_t i = 0; i < 3; ++i) decimals = decimals * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
  }
  *ns = (microseconds * 1000 + decimals) * (negative ? -1 : 1);
  return true;
}

// Whether a time has digits below a nanosecond.
inline bool HasPartsOfNs(std::string_view token) {
  const size_t point = token.find('.');
  return point != std::string_view::npos && token.size() - point - 1 > 3;
}

inline void AppendNumber(std::string& out, int64_t value) {
  std::array<char, 24> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), result.ptr);
}

// Writes `ns` as microseconds with at least as many decimals as `like` has, and the digits below a ns that `like` has.
inline void AppendTime(std::string& out, int64_t ns, std::string_view like) {
  const size_t point = like.find('.');
  const std::string_view fraction = point == std::string_view::npos ? std::string_view{} : like.substr(point + 1);
  if (ns < 0) out.push_back('-');
  const uint64_t magnitude = static_cast<uint64_t>(std::llabs(ns));
  AppendNumber(out, static_cast<int64_t>(magnitude / 1000));
  const unsigned part = static_cast<unsigned>(magnitude % 1000);
  const std::array<char, 4> decimals = {'.', static_cast<char>('0' + part / 100), static_cast<char>('0' + part / 10 % 10),
                                        static_cast<char>('0' + part % 10)};
  size_t count = 3;
  while (count > fraction.size() && decimals[count] == '0') --count;
  if (count > 0) out.append(decimals.data(), count + 1);
  if (fraction.size() > 3) out.append(fraction.substr(3));
}

}  // namespace warpsight::bench
