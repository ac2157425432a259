#include "analysis/kernel_name/kernel_name_text.h"

#include <algorithm>

#include "base/mangled_name.h"

namespace warpsight {
namespace {

constexpr size_t kLongestRead = 64 * 1024;
constexpr size_t kMostDigits = 7;
constexpr size_t kNone = std::string_view::npos;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsIdentifier(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Depth of brackets while a text is walked. Inside of parentheses and braces "<" and ">" may be operators and do not count.
class Brackets {
 public:
  // False at a bracket that closes more than was opened.
  bool Step(char c) {
    const bool in_parentheses = !open_.empty() && open_.back() != '<';
    switch (c) {
      case '(':
      case '{':
      case '[':
        open_.push_back(c);
        break;
      case '<':
        if (!in_parentheses) open_.push_back(c);
        break;
      case '>':
        if (in_parentheses) break;
        if (open_.empty()) return false;
        open_.pop_back();
        break;
      case ')':
      case '}':
      case ']':
        // An unbalanced name may have closed less than it opened.
        while (!open_.empty() && open_.back() == '<') open_.pop_back();
        if (open_.empty()) return false;
        open_.pop_back();
        break;
      default:
        break;
    }
    return true;
  }
  bool outside() const { return open_.empty(); }

 private:
  std::string open_;
};

constexpr std::string_view kAnonymousNamespaces[] = {"(anonymous namespace)", "<unnamed>", "{anonymous}"};

size_t AnonymousNamespaceAt(std::string_view text) {
  for (const std::string_view spelling : kAnonymousNamespaces) {
    if (text.starts_with(spelling)) return spelling.size();
  }
  return 0;
}

// A leading cast of a constant: "(int)", "(bool)", "(flashinfer::MaskMode)".
std::string_view WithoutCast(std::string_view text) {
  if (!text.starts_with('(')) return text;
  const size_t close = text.find(')');
  return close == kNone ? text : Trim(text.substr(close + 1));
}

}  // namespace

KernelNameText::KernelNameText(std::string_view name) {
  name = name.substr(0, kLongestRead);
  if (const size_t clone = name.find(" [clone "); clone != kNone) name = name.substr(0, clone);
  name = WithoutSuffix(Trim(name), ".kd");
  if (name.starts_with("_Z")) text_ = Demangle(name);
  if (text_.empty()) text_ = name;
  if (text_.starts_with("void ")) text_.erase(0, 5);

  const std::string_view text = text_;
  Brackets brackets;
  size_t begin = 0;
  size_t template_begin = kNone;
  size_t template_end = kNone;
  size_t end = text.size();
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (brackets.outside()) {
      if (const size_t skip = AnonymousNamespaceAt(text.substr(at)); skip > 0) {
        at += skip - 1;
        continue;
      }
      // What stood before a space was a return type.
      if (c == ' ' && !text.substr(at).starts_with(" >")) {
        begin = at + 1;
        template_begin = template_end = kNone;
        continue;
      }
      // Parameters, or a bracket that nothing opened.
      if (c == '(' || c == '>' || c == ')' || c == '}' || c == ']') {
        end = at;
        break;
      }
      if (c == '<') {
        template_begin = at;
      } else if (template_end != kNone) {
        template_begin = template_end = kNone;  // of an enclosing class
      }
    }
    const bool was_inside = !brackets.outside();
    brackets.Step(c);
    if (was_inside && brackets.outside()) template_end = at;
  }
  if (template_begin != kNone) {
    const size_t close = template_end == kNone ? text.size() : template_end;
    arguments_ = SplitArguments(text.substr(template_begin + 1, close - template_begin - 1));
    end = template_begin;
  }
  function_ = Trim(text.substr(begin, end - begin));
  const size_t colon = function_.rfind("::");
  base_ = colon == kNone ? function_ : function_.substr(colon + 2);
}

std::vector<std::string_view> SplitArguments(std::string_view text) {
  std::vector<std::string_view> arguments;
  Brackets brackets;
  size_t begin = 0;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == ',' && brackets.outside()) {
      arguments.push_back(Trim(text.substr(begin, at - begin)));
      begin = at + 1;
    } else if (!brackets.Step(text[at])) {
      break;
    }
  }
  const std::string_view last = Trim(text.substr(begin, at - begin));
  if (!last.empty() || !arguments.empty()) arguments.push_back(last);
  return arguments;
}

