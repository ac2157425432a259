#include "server/api/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warpsight::server {
namespace {

using Characters = NamePattern::Characters;

constexpr int kMostRepeats = 100;
constexpr size_t kMostStates = 5000;
constexpr int kDeepestGroup = 50;

size_t Byte(char c) { return static_cast<unsigned char>(c); }

Characters Span(char from, char to) {
  Characters set;
  for (size_t c = Byte(from); c <= Byte(to); ++c) set.set(c);
  return set;
}

Characters ClassOf(char letter) {
  switch (letter) {
    case 'd':
      return Span('0', '9');
    case 'D':
      return ~Span('0', '9');
    case 'w':
    case 'W': {
      Characters word = Span('0', '9') | Span('a', 'z') | Span('A', 'Z');
      word.set(Byte('_'));
      return letter == 'w' ? word : ~word;
    }
    default: {
      Characters blank;
      for (const char c : {' ', '\t', '\n', '\r', '\f', '\v'}) blank.set(Byte(c));
      return letter == 's' ? blank : ~blank;
    }
  }
}

bool IsClass(char letter) { return std::string_view("dDwWsS").find(letter) != std::string_view::npos; }

bool IsWord(char c) { return ClassOf('w').test(Byte(c)); }

// Both cases of every letter that is in it.
Characters WithoutCase(Characters set) {
  for (size_t i = 0; i < 26; ++i) {
    const bool any = set.test('a' + i) || set.test('A' + i);
    set.set('a' + i, any);
    set.set('A' + i, any);
  }
  return set;
}

}  // namespace

// Recursive descent; each part appends its states, which go on to the state behind them.
class PatternParser {
 public:
  PatternParser(std::string_view pattern, NamePattern& into) : pattern_(pattern), into_(into) {}

  Status Parse() {
    if (pattern_.size() > kMostPatternBytes)
      return UsageError(fmt::format("the pattern is longer than {} characters", kMostPatternBytes));
    WARPSIGHT_RETURN_IF_ERROR(Alternatives(0));
    if (at_ < pattern_.size()) return Wrong(") without (");
    Append({NamePattern::StateKind::kMatch});
    return OkStatus();
  }

 private:
  using Kind = NamePattern::StateKind;
  using State = NamePattern::State;

  bool AtEnd() const { return at_ == pattern_.size(); }
  char Peek() const { return AtEnd() ? '\0' : pattern_[at_]; }
  bool Take(char c) {
    if (AtEnd() || pattern_[at_] != c) return false;
    ++at_;
    return true;
  }
  Status Wrong(std::string_view what) const {
    return UsageError(fmt::format("the pattern at character {}: {}", at_ + 1, what));
  }

  uint32_t Here() const { return static_cast<uint32_t>(into_.states_.size()); }
  // The state goes on to the one behind it.
  void Append(State state) {
    state.next = Here() + 1;
    into_.states_.push_back(state);
  }
  void AppendSet(const Characters& set) {
    into_.sets_.push_back(WithoutCase(set));
    Append({Kind::kCharacters, 0, 0, static_cast<uint32_t>(into_.sets_.size() - 1)});
  }
  // Makes room for a state at `place`; all that lies behind moves by one.
  void Insert(uint32_t place, State state) {
    for (uint32_t i = place; i < Here(); ++i) {
      ++into_.states_[i].next;
      if (into_.states_[i].other >= place) ++into_.states_[i].other;
      // A jump back within what moved was counted right: both ends moved.
    }
    into_.states_.insert(into_.states_.begin() + place, state);
  }

  Status Alternatives(int depth) {
    if (depth > kDeepestGroup) return Wrong("groups are nested too deep");
    const uint32_t begin = Here();
    WARPSIGHT_RETURN_IF_ERROR(Sequence(depth));
    if (!Take('|')) return OkStatus();
    // split -> first, else behind the jump that ends the first.
    Insert(begin, {Kind::kSplit, begin + 1, 0});
    const uint32_t jump = Here();
    Append({Kind::kJump});
    into_.states_[begin].other = Here();
    WARPSIGHT_RETURN_IF_ERROR(Alternatives(depth));
    into_.states_[jump].next = Here();
    return OkStatus();
  }

  Status Sequence(int depth) {
    while (!AtEnd() && Peek() != '|' && Peek() != ')') WARPSIGHT_RETURN_IF_ERROR(Repeated(depth));
    return OkStatus();
  }

