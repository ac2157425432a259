// TermText: what is said of one term: a stall reason, a finding, a threshold, a glossary word, ...
//
// Place in the flow: data/explain_*.toml, each entry completed by the row that it is about (a threshold's value, a stall's
// meaning) -> term_table.h -> explain.h -> `warpsight explain`, and the page of a report. Entries hold only what their rows
// do not say. Errors: an entry about a row that is not there is our bug (CHECK). Threads: the data is read once;
// thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// In the order in which terms of one name are shown.
enum class TermGroup : uint8_t {
  kStall,
  kFinding,
  kCounterFinding,
  kVerdict,
  kLint,
  kIdleClass,
  kWord,
  kPart,
  kSection,
  kThreshold,
  kLimit,
  kWhatIf,
  kCause,
  kStats,
};
inline constexpr int kTermGroupCount = static_cast<int>(TermGroup::kStats) + 1;

struct TermGroupInfo {
  std::string_view key;      // its table in the data files, and the word that may stand before a term: "finding sync"
  std::string_view kind;     // of the JSON contract: "stall", "finding", "lint", "threshold", "glossary"
  std::string_view label;    // "stall reason"
  std::string_view heading;  // of the list
};
const TermGroupInfo& InfoOf(TermGroup group);

struct TermText {
  TermGroup group = TermGroup::kWord;
  std::string id;  // "long_scoreboard"; of a glossary word as it is written: "KV cache"
  std::string title;
  std::string what;
  std::string unit;      // these may be empty
  std::string healthy;   // the value to wish for
  std::string misleads;  // when it does not mean what it seems to
  std::string next;      // what to do
  std::vector<std::string> see;
  std::vector<std::string> also;  // other spellings
};

// All of them, by group, and in each by id.
const std::vector<TermText>& AllTerms();

// Null when there is none.
const TermText* FindTerm(TermGroup group, std::string_view id);

}  // namespace warpsight
