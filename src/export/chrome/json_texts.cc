#include "export/chrome/json_texts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/decimal.h"
#include "base/utf8.h"

namespace warpsight::chrome {
namespace {

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void AppendEscape(std::string& out, char c) {
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
  out += '\\';
  if (const size_t letter = kMeanings.find(c); letter != std::string_view::npos) {
    out += kLetters[letter];
    return;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  out += "u00";
  out += kHex[code >> 4U];
  out += kHex[code & 0xFU];
}

bool IsJson(const std::string& text) { return nlohmann::json::accept(text); }

// Whether the text may stand between quotes as it is: its own escapes are JSON's.
bool IsStringContent(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), NeedsEscape)) return IsWholeUtf8(text);
  std::string quoted = "\"";
  quoted += text;
  quoted += '"';
  return IsJson(quoted);
}

bool IsBareList(std::string_view text) { return !text.empty() && (text[0] == '[' || text[0] == '{') && IsBareJson(text); }

}  // namespace

void AppendQuoted(std::string& out, std::string_view text) {
  if (!IsWholeUtf8(text)) return AppendQuoted(out, MendedUtf8(text));
  out += '"';
  for (const char c : text) {
    if (NeedsEscape(c)) {
      AppendEscape(out, c);
    } else {
      out += c;
    }
  }
  out += '"';
}

bool IsBareJson(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  if (text.empty() || text[0] == '"') return false;
  if (kBlanks.find(text.front()) != std::string_view::npos || kBlanks.find(text.back()) != std::string_view::npos)
    return false;
  return IsJson(std::string(text));
}

void AppendHeldJson(std::string& out, std::string_view text, bool& changed) {
  if (IsBareList(text)) {
    out += text;
  } else if (IsStringContent(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    changed = true;
    AppendQuoted(out, text);
  }
}

std::string PlaceValue(std::string_view label, int64_t& changed) {
  const std::optional<int64_t> number = ParseInteger(label);
  if (number && std::to_string(*number) == label) return std::string(label);
  std::string held;
  bool was_changed = false;
  AppendHeldJson(held, label, was_changed);
  changed += was_changed ? 1 : 0;
  return held;
}

uint8_t JsonTexts::FormOfName(std::string_view text) {
  return std::none_of(text.begin(), text.end(), NeedsEscape) && IsWholeUtf8(text) ? kVerbatim : kOther;
}

uint8_t JsonTexts::FormOfHeld(std::string_view text) {
  if (IsBareList(text)) return kBare;
  return IsStringContent(text) ? kVerbatim : kOther;
}

}  // namespace warpsight::chrome
