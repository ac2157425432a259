// Explain: what is known of a term, whatever it is: a metric, a stall reason, a finding, a threshold, a word, a kernel's
// name.
//
// Place in the flow: text of the user -> this -> explain_document.h. Case, spaces, '-', '_' and '/' do not matter. One name
// may mean several things ("round_trip" is an idle class and a finding): all are given, the likeliest first. A group's word
// before the term chooses one ("finding round_trip"). Metrics are taken by their grammar, kernels by the decoder, so neither
// needs to be in a list. Errors: a term that is nothing gives an empty answer. Threads: thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/explain/metric_name.h"
#include "analysis/explain/term_text.h"
#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {

struct Explanation {
  std::string term;   // as it is called here
  std::string kind;   // of the JSON contract: "metric", "stall", "finding", "lint", "threshold", "glossary", "kernel"
  std::string label;  // for people: "idle class"
  std::string title;
  std::string what;
  std::string unit;  // these may be empty
  std::string healthy;
  std::string misleads;
  std::string next;
  std::vector<std::string> see;
  std::optional<MetricName> metric;          // of a metric
  std::optional<DecodedKernelName> decoded;  // of a kernel whose name is read by a grammar
  std::string family;                        // of a kernel
};

std::vector<Explanation> Explain(std::string_view term);

// Up to `most` terms that may have been meant, the likeliest first.
std::vector<std::string> SimilarTerms(std::string_view term, size_t most = 5);

// The same among the metrics that are judged or shown.
std::vector<std::string> SimilarMetrics(std::string_view term, size_t most);

// What `text` is looked up by.
std::string TermKey(std::string_view text);

}  // namespace warpsight
