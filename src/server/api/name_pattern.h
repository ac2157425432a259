// NamePattern: a regular expression whose matching takes time by its length times the text's, whatever both are.
//
// The part of ECMAScript that names need: characters, ., [a-z] and [^a-z], \d \w \s and their opposites, escapes, ^ and $,
// \b and \B, groups, |, * + ? {m} {m,} {m,n} (greedy or lazy: it is the same to "does it match"). No references back and no
// looking ahead: with them no bound on the time is known. Letters match without regard to case (ASCII). Matching steps
// through all states at once (Thompson), so no pattern can make it hang. Errors: kUsage that says where and why. Threads:
// one matcher a thread.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace warpsight::server {

inline constexpr size_t kMostPatternBytes = 200;

class NamePattern {
 public:
  static Result<NamePattern> Parse(std::string_view pattern);
  // Whether it matches anywhere in `text`.
  bool IsIn(std::string_view text);
  // States that were gone through so far: the work done.
  uint64_t steps() const { return steps_; }

  // What a state of the machine does.
  enum class StateKind : uint8_t { kCharacters, kSplit, kJump, kLineStart, kLineEnd, kWordBorder, kNoWordBorder, kMatch };
  using Characters = std::bitset<256>;
  struct State {
    StateKind kind = StateKind::kMatch;
    uint32_t next = 0;
    uint32_t other = 0;       // of a split
    uint32_t characters = 0;  // index of the set
  };

 private:
  friend class PatternParser;
  void Follow(uint32_t first, std::string_view text, size_t at);

  std::vector<State> states_;
  std::vector<Characters> sets_;
  std::vector<uint32_t> now_;
  std::vector<uint32_t> then_;
  std::vector<uint32_t> to_follow_;
  std::vector<size_t> seen_at_;  // by state: position + 1
  uint64_t steps_ = 0;
  bool matched_ = false;
};

}  // namespace warpsight::server
