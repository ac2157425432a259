// Triage: what is wrong with one kernel, from its counters alone: a verdict in words and at most five findings.
//
// Place in the flow: CounterReport + data/counter_triage.toml -> typed result -> documents. Gains are upper bounds, as
// shares of the kernel's time or of one part of it; the two are kept apart and never compared. A rule whose metrics the
// report lacks is "not evaluated", with the reason; it is never taken for healthy. Errors: none. Threads: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

// The source line with most of the samples.
struct HotLine {
  std::string place;  // "kernels.cu:9"
  double share = 0;   // of all samples of the kernel
  std::string wait;   // what its warps wait for most, in plain words; empty when that is not known
};

// What is known of the kernel beside its counters. Absent: not known, and the rules that need it are not evaluated.
struct TriageGiven {
  std::optional<double> unprofiled_ns = std::nullopt;  // mean duration where the program ran without this profiler
  std::optional<HotLine> hot_line = std::nullopt;
  std::string no_hot_line = {};  // why there is none
};

struct TriageFinding {
  std::string id;
  std::string stage;  // of reading: measurement, launch, unit, memory, stalls, lines
  std::string title;
  std::vector<std::string> evidence;
  std::string advice;
  std::optional<double> gain_share;  // 0..1
  bool of_whole_kernel = false;      // what gain_share is a share of: the kernel's time, or one part of it
  Severity severity = Severity::kInfo;
  std::vector<std::string> metrics;  // that it was judged by

  // In the recorder's words: "est. speedup up to 61.3 %" of the kernel's time, "est. local speedup up to ..." of one part of
  // it; empty without a gain.
  std::string GainText() const;
};

// Under findings that are not in the order of their severity.
inline constexpr std::string_view kOrderOfFindings =
    "Order: what bounds the time of the whole kernel (est. speedup), then what bounds one part of it (est. local speedup); "
    "in each what qualifies the rest, then the largest.";

struct UnevaluatedRule {
  std::string id;
  std::string reason;
  bool lacks_metrics = true;  // false: what is missing is no metric
};

struct Triage {
  std::string verdict_id;               // "memory_bound"; empty when nothing could be judged
  std::string brief;                    // the verdict alone
  std::string verdict;                  // with the title of the first finding
  std::string in_short;                 // of the verdict: "pipe XU 97 %"; empty when nothing could be judged
  std::vector<TriageFinding> findings;  // of the whole kernel first, each group by severity and gain; at most five
  int64_t further_findings = 0;         // left out
  std::vector<UnevaluatedRule> not_evaluated;

  // Whether no finding is more severe than one before it.
  bool has_severity_order() const;
  // The finding that the verdict names: the first, unless that is but a place in the source. Null: none.
  const TriageFinding* headline() const;
};

Triage TriageKernel(const CounterReport& report, const ProfiledKernel& kernel, const TriageGiven& given = {});

}  // namespace warpsight
