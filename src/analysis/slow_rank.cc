#include "analysis/slow_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/idle_pass.h"
#include "analysis/thresholds.h"
#include "base/rounded_ns.h"
#include "document/units.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

constexpr size_t kMostHostNames = 3;

using HostTimes = std::map<std::string, double, std::less<>>;  // ns per step by name

// Idle time that the host caused, by the innermost event open on the launching thread.
HostTimes HostTimesOf(const RankRow& row) {
  HostTimes times;
  const RankSteps& steps = *row.steps;
  const Interval span{steps.windows.front().start, steps.windows.back().end};
  Analysis narrower(row.analysis->trace(), {span, steps.device});
  const bool whole =
      span == row.analysis->window() && row.analysis->selection().device.value_or(steps.device) == steps.device;
  const Result<IdleResult>& idle = (whole ? *row.analysis : narrower).Get<IdlePass>();
  if (!idle.ok()) return times;
  for (const IdleDevice& device : idle->devices) {
    if (device.device != steps.device) continue;
    for (const IdleClass kind : {IdleClass::kSync, IdleClass::kRoundTrip, IdleClass::kHostWork, IdleClass::kLaunch}) {
      for (const HostTime& host : device.host_by_class[static_cast<size_t>(kind)]) {
        std::string_view name = row.analysis->trace().Text(host.name);
        // Steps are one place, whatever their number; so is time in no event at all.
        if (name.empty() || IsProfilerStep(name)) name = "Python code outside of any op";
        times[std::string(name)] += static_cast<double>(host.time_ns) / static_cast<double>(steps.steps);
      }
    }
  }
  return times;
}

// Mean over the other ranks of a per-step time.
template <typename Value>
double OthersMean(const RanksResult& result, size_t slow, const Value& value) {
  double sum = 0;
  int64_t count = 0;
  for (size_t i = 0; i < result.rows.size(); ++i) {
    if (i == slow || !result.rows[i].steps) continue;
    sum += value(result.rows[i]);
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double PerStep(const RankSteps& steps, Ns sum) { return static_cast<double>(sum) / static_cast<double>(steps.steps); }

std::string Duration(double ns) { return FormatDuration(RoundedNs(ns)); }

void AddCompute(const RanksResult& result, SlowRank& slow, double least) {
  const RankSteps& steps = *result.rows[slow.row].steps;
  const double own = PerStep(steps, steps.compute_ns);
  const double others =
      OthersMean(result, slow.row, [](const RankRow& row) { return PerStep(*row.steps, row.steps->compute_ns); });
  slow.compute_longer_ns = RoundedNs(std::max(0.0, own - others));
  if (own - others < least) return;
  slow.causes.push_back(fmt::format("its GPU computes {} a step longer: {} against {}", Duration(own - others),
                                    Duration(own), Duration(others)));
}

// The events in which its host spends more of the GPU's idle time than the others' hosts do.
std::string LongerHostTimes(const RanksResult& result, const SlowRank& slow, double least) {
  std::vector<std::pair<double, std::string>> longer;
  std::vector<HostTimes> times;
  for (const RankRow& row : result.rows) times.push_back(row.steps ? HostTimesOf(row) : HostTimes{});
  for (const auto& host_time : times[slow.row]) {
    const std::string& name = host_time.first;
    const double own = host_time.second;
    const double others = OthersMean(result, slow.row, [&](const RankRow& row) {
      const HostTimes& of_row = times[static_cast<size_t>(&row - result.rows.data())];
      const auto found = of_row.find(name);
      return found == of_row.end() ? 0.0 : found->second;
    });
    if (own - others >= least) longer.emplace_back(own - others, name);
  }
  std::sort(longer.rbegin(), longer.rend());
  std::string text;
  for (size_t i = 0; i < std::min(kMostHostNames, longer.size()); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", longer[i].second, Duration(longer[i].first));
  return text;
}

void AddIdle(const RanksResult& result, SlowRank& slow, double least) {
  const RankSteps& steps = *result.rows[slow.row].steps;
  const double own = PerStep(steps, steps.idle_ns);
  const double others =
      OthersMean(result, slow.row, [](const RankRow& row) { return PerStep(*row.steps, row.steps->idle_ns); });
  slow.idle_longer_ns = RoundedNs(std::max(0.0, own - others));
  if (own - others < least) return;
  slow.causes.push_back(fmt::format("its GPU is idle {} a step longer ({} against {}): its host launches later",
                                    Duration(own - others), Duration(own), Duration(others)));
  const std::string names = LongerHostTimes(result, slow, ThresholdShare("slow_rank_host_share") * (own - others));
  if (!names.empty()) slow.causes.push_back("its host spends longer a step in: " + names);
}

}  // namespace

void FindSlowRank(RanksResult& result) {
  size_t slowest = result.rows.size();
  Ns all = 0;
  for (size_t i = 0; i < result.rows.size(); ++i) {
    if (!result.rows[i].waits) continue;
    all = SaturatingAdd(all, result.rows[i].waits->caused_wait_ns);
    if (slowest == result.rows.size() || result.rows[i].waits->caused_wait_ns > result.rows[slowest].waits->caused_wait_ns)
      slowest = i;
  }
  if (slowest == result.rows.size()) {
    result.no_slow_rank = "not evaluated: no collectives of different ranks could be matched";
    return;
  }
  const RankRow& row = result.rows[slowest];
  const RankSteps& steps = *row.steps;
  SlowRank slow;
  slow.row = slowest;
  slow.wait_ns = steps.PerStep(row.waits->caused_wait_ns);
  slow.exposed_wait_ns = steps.PerStep(row.waits->caused_exposed_wait_ns);
  slow.share = all == 0 ? 0 : static_cast<double>(row.waits->caused_wait_ns) / static_cast<double>(all);
  slow.last = row.waits->last;
  slow.collectives = row.waits->collectives;
  const double wait_share =
      static_cast<double>(slow.wait_ns) / static_cast<double>(std::max<Ns>(1, steps.PerStep(steps.wall_ns)));
  if (wait_share < ThresholdShare("finding_least_share")) {
    result.no_slow_rank = fmt::format("no rank is slow: the ranks wait {} {} for one another", Duration(PerStep(steps, all)),
                                      steps.has_steps ? "a step" : "in the window");
    return;
  }
  if (slow.share < ThresholdShare("slow_rank_share")) {
    result.no_slow_rank = fmt::format("the ranks wait for one another in turn: rank {} causes most of it, {}", row.rank,
                                      FormatShare(slow.share));
    return;
  }
  const double least = ThresholdShare("slow_rank_cause") * static_cast<double>(slow.wait_ns);
  AddCompute(result, slow, least);
  AddIdle(result, slow, least);
  result.slow = std::move(slow);
}

}  // namespace warpsight
