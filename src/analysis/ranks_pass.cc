#include "analysis/ranks_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "analysis/collective_busy.h"
#include "analysis/gpu_busy.h"
#include "analysis/rank_waits.h"
#include "analysis/slow_rank.h"
#include "analysis/steps_pass.h"
#include "base/parallel.h"
#include "document/units.h"

namespace warpsight {
namespace {

// The device that a rank drives: the one with most collective time, else the busiest.
std::optional<int32_t> DeviceOf(Analysis& analysis) {
  std::optional<int32_t> device;
  Ns most = -1;
  const Result<CollectivesResult>& collectives = analysis.Get<CollectivesPass>();
  if (!collectives.ok()) return std::nullopt;
  for (const CollectiveTime& time : collectives->devices) {
    if (time.collective_ns > most) {
      most = time.collective_ns;
      device = time.device;
    }
  }
  if (device) return device;
  for (const DeviceBusy& busy : analysis.Get<GpuBusyPass>()->devices) {
    if (analysis.selection().device.value_or(busy.device()) != busy.device()) continue;
    if (const Ns time = busy.Busy(analysis.window()); time > most) {
      most = time;
      device = busy.device();
    }
  }
  return device;
}

std::optional<RankSteps> StepsOf(Analysis& analysis) {
  const std::optional<int32_t> device = DeviceOf(analysis);
  if (!device) return std::nullopt;
  RankSteps rank;
  rank.device = *device;
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (steps.ok()) {
    for (const StepWindow& step : steps->steps) rank.windows.push_back(step.time);
  }
  rank.has_steps = !rank.windows.empty();
  if (!rank.has_steps) rank.windows = {analysis.window()};
  rank.steps = static_cast<int64_t>(rank.windows.size());
  const DeviceBusy* busy = analysis.Get<GpuBusyPass>()->Find(*device);
  const CollectiveBusy* collectives = FindCollectiveBusy(*analysis.Get<CollectiveBusyPass>(), *device);
  for (const Interval window : rank.windows) {
    const Ns busy_ns = busy->Busy(window);
    const Ns compute_ns = collectives == nullptr ? busy_ns : collectives->others.Measure(window);
    rank.wall_ns = SaturatingAdd(rank.wall_ns, window.duration());
    rank.busy_ns = SaturatingAdd(rank.busy_ns, busy_ns);
    rank.compute_ns = SaturatingAdd(rank.compute_ns, compute_ns);
    rank.exposed_collective_ns = SaturatingAdd(rank.exposed_collective_ns, busy_ns - compute_ns);
    rank.idle_ns = SaturatingAdd(rank.idle_ns, window.duration() - busy_ns);
  }
  return rank;
}

// The rank's own Analysis where nothing is cut off, else one of all of it.
std::shared_ptr<Analysis> WholeOf(Analysis& analysis) {
  if (!analysis.selection().range) return {&analysis, [](Analysis*) {}};
  return std::make_shared<Analysis>(analysis.trace(), Selection{std::nullopt, analysis.selection().device});
}

// The passes of every rank, each on one thread.
std::vector<RankRow> MakeRows(const RankSet& set) {
  std::vector<RankRow> rows(set.members.size());
  std::atomic<size_t> next = 0;
  RunOnThreads(std::min(WorkerCount(0), static_cast<int>(rows.size())), [&](int) {
    for (size_t i = next++; i < rows.size(); i = next++) {
      rows[i].rank = set.members[i].rank;
      rows[i].analysis = set.members[i].analysis;
      rows[i].file = rows[i].analysis->trace().recording().file;
      rows[i].steps = StepsOf(*rows[i].analysis);
      rows[i].whole = WholeOf(*rows[i].analysis);
      (void)rows[i].whole->Get<CollectivesPass>();
    }
  });
  return rows;
}

RankCalls CallsOf(const RankRow& row) {
  RankCalls calls;
  calls.trace = &row.analysis->trace();
  const Result<CollectivesResult>& collectives = row.whole->Get<CollectivesPass>();
  if (collectives.ok()) calls.collectives = &*collectives;
  const Result<StepsResult>& steps = row.whole->Get<StepsPass>();
  if (steps.ok() && steps->source == StepSource::kProfilerStep) {
    for (const StepWindow& step : steps->steps) calls.step_numbers.push_back(step.index);
  }
  return calls;
}

// Ends of the matched collectives on `row` against those on the main rank, on absolute clocks.
std::vector<Ns> EndDifferences(const RanksResult& result, size_t row) {
  std::vector<Ns> differences;
  const auto end_of = [&](const MatchedGroup& group, size_t match, size_t member) {
    const RankRow& rank = result.rows[group.members[member]];
    const CollectiveCall& call = rank.collectives().calls[group.Call(match, member)];
    const Trace& trace = rank.analysis->trace();
    return SaturatingAdd(trace.gpu().end_ns[call.gpu_row], trace.recording().clock_base_ns);
  };
  for (const MatchedGroup& group : result.matching.groups) {
    const auto place = [&](size_t wanted) {
      return static_cast<size_t>(std::find(group.members.begin(), group.members.end(), wanted) - group.members.begin());
    };
    const size_t other = place(row);
    const size_t main = place(result.main);
    if (other == group.members.size() || main == group.members.size()) continue;
    for (size_t match = 0; match < group.matches(); ++match)
      differences.push_back(SaturatingSubtract(end_of(group, match, other), end_of(group, match, main)));
  }
  return differences;
}

bool SameClockBase(const RanksResult& result) {
  return std::all_of(result.rows.begin(), result.rows.end(), [&](const RankRow& row) {
    const RecordingInfo& info = row.analysis->trace().recording();
    const RecordingInfo& main = result.rows[result.main].analysis->trace().recording();
    return info.has_clock_base && main.has_clock_base && info.clock_base_ns == main.clock_base_ns;
  });
}

void AlignClocks(RanksResult& result) {
  result.clocks_comparable = true;
  Ns largest_offset = 0;
  Ns largest_error = 0;
  for (size_t i = 0; i < result.rows.size(); ++i) {
    if (i == result.main) continue;
    const ClockOffset& clock = result.rows[i].clock.emplace(EstimateOffset(EndDifferences(result, i)));
    if (!clock.usable() && result.clocks_comparable) {
      result.clocks_comparable = false;
      result.clocks = fmt::format("rank {}: {}", result.rows[i].rank, clock.problem);
    }
    const Ns distance = clock.offset_ns < 0 ? SaturatingSubtract(0, clock.offset_ns) : clock.offset_ns;
    largest_offset = std::max(largest_offset, distance);
    largest_error = std::max(largest_error, clock.error_ns);
  }
  if (!result.clocks_comparable) {
    result.clocks = fmt::format(
        "the ranks' clocks are not calibrated and cannot be aligned ({}): absolute times are not compared "
        "across ranks{}",
        result.clocks, result.matching.matched > 0 ? "; wait and transfer come from durations and do not need it" : "");
    return;
  }
  const bool agree = largest_offset <= std::max(largest_error, Ns{1000}) && SameClockBase(result);
  result.clocks = agree ? fmt::format("the ranks' clocks agree: ends of common collectives differ by {} (+- {})",
                                      FormatDuration(largest_offset), FormatDuration(largest_error))
                        : fmt::format(
                              "the ranks' clocks are off by up to {}: aligned on the ends of common collectives, to "
                              "+- {}",
                              FormatDuration(largest_offset), FormatDuration(largest_error));
}

}  // namespace

Result<RanksResult> RanksPass::Run(Analysis& analysis) {
  const RankSet* set = analysis.given().ranks;
  if (set == nullptr || set->members.size() < 2) {
    return LacksError("one rank is given: report RANK0 RANK1 ... tells the wait for other ranks from the transfer");
  }
  RanksResult result;
  result.ranks_recorded = set->ranks_recorded;
  result.rows = MakeRows(*set);
  const Analysis* main = result.rows.front().analysis;
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [](const RankRow& a, const RankRow& b) { return a.rank < b.rank; });
  std::vector<RankCalls> calls;
  for (size_t i = 0; i < result.rows.size(); ++i) {
    if (result.rows[i].analysis == main) result.main = i;
    const int32_t size = result.rows[i].analysis->trace().recording().world_size;
    if (size > 0) result.world_size = size;
    calls.push_back(CallsOf(result.rows[i]));
  }
  result.matching = MatchRanks(calls);
  AlignClocks(result);
  SumWaits(result);
  FindSlowRank(result);
  return result;
}

}  // namespace warpsight
