// Rules: patterns that a performance engineer recognises, each with evidence, advice and what it would gain.
//
// A rule is one file in diagnosis/rules/ and one line in rules.cc. It asks passes for typed results, and appends a Finding
// when its pattern is there. A rule whose needs the trace does not meet is reported as "not evaluated: reason", never as
// absent. Gains: ns per step (or of the window when there are no steps) on the device concerned, computed from the trace and
// bounded by it. The idle rules share out idle time by class, so their gains can be added. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

struct Finding {
  std::string id;
  std::string title;
  Severity severity = Severity::kInfo;
  std::vector<std::string> evidence;  // one sentence a line, with numbers
  std::optional<Ns> gain_ns;          // per step; absent when it can't be computed from the trace
  std::string advice;
};

struct Rule {
  std::string_view id;
  std::string_view asks;  // the question it answers
  Needs needs = Needs::kNothing;
  void (*run)(Analysis& analysis, std::vector<Finding>& findings);
};

// The one list.
std::span<const Rule> AllRules();

void RunSerialDispatch(Analysis& analysis, std::vector<Finding>& findings);
void RunSynchronisation(Analysis& analysis, std::vector<Finding>& findings);
void RunRoundTrip(Analysis& analysis, std::vector<Finding>& findings);
void RunDeviceWait(Analysis& analysis, std::vector<Finding>& findings);
void RunSmallKernels(Analysis& analysis, std::vector<Finding>& findings);
void RunExposedCollectives(Analysis& analysis, std::vector<Finding>& findings);
void RunSlowRank(Analysis& analysis, std::vector<Finding>& findings);

}  // namespace warpsight
