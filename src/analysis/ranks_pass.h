// RanksPass: several ranks of one run against one another: who waits for whom, and for how long.
//
// A collective's time on a rank = wait (until the last rank has come) + transfer. Transfer is the shortest time of the call
// over the ranks given, since the last to come waits least; wait is the rest. Both come from durations alone and need no
// common clock. Where ranks of the group are missing, transfer is an upper and wait a lower bound.
// Times on different ranks are compared only after their clocks are aligned on collective ends (rank_clocks.h); where that
// is refused, arrival times are absent. Place in the flow: Given::ranks -> passes of every rank -> this -> ranks section of
// the report, straggler rule. Units: ns; sums over the rank's steps (the window when it has none), `steps` to divide by.
// Errors: kLacks with one rank. Threads: one thread asks; the ranks' own passes run beside one another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/collectives_pass.h"
#include "analysis/pass.h"
#include "analysis/rank_clocks.h"
#include "analysis/rank_matching.h"
#include "analysis/rank_set.h"

namespace warpsight {

// What a rank's device did in its steps.
struct RankSteps {
  int32_t device = 0;
  bool has_steps = false;  // else the window is taken as one
  int64_t steps = 1;
  Ns wall_ns = 0;
  Ns busy_ns = 0;
  Ns compute_ns = 0;  // busy with anything but collectives
  Ns idle_ns = 0;
  Ns exposed_collective_ns = 0;  // wall = compute + exposed + idle
  std::vector<Interval> windows;

  Ns PerStep(Ns sum) const { return sum / steps; }
};

// A rank's share in the matched collectives that its steps launched.
struct RankWaits {
  int64_t collectives = 0;
  Ns collective_ns = 0;  // = wait + transfer
  Ns wait_ns = 0;
  Ns exposed_wait_ns = 0;  // the part of the wait in which nothing else ran on the device
  Ns transfer_ns = 0;
  int64_t last = 0;       // times it came last
  Ns caused_wait_ns = 0;  // mean wait of the others where it came last
  Ns caused_exposed_wait_ns = 0;
  std::optional<Ns> late_median_ns;  // arrival after the first rank, on aligned clocks
};

struct RankRow {
  int32_t rank = 0;
  std::string file;
  std::optional<RankSteps> steps;    // absent without GPU work
  std::optional<RankWaits> waits;    // absent when nothing was matched
  std::optional<ClockOffset> clock;  // against the first file; absent for that one
  Analysis* analysis = nullptr;      // of the selected part
  // Of the whole recording: calls are matched and clocks aligned on all of it, whatever part is selected.
  std::shared_ptr<Analysis> whole;

  const CollectivesResult& collectives() const { return *whole->Get<CollectivesPass>(); }
};

// The rank that the others wait for. Times are per step.
struct SlowRank {
  size_t row = 0;
  Ns wait_ns = 0;  // mean wait of the others for it
  Ns exposed_wait_ns = 0;
  double share = 0;  // of all waiting
  int64_t last = 0;  // times it came last, of `collectives`
  int64_t collectives = 0;
  // How much longer than the mean of the others it computes and is idle; 0 when it is not longer.
  Ns compute_longer_ns = 0;
  Ns idle_longer_ns = 0;
  std::vector<std::string> causes;  // a sentence each; empty = not to be seen in the recordings
};

// A wait of the main rank in one of its collectives.
struct MainWait {
  uint32_t gpu_row = 0;
  size_t cause = 0;  // row of the rank that came last
  Ns exposed_wait_ns = 0;
};

// One kind of matched collective, over the ranks.
struct RankCollective {
  const CollectiveRow* row = nullptr;  // of the first member
  std::string group;
  int64_t calls = 0;
  Ns transfer_ns = 0;
  std::vector<std::optional<Ns>> wait_ns;  // by rank row; absent for ranks outside of the group

  // Of the mean transfer.
  std::optional<double> BusBytesPerSecond() const;
};

struct RanksResult {
  std::optional<int32_t> world_size;
  bool ranks_recorded = true;
  std::vector<RankRow> rows;                // by rank
  size_t main = 0;                          // the row that the report is of
  RankMatching matching;                    // members are rows
  std::vector<RankCollective> collectives;  // longest transfer and wait first
  std::vector<MainWait> main_waits;
  bool clocks_comparable = false;  // aligned, all of them
  std::string clocks;              // what is known of the clocks, a sentence
  std::optional<SlowRank> slow;
  std::string no_slow_rank;  // why none is named
};

struct RanksPass {
  using Output = RanksResult;
  static constexpr std::string_view kName = "ranks";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
