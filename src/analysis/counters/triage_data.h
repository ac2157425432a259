// data/counter_triage.toml, parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/formula.h"

namespace warpsight {

struct TriageLimit {
  std::string id;
  double value = 0;
  std::string source;
  std::string meaning;
};

// A named value: of its alternatives the first whose conditions hold. Absent when none does.
struct TriageValue {
  struct Alternative {
    std::vector<Comparison> when;  // empty = always
    Formula formula;
  };
  std::string id;
  std::vector<Alternative> alternatives;

  // The names in its formulas and conditions, in order of appearance; a name can come twice.
  std::vector<std::string> names() const;
};

struct TriageText {
  std::string id;
  std::vector<Comparison> when;  // empty = always
  std::string text;
  std::string in_short;    // of verdicts: for a cell of a table
  bool with_next = false;  // of verdicts: followed by the next one that holds
};

// Metrics that cannot be above `most`: one of them that is shows a measurement that is not to be trusted.
struct TriagePercentage {
  std::vector<std::string> names;  // patterns
  double most = 100;
};

// A condition that lowers the severity of a finding to low, and gives its reason as evidence.
struct TriageMinor {
  std::vector<Comparison> when;
  std::string reason;
};

// What the fix of a finding is about.
struct TriageKind {
  std::string id;
  std::optional<Formula> most_gain;  // no finding of this kind can gain more
  std::vector<TriageMinor> minor;
};

struct TriageNode {
  std::string id;
  std::string stage;
  std::string kind;  // TriageData::kinds
  std::vector<Comparison> when;
  std::vector<Comparison> not_evaluated_when;
  std::string not_evaluated;  // the reason
  std::string needs;          // what stands beside the counters: "timeline", "lines"; empty = nothing
  std::string lacking;        // the reason when a condition can't be judged; empty = the metrics are named
  std::string title;
  std::vector<std::string> evidence;
  std::string advice;
  std::optional<Formula> gain;  // share of the time
  bool of_whole_kernel = false;
  std::string severity;                 // "low": always; empty = by the gain
  std::vector<Comparison> severe_when;  // not empty: without it the severity is medium at most
  std::vector<TriageMinor> minor;
};

struct TriageData {
  std::vector<TriageLimit> limits;
  std::vector<TriagePercentage> percentages;
  std::vector<TriageValue> values;
  std::vector<TriageText> texts;
  std::vector<TriageText> verdicts;
  std::vector<TriageKind> kinds;
  std::vector<TriageNode> nodes;

  const TriageValue* FindValue(std::string_view name) const;
  const TriageLimit* FindLimit(std::string_view id) const;
  const TriageKind& KindOf(const TriageNode& node) const;
};

// Parsed once; thread-safe.
const TriageData& CounterTriageData();

}  // namespace warpsight
