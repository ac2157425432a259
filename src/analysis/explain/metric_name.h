// ParseMetricName: what the parts of a hardware counter's name mean, by the grammar of Nsight Compute's names:
//
//   unit "__" counter qualifiers { "." rollup } { "." submetric }
//   l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum.per_second
//
// Place in the flow: a term -> this (data/explain_metric_words.toml, data/explain_metrics.toml) -> explain.h. A part that
// the data does not know is there all the same, and says so: names are never guessed. Errors: none; what is no such name
// gives nothing. Threads: the data is read once; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

enum class MetricPartRole : uint8_t { kPrefix, kUnit, kWord, kRollup, kSubmetric };
std::string_view MetricPartRoleName(MetricPartRole role);  // "unit", ...

struct MetricPart {
  MetricPartRole role = MetricPartRole::kWord;
  std::string text;     // "op_ld", ".sum"
  std::string meaning;  // empty = not known
  bool is_known() const { return !meaning.empty(); }
};

// Counters of one kind: a row of data/explain_metrics.toml.
struct MetricFamily {
  std::vector<std::string> names;  // patterns of the name up to its first dot
  bool is_plain = false;           // the words are a fact's name in plain English
  std::string title;
  std::string what;
  std::string healthy;
  std::string misleads;
  std::string next;
  std::vector<std::string> see;
};

struct MetricName {
  std::string name;    // in lower case
  std::string base;    // up to the first dot, without what a sampler or breakdown puts before it
  std::string stall;   // id of the stall reason in it; empty = none
  std::string ending;  // behind the first dot; may be empty
  std::vector<MetricPart> parts;
  const MetricFamily* family = nullptr;  // null when no row has the name

  bool is_known() const;  // all parts and the family are
};

std::optional<MetricName> ParseMetricName(std::string_view text);

const std::vector<MetricFamily>& AllMetricFamilies();

// Every metric that the data files judge or show, once: what a list of known metrics holds.
const std::vector<std::string>& AllKnownMetrics();

}  // namespace warpsight
