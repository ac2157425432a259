#include "analysis/counters/launch_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpsight {
namespace {

constexpr size_t kMostPatternWords = 40;

bool IsPlainWord(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// Whether the words stand in `text` in this order: what the pattern asks.
bool HasInOrder(const std::vector<std::string>& text, const std::vector<std::string>& words) {
  auto at = text.begin();
  for (const std::string& word : words) {
    at = std::find(at, text.end(), word);
    if (at == text.end()) return false;
    ++at;
  }
  return true;
}

bool IsNumber(const std::string& word) { return word.front() >= '0' && word.front() <= '9'; }

std::string PatternOf(const std::vector<std::string>& words) {
  std::string pattern;
  for (const std::string& word : words) {
    if (!pattern.empty()) pattern += ".*";
    // Numbers may have a type at their end, and 1 may be a bool.
    const std::string_view text = word == "1" ? "(1|true)" : word == "0" ? "(0|false)" : std::string_view(word);
    pattern += fmt::format("\\b{}{}\\b", text, IsNumber(word) ? "[ul]*" : "");
  }
  return "regex:" + pattern;
}

std::vector<size_t> Passed(const std::vector<std::vector<std::string>>& words_of, const std::vector<std::string>& words) {
  std::vector<size_t> passed;
  for (size_t i = 0; i < words_of.size(); ++i) {
    if (HasInOrder(words_of[i], words)) passed.push_back(i);
  }
  return passed;
}

// Leaves out every word but the function that does not keep another kernel out: numbers first, since they say less and the
// profiler writes some of its own ("instance 1").
void DropNeedless(const std::vector<std::vector<std::string>>& words_of, const std::string& base, size_t passed,
                  std::vector<std::string>& words) {
  for (const bool numbers : {true, false}) {
    for (size_t at = words.size(); at-- > 0;) {
      if (words[at] == base || IsNumber(words[at]) != numbers || words.size() == 1) continue;
      std::vector<std::string> fewer = words;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      if (Passed(words_of, fewer).size() == passed) words = std::move(fewer);
    }
  }
}

}  // namespace

LaunchFilter MakeLaunchFilter(std::span<const ComparableName> names, size_t wanted) {
  LaunchFilter filter;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].base == names[wanted].base) filter.passed.push_back(i);
  }
  const std::string& base = names[wanted].base;
  if (IsPlainWord(base) && (filter.passed.size() == 1 || !names[wanted].has_arguments)) {
    filter.pattern = base;
    filter.options = "--kernel-name " + base;
    return filter;
  }
  std::vector<std::vector<std::string>> words_of;
  for (const ComparableName& name : names) words_of.push_back(WordsOfName(name.all));
  std::vector<std::string> words = WordsOfName(names[wanted].whole);
  if (words.size() > kMostPatternWords) words.resize(kMostPatternWords);
  // A name without a plain word can't be asked for: then all kernels pass.
  filter.passed = Passed(words_of, words);
  DropNeedless(words_of, base, filter.passed.size(), words);
  filter.pattern = words.empty() ? "regex:." : PatternOf(words);
  filter.options = fmt::format("--kernel-name-base demangled --kernel-name '{}'", filter.pattern);
  return filter;
}

}  // namespace warpsight
