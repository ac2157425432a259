#include "analysis/rank_waits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "analysis/collective_busy.h"

namespace warpsight {
namespace {

// One matched collective seen on one rank.
struct Seen {
  size_t row = 0;
  const CollectiveCall* call = nullptr;
  Interval time;
  Ns wait_ns = 0;
  Ns exposed_wait_ns = 0;
};

bool LaunchedInSteps(const RankRow& row, uint32_t gpu_row) {
  const Trace& trace = row.analysis->trace();
  const uint32_t launch = trace.gpu().launch[gpu_row];
  const Ns at = launch == kNoRow ? trace.gpu().start_ns[gpu_row] : trace.host().start_ns[launch];
  const std::vector<Interval>& windows = row.steps->windows;
  const auto after = std::upper_bound(windows.begin(), windows.end(), at,
                                      [](Ns time, const Interval& window) { return time < window.start; });
  return after != windows.begin() && std::prev(after)->Contains(at);
}

class WaitSums {
 public:
  explicit WaitSums(RanksResult& result) : result_(result), arrivals_(result.rows.size()) {}

  void Run() {
    for (const MatchedGroup& group : result_.matching.groups) {
      for (size_t match = 0; match < group.matches(); ++match) Add(group, match);
    }
    std::sort(result_.collectives.begin(), result_.collectives.end(),
              [](const RankCollective& a, const RankCollective& b) { return TotalOf(a) > TotalOf(b); });
    if (!result_.clocks_comparable) return;
    for (size_t i = 0; i < result_.rows.size(); ++i) {
      if (!result_.rows[i].waits || arrivals_[i].empty()) continue;
      const auto middle = arrivals_[i].begin() + static_cast<std::ptrdiff_t>(arrivals_[i].size() / 2);
      std::nth_element(arrivals_[i].begin(), middle, arrivals_[i].end());
      result_.rows[i].waits->late_median_ns = *middle;
    }
  }

 private:
  static Ns TotalOf(const RankCollective& one) {
    Ns total = one.transfer_ns;
    for (const std::optional<Ns> wait : one.wait_ns) total = SaturatingAdd(total, wait.value_or(0));
    return total;
  }

  std::vector<Seen> Look(const MatchedGroup& group, size_t match) const {
    std::vector<Seen> seen;
    for (size_t member = 0; member < group.members.size(); ++member) {
      Seen& one = seen.emplace_back();
      one.row = group.members[member];
      const RankRow& row = result_.rows[one.row];
      one.call = &row.collectives().calls[group.Call(match, member)];
      const GpuWork& gpu = row.analysis->trace().gpu();
      one.time = {gpu.start_ns[one.call->gpu_row], gpu.end_ns[one.call->gpu_row]};
    }
    return seen;
  }

  void Add(const MatchedGroup& group, size_t match) {
    std::vector<Seen> seen = Look(group, match);
    // What the steps did not launch (set-up, a barrier at the end) is not of the steps.
    const RankRow& first = result_.rows[seen.front().row];
    if (first.steps->has_steps && !LaunchedInSteps(first, seen.front().call->gpu_row)) return;
    Ns transfer = kMaxNs;
    for (const Seen& one : seen) transfer = std::min(transfer, one.time.duration());
    for (Seen& one : seen) {
      one.wait_ns = one.time.duration() - transfer;
      const RankRow& row = result_.rows[one.row];
      const Interval wait{one.time.start, one.time.end - transfer};
      const CollectiveBusy* busy =
          FindCollectiveBusy(*row.analysis->Get<CollectiveBusyPass>(), row.analysis->trace().device_of(one.call->gpu_row));
      one.exposed_wait_ns = busy->ExposedOf(wait, wait);
    }
    AddToRows(seen, transfer);
    AddToCollective(group, seen, transfer);
    if (result_.clocks_comparable) AddArrivals(seen);
  }

  void AddToRows(const std::vector<Seen>& seen, Ns transfer) {
    size_t last = seen.size();
    Ns waits = 0;
    Ns exposed = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      RankRow& row = result_.rows[seen[i].row];
      if (!row.waits) row.waits.emplace();
      ++row.waits->collectives;
      row.waits->collective_ns = SaturatingAdd(row.waits->collective_ns, seen[i].time.duration());
      row.waits->wait_ns = SaturatingAdd(row.waits->wait_ns, seen[i].wait_ns);
      row.waits->exposed_wait_ns = SaturatingAdd(row.waits->exposed_wait_ns, seen[i].exposed_wait_ns);
      row.waits->transfer_ns = SaturatingAdd(row.waits->transfer_ns, transfer);
      waits = SaturatingAdd(waits, seen[i].wait_ns);
      exposed = SaturatingAdd(exposed, seen[i].exposed_wait_ns);
      if (last == seen.size() && seen[i].wait_ns == 0) last = i;
    }
    if (waits == 0) return;  // all came at once
    RankWaits& cause = *result_.rows[seen[last].row].waits;
    const Ns others = static_cast<Ns>(seen.size()) - 1;
    for (const Seen& one : seen) {
      if (one.row == result_.main && one.exposed_wait_ns > 0)
        result_.main_waits.push_back({one.call->gpu_row, seen[last].row, one.exposed_wait_ns});
    }
    ++cause.last;
    cause.caused_wait_ns = SaturatingAdd(cause.caused_wait_ns, waits / others);
    cause.caused_exposed_wait_ns = SaturatingAdd(cause.caused_exposed_wait_ns, exposed / others);
  }

  void AddToCollective(const MatchedGroup& group, const std::vector<Seen>& seen, Ns transfer) {
    const CollectiveRow* row = &result_.rows[seen.front().row].collectives().rows[seen.front().call->row];
    const auto [at, added] = place_.try_emplace({&group, row}, result_.collectives.size());
    if (added) {
      RankCollective& one = result_.collectives.emplace_back();
      one.row = row;
      one.group = group.name;
      one.wait_ns.resize(result_.rows.size());
    }
    RankCollective& one = result_.collectives[at->second];
    ++one.calls;
    one.transfer_ns = SaturatingAdd(one.transfer_ns, transfer);
    for (const Seen& rank : seen) one.wait_ns[rank.row] = SaturatingAdd(one.wait_ns[rank.row].value_or(0), rank.wait_ns);
  }

  Ns Aligned(const Seen& one) const {
    const std::optional<ClockOffset>& clock = result_.rows[one.row].clock;
    const RecordingInfo& info = result_.rows[one.row].analysis->trace().recording();
    return SaturatingSubtract(SaturatingAdd(one.time.start, info.clock_base_ns), clock ? clock->offset_ns : 0);
  }

  void AddArrivals(const std::vector<Seen>& seen) {
    Ns first = kMaxNs;
    for (const Seen& one : seen) first = std::min(first, Aligned(one));
    for (const Seen& one : seen) arrivals_[one.row].push_back(SaturatingSubtract(Aligned(one), first));
  }

  RanksResult& result_;
  std::vector<std::vector<Ns>> arrivals_;
  std::map<std::pair<const MatchedGroup*, const CollectiveRow*>, size_t> place_;
};

}  // namespace

void SumWaits(RanksResult& result) { WaitSums(result).Run(); }

std::optional<double> RankCollective::BusBytesPerSecond() const { return row->BusBytesPerSecond(transfer_ns / calls); }

}  // namespace warpsight
