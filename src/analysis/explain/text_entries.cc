#include "analysis/explain/text_entries.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {
namespace {

std::string_view TrimmedLine(std::string_view line) {
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

TextEntry EntryOfHeader(std::string_view line) {
  while (line.starts_with('[')) {
    CHECK(line.ends_with(']'));
    line.remove_prefix(1);
    line.remove_suffix(1);
  }
  const size_t dot = line.find('.');
  CHECK(!line.empty() && line.find('"') == std::string_view::npos);
  if (dot == std::string_view::npos) return {line, {}, {}, {}};
  return {line.substr(0, dot), line.substr(dot + 1), {}, {}};
}

// Takes a text in quotes off the front.
std::string TakeText(std::string_view& rest) {
  CHECK(rest.starts_with('"'));
  rest.remove_prefix(1);
  std::string text;
  for (;;) {
    const size_t stop = rest.find_first_of("\"\\");
    CHECK(stop != std::string_view::npos);
    text += rest.substr(0, stop);
    const bool is_end = rest[stop] == '"';
    rest.remove_prefix(stop + 1);
    if (is_end) return text;
    CHECK(rest.starts_with('"') || rest.starts_with('\\'));  // the only escapes that are used
    text += rest.front();
    rest.remove_prefix(1);
  }
}

std::vector<std::string> TakeList(std::string_view& rest) {
  CHECK(rest.starts_with('['));
  rest = TrimmedLine(rest.substr(1));
  std::vector<std::string> texts;
  while (!rest.starts_with(']')) {
    texts.push_back(TakeText(rest));
    rest = TrimmedLine(rest);
    if (rest.starts_with(',')) rest = TrimmedLine(rest.substr(1));
  }
  rest.remove_prefix(1);
  return texts;
}

void AddValue(std::string_view line, TextEntry& entry) {
  const size_t equals = line.find('=');
  CHECK(equals != std::string_view::npos);
  const std::string_view key = TrimmedLine(line.substr(0, equals));
  std::string_view value = TrimmedLine(line.substr(equals + 1));
  if (value.starts_with('[')) {
    entry.lists.emplace_back(key, TakeList(value));
    CHECK(value.empty());
  } else if (value.starts_with('"')) {
    entry.texts.emplace_back(key, TakeText(value));
    CHECK(value.empty());
  } else {
    CHECK(value == "true" || value == "false");
    entry.texts.emplace_back(key, value);
  }
}

}  // namespace

std::string TextEntry::Text(std::string_view key) const {
  for (const auto& [name, text] : texts) {
    if (name == key) return text;
  }
  return {};
}

std::vector<std::string> TextEntry::List(std::string_view key) const {
  for (const auto& [name, list] : lists) {
    if (name == key) return list;
  }
  return {};
}

std::vector<TextEntry> ReadTextEntries(std::string_view text) {
  std::vector<TextEntry> entries;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = TrimmedLine(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      entries.push_back(EntryOfHeader(line));
      continue;
    }
    CHECK(!entries.empty());
    AddValue(line, entries.back());
  }
  return entries;
}

}  // namespace warpsight