std::vector<std::string_view> TemplateArguments(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != kNone; at = text.find(name, at + 1)) {
    const size_t open = at + name.size();
    if (at > 0 && IsIdentifier(text[at - 1])) continue;
    if (open < text.size() && text[open] == '<') return SplitArguments(text.substr(open + 1));
  }
  return {};
}

std::vector<std::string_view> SplitWords(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::optional<int32_t> ParseNumber(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  int32_t number = 0;
  for (const char c : digits) {
    if (!IsDigit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::optional<int32_t> IntegerArgument(std::string_view text) {
  text = WithoutCast(Trim(text));
  for (const std::string_view wrapper : {"cute::C<", "C<"}) {
    if (text.starts_with(wrapper) && text.ends_with('>')) {
      return IntegerArgument(text.substr(wrapper.size(), text.size() - wrapper.size() - 1));
    }
  }
  if (Contains(text, "integral_constant<")) {
    const std::vector<std::string_view> arguments = TemplateArguments(text, "integral_constant");
    return arguments.size() == 2 ? IntegerArgument(arguments[1]) : std::nullopt;
  }
  while (!text.empty() && (text.back() == 'u' || text.back() == 'l')) text.remove_suffix(1);
  return ParseNumber(text);
}

std::optional<bool> BoolArgument(std::string_view text) {
  text = Trim(text);
  if (text == "true" || text == "(bool)1" || text == "1") return true;
  if (text == "false" || text == "(bool)0" || text == "0") return false;
  return std::nullopt;
}

std::optional<KernelExtent> ParseExtent(std::string_view text) {
  const std::vector<std::string_view> sides = SplitWords(text, 'x');
  if (sides.size() != 2 && sides.size() != 3) return std::nullopt;
  KernelExtent extent;
  int32_t* const fields[] = {&extent.m, &extent.n, &extent.k};
  for (size_t i = 0; i < sides.size(); ++i) {
    const std::optional<int32_t> side = ParseNumber(sides[i]);
    if (!side || *side == 0) return std::nullopt;
    *fields[i] = *side;
  }
  return extent;
}

std::optional<KernelExtent> TupleArgument(std::string_view text) {
  const size_t open = text.find('<');
  if (open == kNone) return std::nullopt;
  const std::vector<std::string_view> sides = SplitArguments(text.substr(open + 1));
  if (sides.size() != 2 && sides.size() != 3) return std::nullopt;
  KernelExtent extent;
  int32_t* const fields[] = {&extent.m, &extent.n, &extent.k};
  for (size_t i = 0; i < sides.size(); ++i) {
    const std::optional<int32_t> side = IntegerArgument(sides[i]);
    if (!side || *side == 0) return std::nullopt;
    *fields[i] = *side;
  }
  return extent;
}

std::string_view WithoutSuffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

std::optional<std::string_view> AfterPrefix(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

bool Contains(std::string_view text, std::string_view piece) { return text.find(piece) != kNone; }

bool AllOf(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == kNone;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool ReadLayout(std::string_view text, DecodedKernelName& decoded) {
  if (text.size() < 2 || text.size() > 4 || !AllOf(text, "tnTN")) return false;
  decoded.layout = LowerCase(text);
  decoded.a_transposed = decoded.layout[0] == 't';
  decoded.b_transposed = decoded.layout[1] == 't';
  return true;
}

}  // namespace warpsight
