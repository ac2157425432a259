// data/counter_triage.toml, parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counters/formula.h"

namespace warpsight {

struct TriageLimit {
  std::string id;
  double value = 0;
  std::string source;
  std::string meaning;
};

struct TriageText {
  std::string id;
  std::vector<Comparison> when;  // empty = always
  std::string text;
  std::string in_short;  // of verdicts: for a cell of a table
};

struct TriageNode {
  std::string id;
  std::string stage;
  std::vector<Comparison> when;
  std::vector<Comparison> not_evaluated_when;
  std::string not_evaluated;  // the reason
  std::string title;
  std::vector<std::string> evidence;
  std::string advice;
  std::optional<Formula> gain;  // share of the time
  bool of_whole_kernel = false;
  // Any of them lowers the severity to low, and gives its reason as evidence.
  struct Minor {
    std::vector<Comparison> when;
    std::string reason;
  };
  std::vector<Minor> minor;
};

struct TriageData {
  std::vector<TriageLimit> limits;
  std::vector<std::pair<std::string, Formula>> values;
  std::vector<TriageText> texts;
  std::vector<TriageText> verdicts;
  std::vector<TriageNode> nodes;

  const Formula* FindValue(std::string_view name) const;
  const TriageLimit* FindLimit(std::string_view id) const;
};

// Parsed once; thread-safe.
const TriageData& CounterTriageData();

}  // namespace warpsight