  Status Repeated(int depth) {
    const uint32_t begin = Here();
    if (IsCount()) return Wrong("nothing to repeat");
    const bool is_place =
        Peek() == '^' || Peek() == '$' || pattern_.substr(at_, 2) == "\\b" || pattern_.substr(at_, 2) == "\\B";
    WARPSIGHT_RETURN_IF_ERROR(Single(depth));
    int least = 1;
    std::optional<int> most = 1;
    if (Take('*')) {
      least = 0;
      most = std::nullopt;
    } else if (Take('+')) {
      most = std::nullopt;
    } else if (Take('?')) {
      least = 0;
    } else if (IsCount()) {
      WARPSIGHT_RETURN_IF_ERROR(Count(least, most));
    } else {
      return CheckSize();
    }
    if (is_place) return Wrong("a place in the text can't be repeated");
    Take('?');  // lazy: the same question
    if (!AtEnd() && (std::string_view("*+?").find(Peek()) != std::string_view::npos || IsCount()))
      return Wrong("nothing to repeat");
    return Repeat(begin, least, most);
  }

  // {2}, {2,} or {2,5}; other braces are characters.
  bool IsCount() const {
    if (Peek() != '{') return false;
    size_t at = at_ + 1;
    const auto digits = [&] {
      const size_t from = at;
      while (at < pattern_.size() && pattern_[at] >= '0' && pattern_[at] <= '9') ++at;
      return at > from;
    };
    if (!digits()) return false;
    if (at < pattern_.size() && pattern_[at] == ',') {
      ++at;
      digits();
    }
    return at < pattern_.size() && pattern_[at] == '}';
  }

  int Digits() {
    int number = 0;
    while (Peek() >= '0' && Peek() <= '9') number = std::min(kMostRepeats + 1, number * 10 + (pattern_[at_++] - '0'));
    return number;
  }

  Status Count(int& least, std::optional<int>& most) {
    Take('{');
    least = Digits();
    most = least;
    if (Take(',')) most = Peek() == '}' ? std::nullopt : std::optional(Digits());
    Take('}');
    if (least > kMostRepeats || most.value_or(0) > kMostRepeats)
      return Wrong(fmt::format("more than {} repeats", kMostRepeats));
    if (most && *most < least) return Wrong("the counts are the wrong way round");
    return OkStatus();
  }

  // The states from `begin` on, so many times.
  Status Repeat(uint32_t begin, int least, std::optional<int> most) {
    const std::vector<State> body(into_.states_.begin() + begin, into_.states_.end());
    into_.states_.resize(begin);
    const size_t copies = static_cast<size_t>(most.value_or(least + 1));
    if (begin + copies * (body.size() + 2) > kMostStates) return Wrong("the pattern is too large");
    for (int i = 0; i < least; ++i) AppendCopy(body, begin);
    if (!most) {
      const uint32_t split = Here();
      Append({Kind::kSplit});
      AppendCopy(body, begin);
      Append({Kind::kJump});
      into_.states_.back().next = split;
      into_.states_[split].other = Here();
      return OkStatus();
    }
    std::vector<uint32_t> splits;
    for (int i = least; i < *most; ++i) {
      splits.push_back(Here());
      Append({Kind::kSplit});
      AppendCopy(body, begin);
    }
    for (const uint32_t split : splits) into_.states_[split].other = Here();
    return OkStatus();
  }

  void AppendCopy(const std::vector<State>& body, uint32_t from) {
    const uint32_t by = Here() - from;
    for (State state : body) {
      state.next += by;
      if (state.kind == Kind::kSplit) state.other += by;
      into_.states_.push_back(state);
    }
  }

  Status CheckSize() const { return Here() > kMostStates ? Wrong("the pattern is too large") : OkStatus(); }

  Status Single(int depth) {
    const char c = pattern_[at_++];
    switch (c) {
      case '(':
        if (Take('?') && !Take(':')) return Wrong("(?: is known, other (? are not");
        WARPSIGHT_RETURN_IF_ERROR(Alternatives(depth + 1));
        return Take(')') ? OkStatus() : Wrong("( without )");
      case '[':
        return Set();
      case '\\':
        return Escape();
      case '.': {
        Characters any = ~Characters();
        any.reset(Byte('\n')).reset(Byte('\r'));
        AppendSet(any);
        return OkStatus();
      }
      case '^':
        Append({Kind::kLineStart});
        return OkStatus();
      case '$':
        Append({Kind::kLineEnd});
        return OkStatus();
      case '*':
      case '+':
      case '?':
        return Wrong("nothing to repeat");
      default:
        AppendSet(Span(c, c));
        return OkStatus();
    }
  }

  Status Escape() {
    if (AtEnd()) return Wrong("\\ at the end");
    if (Peek() == 'b' || Peek() == 'B') {
      Append({Peek() == 'b' ? Kind::kWordBorder : Kind::kNoWordBorder});
      ++at_;
      return OkStatus();
    }
    Characters set;
    WARPSIGHT_RETURN_IF_ERROR(EscapedSet(set));
    AppendSet(set);
    return OkStatus();
  }

