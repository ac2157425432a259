#include "render/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace warpsight {
namespace {

std::optional<std::string> Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

// A positive whole number and nothing else; huge values are cut to what no terminal exceeds.
std::optional<int> ParseColumns(std::string_view text) {
  constexpr int kWidest = 10'000;
  int columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size() && text[0] != '-') return kWidest;
  if (error != std::errc() || end != text.data() + text.size() || columns <= 0) return std::nullopt;
  return std::min(columns, kWidest);
}

// Spelled "UTF-8", "utf8" and "UTF8" by different systems.
bool SaysUtf8(std::string locale) {
  std::erase(locale, '-');
  std::ranges::transform(locale, locale.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return locale.find("utf8") != std::string::npos;
}

}  // namespace

TerminalFacts ReadTerminal(int file_descriptor) {
  TerminalFacts facts;
  facts.columns = Variable("COLUMNS");
  facts.no_color = Variable("NO_COLOR");
  facts.term = Variable("TERM");
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!facts.locale || facts.locale->empty()) facts.locale = Variable(name);
  }
  facts.is_terminal = isatty(file_descriptor) == 1;
  winsize size{};
  if (facts.is_terminal && ioctl(file_descriptor, TIOCGWINSZ, &size) == 0) facts.terminal_width = size.ws_col;
  return facts;
}

TextStyle ChooseStyle(const TerminalFacts& facts) {
  TextStyle style;
  const std::optional<int> columns = ParseColumns(facts.columns.value_or(""));
  if (columns) {
    style.width = *columns;
  } else if (facts.is_terminal && facts.terminal_width > 0) {
    style.width = facts.terminal_width;
  }
  const std::string term = facts.term.value_or("");
  style.colour = facts.is_terminal && facts.no_color.value_or("").empty() && !term.empty() && term != "dumb";
  style.ascii = !SaysUtf8(facts.locale.value_or(""));
  return style;
}

}  // namespace warpsight
