// Triage: what is wrong with one kernel, from its counters alone: a verdict in words and at most five findings.
//
// Place in the flow: CounterReport + data/counter_triage.toml -> typed result -> documents. Gains are upper bounds, as
// shares of the kernel's time or of one part of it; the two are kept apart and never compared. A rule whose metrics the
// report lacks is "not evaluated", with the reason; it is never taken for healthy. Errors: none. Threads: pure function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

struct TriageFinding {
  std::string id;
  std::string stage;  // of reading: measurement, launch, unit, memory, stalls
  std::string title;
  std::vector<std::string> evidence;
  std::string advice;
  std::optional<double> gain_share;  // 0..1
  bool of_whole_kernel = false;      // what gain_share is a share of: the kernel's time, or one part of it
  Severity severity = Severity::kInfo;
  std::vector<std::string> metrics;  // that it was judged by
};

struct UnevaluatedRule {
  std::string id;
  std::string reason;
};

struct Triage {
  std::string verdict_id;               // "memory_bound"; empty when nothing could be judged
  std::string verdict;                  // with the title of the first finding
  std::string in_short;                 // of the verdict: "pipe XU 97 %"; empty when nothing could be judged
  std::vector<TriageFinding> findings;  // of the whole kernel first, each group by gain; at most five
  int64_t further_findings = 0;         // left out
  std::vector<UnevaluatedRule> not_evaluated;

  // The verdict in a few words, without the finding.
  std::string Brief() const;
};

Triage TriageKernel(const CounterReport& report, const ProfiledKernel& kernel);

}  // namespace warpsight
