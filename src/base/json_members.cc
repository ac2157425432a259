#include "base/json_members.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace warpsight {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Where the string that begins at `at` ends: past its closing quote.
size_t PastString(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

// Past the value that begins at `at`: to the comma or bracket that ends it.
size_t PastValue(std::string_view text, size_t at) {
  int64_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = PastString(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return text.size();
}

size_t SkipBlanks(std::string_view text, size_t at) { return std::min(text.find_first_not_of(kBlanks, at), text.size()); }

}  // namespace

std::vector<JsonMember> JsonMembers(std::string_view text) {
  std::vector<JsonMember> members;
  size_t at = SkipBlanks(text, 0);
  if (at == text.size() || text[at] != '{') return members;
  for (at = SkipBlanks(text, at + 1); at < text.size() && text[at] == '"'; at = SkipBlanks(text, at + 1)) {
    const size_t past_key = PastString(text, at);
    const size_t colon = SkipBlanks(text, past_key);
    if (past_key - at < 2 || colon == text.size() || text[colon] != ':') break;
    const size_t value = SkipBlanks(text, colon + 1);
    const size_t end = PastValue(text, value);
    const size_t last = text.find_last_not_of(kBlanks, end - 1);
    if (last == std::string_view::npos || last < value) break;
    members.push_back({text.substr(at + 1, past_key - at - 2), text.substr(value, last + 1 - value)});
    if (end == text.size() || text[end] != ',') break;
    at = end;
  }
  return members;
}

std::string_view FindJsonMember(const std::vector<JsonMember>& members, std::string_view key) {
  for (const JsonMember& member : members) {
    if (member.key == key) return member.value;
  }
  return {};
}

std::string JsonValueText(std::string_view value) {
  if (!value.starts_with('"')) return std::string(value);
  const nlohmann::json text = nlohmann::json::parse(value, nullptr, false);
  return text.is_string() ? text.get<std::string>() : std::string(value);
}

}  // namespace warpsight
