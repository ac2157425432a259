#include "render/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "render/utf8.h"

namespace warpsight {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Nearly every name: one column per byte and nothing to escape, so the decoder can be left out.
bool IsPlainAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string Escape(char32_t code) {
  if (code == U'\n') return "\\n";
  if (code == U'\r') return "\\r";
  if (code == U'\t') return "\\t";
  const auto number = static_cast<unsigned>(code);
  if (number < 0x80) return fmt::format("\\x{:02x}", number);
  return number <= 0xFFFF ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

// Bytes of the longest beginning of `text` that takes at most `width` columns, with the marks that combine with its last
// character.
std::size_t FittingPrefix(std::string_view text, int width) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = DecodeCharacter(text, at);
    width -= CharacterWidth(character.code);
    if (width < 0) break;
    at += character.bytes;
  }
  return at;
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Where the longest end of `text` of at most `width` columns begins; never at a combining mark.
std::size_t FittingSuffix(std::string_view text, int width) {
  std::size_t begin = text.size();
  std::size_t at = text.size();
  while (at > 0) {
    do {
      --at;
    } while (at > 0 && IsContinuation(text[at]));
    const int columns = CharacterWidth(DecodeCharacter(text, at).code);
    width -= columns;
    if (width < 0) break;
    if (columns > 0) begin = at;
  }
  return begin;
}

bool IsUnit(std::string_view word) {
  constexpr std::array<std::string_view, 18> kUnits = {"ns", "us", "ms", "s",  "h", "d",    "B",    "kB",      "MB",
                                                       "GB", "TB", "PB", "EB", "%", "GB/s", "TB/s", "TFLOP/s", "GFLOP/s"};
  while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return std::ranges::find(kUnits, word) != kUnits.end();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Words at single spaces, except that a number keeps its unit.
std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool joins = !words.empty() && IsUnit(word) && IsDigit(words.back().back());
    if (joins) {
      const auto begin = static_cast<std::size_t>(words.back().data() - text.data());
      words.back() = text.substr(begin, end - begin);
    } else if (!word.empty()) {
      words.push_back(word);
    }
    at = end + 1;
  }
  return words;
}

}  // namespace

std::string Printable(std::string_view text, bool ascii) {
  if (IsPlainAscii(text)) return std::string(text);
  std::string printable;
  printable.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    if (!character.valid) {
      printable += ascii ? std::string_view("?") : kReplacement;
    } else if (IsUnsafe(character.code) || (ascii && character.code >= 0x80)) {
      printable += Escape(character.code);
    } else {
      printable += text.substr(at, character.bytes);
    }
    at += character.bytes;
  }
  return printable;
}

int DisplayWidth(std::string_view printable) {
  if (IsPlainAscii(printable)) return static_cast<int>(printable.size());
  int width = 0;
  for (std::size_t at = 0; at < printable.size();) {
    const Character character = DecodeCharacter(printable, at);
    width += CharacterWidth(character.code);
    at += character.bytes;
  }
  return width;
}

std::string ShortenMiddle(std::string_view printable, int width, bool ascii) {
  const std::string_view ellipsis = ascii ? "..." : "\xE2\x80\xA6";
  const int ellipsis_width = ascii ? 3 : 1;
  if (DisplayWidth(printable) <= width) return std::string(printable);
  const int room = width - ellipsis_width;
  if (room <= 0) return std::string(printable.substr(0, FittingPrefix(printable, std::max(width, 0))));
  const int tail_width = room / 3;
  std::string shortened(printable.substr(0, FittingPrefix(printable, room - tail_width)));
  shortened += ellipsis;
  shortened += printable.substr(FittingSuffix(printable, tail_width));
  return shortened;
}

std::vector<std::string> Wrap(std::string_view printable, int width) {
  constexpr int kWidestCharacter = 2;  // a narrower line could never hold one
  width = std::max(width, kWidestCharacter);
  std::vector<std::string> lines;
  std::string line;
  int used = 0;
  for (std::string_view word : Words(printable)) {
    int columns = DisplayWidth(word);
    if (!line.empty() && used + 1 + columns > width) {
      lines.push_back(std::exchange(line, {}));
      used = 0;
    }
    while (columns > width) {
      lines.emplace_back(word.substr(0, FittingPrefix(word, width)));
      word.remove_prefix(lines.back().size());
      columns -= DisplayWidth(lines.back());
    }
    if (!line.empty()) {
      line += ' ';
      ++used;
    }
    line += word;
    used += columns;
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string Pad(std::string_view printable, int width, bool align_right) {
  const int missing = std::max(width - DisplayWidth(printable), 0);
  const std::string spaces(static_cast<std::size_t>(missing), ' ');
  return align_right ? spaces + std::string(printable) : std::string(printable) + spaces;
}

}  // namespace warpsight
