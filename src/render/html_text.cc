#include "render/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "render/display_text.h"

namespace warpsight {

std::string Escaped(std::string_view text) {
  std::string printable = Printable(text, /*ascii=*/false);
  if (printable.find_first_of("&<>\"'") == std::string::npos) return printable;
  std::string escaped;
  escaped.reserve(printable.size() + 16);
  for (const char c : printable) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string EscapedAndCut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return Escaped(text);
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  // A character has at most three bytes after its first; longer runs are no characters.
  for (int i = 0; i < 3 && bytes > 0 && is_continuation(text[bytes]); ++i) --bytes;
  return Escaped(text.substr(0, bytes)) + "\xE2\x80\xA6";
}

std::string WithUnit(std::string_view formatted) {
  const std::size_t space = formatted.rfind(' ');
  if (space == std::string_view::npos) return std::string(formatted);
  return fmt::format("{}<span class=\"u\">{}</span>", formatted.substr(0, space), formatted.substr(space));
}

std::string Percent(double share) {
  if (!std::isfinite(share)) share = 0;
  std::string text = fmt::format("{:.3f}", std::clamp(share, 0.0, 1.0) * 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string Base64OfHex(std::string_view hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 6) {
    const std::string_view part = hex.substr(at, 6);
    std::uint32_t bits = 0;
    std::from_chars(part.data(), part.data() + part.size(), bits, 16);
    bits <<= 4 * (6 - part.size());
    const std::size_t digits = part.size() / 2 + 1;  // n bytes need n + 1 digits
    for (std::size_t i = 0; i < 4; ++i) text += i < digits ? kDigits[(bits >> (18 - 6 * i)) & 63U] : '=';
  }
  return text;
}

}  // namespace warpsight
