#include "server/api/query.h"

#include <fmt/format.h>

#include <charconv>

namespace warpsight::server {
namespace {

constexpr size_t kMostBytes = 8192;
constexpr size_t kMostParameters = 32;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0;
    if (escaped) {
      decoded += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

}  // namespace

Result<Query> Query::Parse(std::string_view text) {
  Query query;
  if (text.size() > kMostBytes)
    return UsageError(fmt::format("the query is longer than {} bytes: ask for less", kMostBytes));
  while (!text.empty()) {
    const size_t end = std::min(text.find('&'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    const size_t equals = std::min(one.find('='), one.size());
    std::string name = Decode(one.substr(0, equals));
    if (query.Find(name)) return UsageError(name + ": given twice: give it once");
    if (query.values_.size() == kMostParameters)
      return UsageError(fmt::format("the query has more than {} parameters", kMostParameters));
    query.values_.emplace_back(std::move(name), Decode(one.substr(std::min(equals + 1, one.size()))));
  }
  return query;
}

std::optional<std::string_view> Query::Find(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
  }
  return std::nullopt;
}

Result<std::string_view> Query::Text(std::string_view name) const {
  const std::optional<std::string_view> text = Find(name);
  if (!text) return UsageError(fmt::format("{}: is missing: give {}=...", name, name));
  return *text;
}

Result<int64_t> Query::Number(std::string_view name, int64_t least, int64_t most) const {
  const Result<std::string_view> text = Text(name);
  if (!text.ok()) return text.status();
  const std::optional<int64_t> number = ParseWholeNumber(*text);
  if (!number) return UsageError(fmt::format("{}={}: is no whole number", name, *text));
  if (*number < least || *number > most)
    return UsageError(fmt::format("{}={}: give a number from {} to {}", name, *text, least, most));
  return *number;
}

Result<int64_t> Query::NumberOr(std::string_view name, int64_t least, int64_t most, int64_t otherwise) const {
  return Find(name) ? Number(name, least, most) : Result<int64_t>(otherwise);
}

std::optional<int64_t> ParseWholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace warpsight::server
