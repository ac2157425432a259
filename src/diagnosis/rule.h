// Rules: patterns that a performance engineer recognises, each with evidence, advice and what it would gain.
//
// A rule is one file in diagnosis/rules/ and one line in rules.cc. It asks passes for typed results, and appends a Finding
// when its pattern is there. A rule whose needs the trace does not meet is reported as "not evaluated: reason", never as
// absent.
// A gain is computed from the trace, never guessed: the finding *claims* the device's time that the fix would take away, by
// class of idle time and by row of GPU work, and the ledger (gain_ledger.h) grants every nanosecond once. So gains are
// bounded by the step, and their sum is too. Rules stand in the list in the order in which they are granted: the special
// before the general. Two threads run them, on an Analysis each: a rule knows only its own findings and keeps no state.
// Units: ns; claims are sums over all steps of the frame, gains are per step (or of the window when there are no steps).
// Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/idle_classes.h"
#include "analysis/pass.h"
#include "analysis/recorder_advice.h"
#include "document/document.h"

namespace warpsight {

// The time of the judged device that a fix would take away, over all steps.
struct Claims {
  struct Row {
    uint32_t gpu_row = kNoRow;
    Ns time_ns = 0;  // of the row's own time (FrameWork::own_ns)
  };
  IdleParts idle = {};
  std::vector<Row> rows;

  void Add(uint32_t gpu_row, Ns time_ns) { rows.push_back({gpu_row, time_ns}); }
  Ns total_ns() const;
};

struct Finding {
  std::string id;
  std::string title;
  Severity severity = Severity::kInfo;  // with claims: set from the granted gain
  std::vector<std::string> evidence;    // one sentence a line, with numbers
  std::optional<Ns> gain_ns;            // per step; with claims: set from what is granted. Absent when it can't be computed
  std::string advice;
  Claims claims;
  Ns least_ns = 0;  // with claims: granted less than this, over all steps, the finding is not made
};

struct Rule {
  std::string_view id;
  std::string_view asks;  // the question it answers
  Needs needs = Needs::kNothing;
  void (*run)(Analysis& analysis, std::vector<Finding>& findings);
  // What else the rule lacks in this recording: a status that is not OK is its reason for "not evaluated". May be null.
  Status (*lacks)(Analysis& analysis) = nullptr;
};

// The one list.
std::span<const Rule> AllRules();

Status LacksRanks(Analysis& analysis);
void RunSlowRank(Analysis& analysis, std::vector<Finding>& findings);
void RunAllocatorTraffic(Analysis& analysis, std::vector<Finding>& findings);
void RunDataLoading(Analysis& analysis, std::vector<Finding>& findings);
void RunBlockingCopies(Analysis& analysis, std::vector<Finding>& findings);
void RunSynchronisation(Analysis& analysis, std::vector<Finding>& findings);
void RunRoundTrip(Analysis& analysis, std::vector<Finding>& findings);
void RunDeviceWait(Analysis& analysis, std::vector<Finding>& findings);
void RunSerialDispatch(Analysis& analysis, std::vector<Finding>& findings);
void RunOptimizer(Analysis& analysis, std::vector<Finding>& findings);
void RunUnfusedAttention(Analysis& analysis, std::vector<Finding>& findings);
void RunUnfusedNorm(Analysis& analysis, std::vector<Finding>& findings);
void RunCatKvCache(Analysis& analysis, std::vector<Finding>& findings);
void RunTensorCoresUnused(Analysis& analysis, std::vector<Finding>& findings);
void RunWideTypes(Analysis& analysis, std::vector<Finding>& findings);
void RunOneStream(Analysis& analysis, std::vector<Finding>& findings);
void RunExposedCollectives(Analysis& analysis, std::vector<Finding>& findings);
void RunElementwiseFusion(Analysis& analysis, std::vector<Finding>& findings);
void RunSmallKernels(Analysis& analysis, std::vector<Finding>& findings);
Status LacksClocks(Analysis& analysis);
void RunClocks(Analysis& analysis, std::vector<Finding>& findings);

}  // namespace warpsight
