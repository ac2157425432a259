// TriageValues: what the names of data/counter_triage.toml are for one kernel: numbers, words, and texts that quote them.
//
// Place in the flow: CounterReport + triage data -> triage. Errors: none; what is absent stays absent. Threads: one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/triage.h"
#include "analysis/counters/triage_data.h"
#include "counters/counter_report.h"
#include "counters/formula.h"

namespace warpsight {

class TriageValues {
 public:
  // All must outlive it.
  TriageValues(const TriageData& data, const CounterReport& report, const ProfiledKernel& kernel, const TriageGiven& given);

  // A limit, a value of the data, a metric, or a fact of these: top_stall_share, stall_<reason>, largest_share (of the
  // percentages that cannot be above 100), capability, fp32_lanes, fp64_lanes, special_lanes, is_gemm, unprofiled_ns,
  // hot_line_share.
  std::optional<double> Number(std::string_view name, std::string_view key = {}) const;
  FormulaLookup lookup() const;

  // Whether all conditions hold: false as soon as one does not, nothing when none fails but one is absent.
  std::optional<bool> Hold(const std::vector<Comparison>& conditions) const;
  // `text` with {name}, {name:share}, ... filled in; nothing when one of them is absent.
  std::optional<std::string> Fill(std::string_view text) const;

  // The metrics that conditions rest on, in order of appearance; only those missing when `missing_only`.
  std::vector<std::string> MetricsOf(const std::vector<Comparison>& conditions, bool missing_only) const;

 private:
  void AddStalls();
  void AddLargestPercentage();
  void AddDevice();
  void AddGiven(const TriageGiven& given);
  std::optional<std::string> Word(std::string_view name) const;
  std::optional<std::string> Quote(std::string_view placeholder) const;
  void CollectMetrics(const std::string& name, bool missing_only, std::vector<std::string>& metrics) const;

  const TriageData& data_;
  const CounterReport& report_;
  const ProfiledKernel& kernel_;
  FormulaLookup metrics_;
  std::map<std::string, double, std::less<>> numbers_;  // computed from more than one metric
  std::map<std::string, std::string, std::less<>> words_;
  std::map<std::string, std::string, std::less<>> metric_of_fact_;
  mutable std::map<std::string, std::optional<double>, std::less<>> known_;
};

}  // namespace warpsight
