#include "analysis/host_naming.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/open_host_events.h"

namespace warpsight {
namespace {

// Time by name, addressed by StringId: sums without hashing, and only what was touched is read back or cleared.
class NameSums {
 public:
  explicit NameSums(size_t names) : sums_(names, 0) {}

  void Add(StringId name, Ns time) {
    Ns& sum = sums_[static_cast<uint32_t>(name)];
    if (sum == 0) touched_.push_back(name);
    sum += time;
  }

  bool empty() const { return touched_.empty(); }

  // Most time first; equal times in order of names' ids, so that the result is the same every time.
  static bool Before(const HostTime& a, const HostTime& b) {
    return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.name < b.name;
  }

  std::vector<HostTime> Sorted() const {
    std::vector<HostTime> times;
    for (StringId name : touched_) times.push_back({name, sums_[static_cast<uint32_t>(name)]});
    std::sort(times.begin(), times.end(), Before);
    return times;
  }

  // The first of Sorted() that have a name, without any allocation: gaps come by the hundred thousand.
  std::array<HostTime, kMaxGapHosts> Largest() const {
    std::array<HostTime, kMaxGapHosts> largest = {};
    for (StringId name : touched_) {
      if (name == StringId::kEmpty) continue;
      HostTime time = {name, sums_[static_cast<uint32_t>(name)]};
      for (HostTime& place : largest) {
        if (place.name == StringId::kEmpty || Before(time, place)) std::swap(time, place);
        if (time.name == StringId::kEmpty) break;
      }
    }
    return largest;
  }

  Ns Of(StringId name) const { return sums_[static_cast<uint32_t>(name)]; }

  void Clear() {
    for (StringId name : touched_) sums_[static_cast<uint32_t>(name)] = 0;
    touched_.clear();
  }

 private:
  std::vector<Ns> sums_;
  std::vector<StringId> touched_;
};

bool IsHostTime(IdleClass kind) {
  return kind == IdleClass::kSync || kind == IdleClass::kRoundTrip || kind == IdleClass::kHostWork ||
         kind == IdleClass::kLaunch;
}

void KeepLargest(const NameSums& sums, IdleGap& gap) {
  const std::array<HostTime, kMaxGapHosts> largest = sums.Largest();
  for (size_t i = 0; i < kMaxGapHosts; ++i) gap.hosts[i] = largest[i].name;
  gap.host_ns = largest[0].time_ns;
  gap.unnamed_ns = sums.Of(StringId::kEmpty);
}

}  // namespace

void NameHostTime(const Trace& trace, const IdleTimeline& timeline, std::span<const IdleInterval> gaps,
                  std::span<const std::vector<uint32_t>> overhead_by_thread, IdleDevice& device) {
  const HostEvents& host = trace.host();
  const size_t names = trace.strings().size();
  std::vector<std::vector<uint32_t>> gaps_of_thread(trace.threads().size());
  for (uint32_t i = 0; i < gaps.size(); ++i) {
    const uint32_t launch = gaps[i].after == kNoRow ? kNoRow : trace.gpu().launch[gaps[i].after];
    if (launch != kNoRow && IsHostTime(timeline.pieces(gaps[i]).front().kind))
      gaps_of_thread[host.thread[launch]].push_back(i);
  }

  std::vector<NameSums> totals(kIdleClassCount, NameSums(names));
  NameSums before_launch(names);
  NameSums during_launch(names);
  for (ThreadIndex thread = 0; thread < gaps_of_thread.size(); ++thread) {
    if (gaps_of_thread[thread].empty()) continue;
    OpenHostEvents sweep(trace, thread, overhead_by_thread[thread]);
    for (uint32_t index : gaps_of_thread[thread]) {
      IdleGap& gap = device.gaps[index];
      for (const IdlePiece& piece : timeline.pieces(gaps[index])) {
        NameSums& of_class = totals[static_cast<size_t>(piece.kind)];
        NameSums& of_gap = piece.kind == IdleClass::kLaunch ? during_launch : before_launch;
        sweep.ForEach(Intersect(piece.time, device.window), [&](uint32_t row, Interval time) {
          const StringId name = row == kNoRow ? StringId::kEmpty : host.name[row];
          of_class.Add(name, time.end - time.start);
          of_gap.Add(name, time.end - time.start);
        });
      }
      const bool launch = before_launch.empty() || gap.largest == IdleClass::kLaunch;
      KeepLargest(launch ? during_launch : before_launch, gap);
      before_launch.Clear();
      during_launch.Clear();
    }
  }
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) device.host_by_class[kind] = totals[kind].Sorted();
}

}  // namespace warpsight
