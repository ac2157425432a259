#include "analysis/counters/comparable_name.h"

#include <algorithm>
#include <array>

#include "base/mangled_name.h"

namespace warpsight {
namespace {

constexpr size_t kLongestComparedName = 64 * 1024;
constexpr std::string_view kNameless = "?";  // an anonymous namespace, however it is written

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Words that only one of the two demanglers writes, or that say nothing about which kernel it is.
bool IsLeftOut(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"void", "const", "volatile", "enum", "struct"};
  return std::ranges::find(kWords, word) != kWords.end();
}

class NameReader {
 public:
  NameReader(std::string_view name, bool keeps_parameters)
      : name_(name.substr(0, kLongestComparedName)), keeps_parameters_(keeps_parameters) {}

  std::string Read() {
    while (at_ < name_.size()) {
      const char c = name_[at_];
      if (IsWordCharacter(c)) {
        ReadWord();
      } else if (c == '(') {
        if (SkipText("(anonymous namespace)")) {
          Append(kNameless);
        } else if (keeps_parameters_) {
          Append(name_.substr(at_++, 1));
        } else {
          SkipBalanced();
        }
      } else if (SkipText("<unnamed>") || SkipText("{anonymous}")) {
        Append(kNameless);
      } else if (!keeps_parameters_ && (c == '{' || (c == '[' && name_.substr(at_).starts_with("[lambda")))) {
        ReadLambda(c == '{' ? '}' : ']');
      } else {
        if (c != ' ') Append(name_.substr(at_, 1));
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  void Append(std::string_view text) {
    if (!out_.empty() && IsWordCharacter(out_.back()) && IsWordCharacter(text.front())) out_ += ' ';
    out_ += text;
  }

  bool SkipText(std::string_view text) {
    if (!name_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  // Parameter lists and casts: from "(" to its end, or to the end of a name that was cut.
  void SkipBalanced() {
    int depth = 0;
    for (; at_ < name_.size(); ++at_) {
      depth += name_[at_] == '(' ? 1 : name_[at_] == ')' ? -1 : 0;
      if (depth == 0) {
        ++at_;
        return;
      }
    }
  }

  void ReadWord() {
    const size_t begin = at_;
    while (at_ < name_.size() && IsWordCharacter(name_[at_])) ++at_;
    std::string_view word = name_.substr(begin, at_ - begin);
    if (IsDigit(word.front())) {
      while (word.size() > 1 && std::string_view("uUlL").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    }
    if (word.starts_with("_GLOBAL__N_")) return Append(kNameless);
    if (word == "true") return Append("1");
    if (word == "false") return Append("0");
    if (!IsLeftOut(word)) Append(word);
  }

  // "{lambda(int)#1}" and "[lambda(int) (instance 1)]" are "@1".
  void ReadLambda(char close) {
    std::string number;
    int depth = 0;
    const char open = name_[at_];
    for (; at_ < name_.size(); ++at_) {
      const char c = name_[at_];
      if (c == open) ++depth;
      if (c == close && --depth == 0) break;
      if (IsDigit(c)) {
        number += c;
      } else if (c != ')') {
        number.clear();
      }
    }
    if (at_ < name_.size()) ++at_;
    out_ += '@' + number;
  }

  std::string_view name_;
  bool keeps_parameters_ = false;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

ComparableName MakeComparableName(std::string_view name) {
  ComparableName comparable;
  const std::string demangled = name.starts_with("_Z") ? Demangle(name) : std::string();
  if (!demangled.empty()) name = demangled;
  // " [clone .kd]" and the like are about the binary.
  name = name.substr(0, name.find(" [clone"));
  comparable.whole = NameReader(name, false).Read();
  comparable.all = NameReader(name, true).Read();
  const std::string_view whole = comparable.whole;
  int depth = 0;
  size_t begin = 0;
  size_t end = whole.size();
  for (size_t at = 0; at < whole.size(); ++at) {
    if (whole[at] == '<') {
      if (depth++ == 0) end = at;
    } else if (whole[at] == '>') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth == 0 && whole[at] == ':') {
      begin = at + 1;
      end = whole.size();
    }
  }
  comparable.has_arguments = end < whole.size();
  comparable.base = end > begin ? whole.substr(begin, end - begin) : whole;
  return comparable;
}

std::vector<std::string> WordsOfName(std::string_view comparable) {
  // A pattern's \b takes $ for the end of a word.
  const auto is_inside = [](char c) { return IsWordCharacter(c) && c != '$'; };
  std::vector<std::string> words;
  for (size_t at = 0; at < comparable.size();) {
    const size_t begin = at;
    while (at < comparable.size() && is_inside(comparable[at])) ++at;
    if (at > begin) words.emplace_back(comparable.substr(begin, at - begin));
    if (at == begin) ++at;
  }
  return words;
}

}  // namespace warpsight
