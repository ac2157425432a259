// JsonCursor: a small forward reader over whole, valid JSON text, for the benchmark tools.
//
// It hands out the raw text of values (strings with their quotes) and never unescapes or converts, which is what rewriting a
// file in place needs. After the first fault ok() is false and every call does nothing. One thread.
#pragma once

#include <cstring>
#include <string_view>

namespace warpsight::bench {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool ok() const { return ok_; }
  const char* position() const { return at_; }

  // Steps over white space and `c` when that comes next.
  bool Accept(char c) {
    SkipSpace();
    if (!ok_ || at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  // Inside an object: the next key without its quotes, with the cursor before the value. False at the closing brace.
  bool NextKey(bool first, std::string_view* key) {
    if (Accept('}')) return false;
    if (!first && !Accept(',')) return Fail();
    SkipSpace();
    const std::string_view quoted = SkipValue();
    if (quoted.size() < 2 || quoted[0] != '"' || !Accept(':')) return Fail();
    *key = quoted.substr(1, quoted.size() - 2);
    return true;
  }

  // The raw text of the next value.
  std::string_view SkipValue() {
    SkipSpace();
    const char* begin = at_;
    if (!ok_ || at_ == end_) {
      Fail();
    } else if (*at_ == '"') {
      SkipString();
    } else if (*at_ == '{' || *at_ == '[') {
      SkipNested();
    } else {
      while (at_ != end_ && std::strchr(",]} \t\r\n", *at_) == nullptr) ++at_;
      if (at_ == begin) Fail();
    }
    return {begin, static_cast<size_t>(at_ - begin)};
  }

 private:
  bool Fail() {
    ok_ = false;
    return false;
  }
  void SkipSpace() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  void SkipString() {
    for (++at_; at_ != end_; ++at_) {
      if (*at_ == '\\' && at_ + 1 != end_) {
        ++at_;
      } else if (*at_ == '"') {
        ++at_;
        return;
      }
    }
    Fail();
  }
  void SkipNested() {
    int depth = 0;
    while (at_ != end_ && ok_) {
      if (*at_ == '"') {
        SkipString();
        continue;
      }
      if (*at_ == '{' || *at_ == '[') ++depth;
      if ((*at_ == '}' || *at_ == ']') && --depth == 0) {
        ++at_;
        return;
      }
      ++at_;
    }
    Fail();
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace warpsight::bench