  // Behind a backslash.
  Status EscapedSet(Characters& set) {
    const char c = pattern_[at_++];
    if (IsClass(c)) {
      set = ClassOf(c);
      return OkStatus();
    }
    constexpr std::string_view kLetters = "tnrfv0";
    constexpr std::string_view kMeant("\t\n\r\f\v\0", 6);
    if (const size_t known = kLetters.find(c); known != std::string_view::npos) {
      set = Span(kMeant[known], kMeant[known]);
      return OkStatus();
    }
    if (c >= '1' && c <= '9') return Wrong("references back are not known");
    if (IsWord(c) && c != '_') return Wrong(fmt::format("\\{} is not known", c));
    set = Span(c, c);
    return OkStatus();
  }

  // Behind [.
  Status Set() {
    const bool inverted = Take('^');
    Characters set;
    while (!AtEnd() && Peek() != ']') {
      Characters one;
      std::optional<char> low = Peek();
      WARPSIGHT_RETURN_IF_ERROR(Member(one, low));
      if (Peek() == '-' && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
        ++at_;
        Characters other;
        std::optional<char> high = Peek();
        WARPSIGHT_RETURN_IF_ERROR(Member(other, high));
        if (!low || !high || Byte(*low) > Byte(*high)) return Wrong("a span that ends before it begins");
        one = Span(*low, *high);
      }
      set |= one;
    }
    if (!Take(']')) return Wrong("[ without ]");
    set = WithoutCase(set);
    into_.sets_.push_back(inverted ? ~set : set);
    Append({Kind::kCharacters, 0, 0, static_cast<uint32_t>(into_.sets_.size() - 1)});
    return OkStatus();
  }

  // One member of a set; `only` is its character, nullopt when it is a class.
  Status Member(Characters& set, std::optional<char>& only) {
    if (!Take('\\')) {
      set = Span(Peek(), Peek());
      ++at_;
      return OkStatus();
    }
    if (AtEnd()) return Wrong("\\ at the end");
    if (Take('b')) {
      set = Span('\b', '\b');
      only = '\b';
      return OkStatus();
    }
    WARPSIGHT_RETURN_IF_ERROR(EscapedSet(set));
    only = std::nullopt;
    if (set.count() != 1) return OkStatus();
    size_t c = 0;
    while (!set.test(c)) ++c;
    only = static_cast<char>(c);
    return OkStatus();
  }

  std::string_view pattern_;
  NamePattern& into_;
  size_t at_ = 0;
};

Result<NamePattern> NamePattern::Parse(std::string_view pattern) {
  NamePattern parsed;
  WARPSIGHT_RETURN_IF_ERROR(PatternParser(pattern, parsed).Parse());
  parsed.seen_at_.assign(parsed.states_.size(), 0);
  return parsed;
}

// Adds all states that wait for a character and can be reached from `state` without one.
void NamePattern::Follow(uint32_t first, std::string_view text, size_t at) {
  to_follow_.push_back(first);
  while (!to_follow_.empty()) {
    const uint32_t number = to_follow_.back();
    to_follow_.pop_back();
    if (seen_at_[number] == at + 1) continue;
    ++steps_;
    seen_at_[number] = at + 1;
    const State& state = states_[number];
    const auto border = [&] {
      const bool before = at > 0 && IsWord(text[at - 1]);
      const bool after = at < text.size() && IsWord(text[at]);
      return before != after;
    };
    switch (state.kind) {
      case StateKind::kCharacters:
        then_.push_back(number);
        break;
      case StateKind::kSplit:
        to_follow_.push_back(state.other);
        to_follow_.push_back(state.next);
        break;
      case StateKind::kJump:
        to_follow_.push_back(state.next);
        break;
      case StateKind::kLineStart:
        if (at == 0) to_follow_.push_back(state.next);
        break;
      case StateKind::kLineEnd:
        if (at == text.size()) to_follow_.push_back(state.next);
        break;
      case StateKind::kWordBorder:
        if (border()) to_follow_.push_back(state.next);
        break;
      case StateKind::kNoWordBorder:
        if (!border()) to_follow_.push_back(state.next);
        break;
      case StateKind::kMatch:
        matched_ = true;
        break;
    }
  }
}

bool NamePattern::IsIn(std::string_view text) {
  std::fill(seen_at_.begin(), seen_at_.end(), 0);
  matched_ = false;
  now_.clear();
  for (size_t at = 0; at <= text.size() && !matched_; ++at) {
    then_.clear();
    // What the character before led to, and a match that begins here.
    for (const uint32_t number : now_) {
      if (sets_[states_[number].characters].test(Byte(text[at - 1]))) Follow(states_[number].next, text, at);
    }
    Follow(0, text, at);
    std::swap(now_, then_);
  }
  return matched_;
}

}  // namespace warpsight::server
