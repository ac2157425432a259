#include "formats/torch_json/json_text.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include <simdjson.h>

#include "base/utf8.h"

namespace warpsight::torch_json {
namespace {

void AppendUtf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// The code unit of the \uXXXX at `at`.
std::optional<uint32_t> CodeUnit(std::string_view raw, size_t at) {
  if (at + 6 > raw.size() || raw[at] != '\\' || raw[at + 1] != 'u') return std::nullopt;
  uint32_t unit = 0;
  const char* const first = raw.data() + at + 2;
  const auto [end, error] = std::from_chars(first, first + 4, unit, 16);
  if (error != std::errc() || end != first + 4) return std::nullopt;
  return unit;
}

// Appends the escape at `at` and returns its length.
size_t AppendEscape(std::string_view raw, size_t at, UnescapedText& out) {
  if (at + 1 < raw.size()) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const size_t letter = kLetters.find(raw[at + 1]);
    if (letter != std::string_view::npos) {
      out.text += kMeanings[letter];
      return 2;
    }
  }
  const std::optional<uint32_t> unit = CodeUnit(raw, at);
  if (!unit) {
    out.text += raw[at];
    out.damaged = true;
    return 1;
  }
  if (*unit < 0xD800 || *unit > 0xDFFF) {
    AppendUtf8(out.text, *unit);
    return 6;
  }
  const std::optional<uint32_t> low = CodeUnit(raw, at + 6);
  if (*unit <= 0xDBFF && low && *low >= 0xDC00 && *low <= 0xDFFF) {
    AppendUtf8(out.text, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
    return 12;
  }
  out.text += kReplacementCharacter;
  out.damaged = true;
  return 6;
}

}  // namespace

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

UnescapedText Unescape(std::string_view raw) {
  UnescapedText out;
  out.text.reserve(raw.size());
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] == '\\') {
      at += AppendEscape(raw, at, out);
    } else {
      out.text += raw[at++];
    }
  }
  if (!IsUtf8(out.text)) {
    out.text = MendedUtf8(out.text);
    out.damaged = true;
  }
  return out;
}

}  // namespace warpsight::torch_json
