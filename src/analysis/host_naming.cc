#include "analysis/host_naming.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/open_host_events.h"
#include "analysis/sampled_function.h"

namespace warpsight {
namespace {

// Time by name, addressed by StringId: sums without hashing, and only what was touched is read back or cleared.
class NameSums {
 public:
  explicit NameSums(const Trace& trace) : trace_(trace), sums_(trace.strings().size(), 0) {}

  void Add(StringId name, Ns time) {
    Ns& sum = sums_[static_cast<uint32_t>(name)];
    if (sum == 0) touched_.push_back(name);
    sum += time;
  }

  bool empty() const { return touched_.empty(); }

  // Most time first; equal times in order of their names. The numbers of names depend on which worker read what first.
  bool Before(const HostTime& a, const HostTime& b) const {
    return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : trace_.Text(a.name) < trace_.Text(b.name);
  }

  std::vector<HostTime> Sorted() const {
    std::vector<HostTime> times;
    for (StringId name : touched_) times.push_back({name, sums_[static_cast<uint32_t>(name)]});
    std::sort(times.begin(), times.end(), [this](const HostTime& a, const HostTime& b) { return Before(a, b); });
    return times;
  }

  // The first of Sorted() that have a name, without any allocation.
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
  const Trace& trace_;
  std::vector<Ns> sums_;
  std::vector<StringId> touched_;
};

bool IsHostTime(IdleClass kind) {
  return kind == IdleClass::kSync || kind == IdleClass::kRoundTrip || kind == IdleClass::kHostWork ||
         kind == IdleClass::kLaunch;
}

GapHosts LargestOf(const NameSums& sums) {
  const std::array<HostTime, kMaxGapHosts> largest = sums.Largest();
  GapHosts hosts;
  for (size_t i = 0; i < kMaxGapHosts; ++i) hosts.names[i] = largest[i].name;
  hosts.first_ns = largest[0].time_ns;
  hosts.unnamed_ns = sums.Of(StringId::kEmpty);
  return hosts;
}

// Gaps that the host is to blame for, by the thread that launched what ended them, in order of time.
std::vector<std::vector<uint32_t>> GapsByThread(const Trace& trace, const IdleTimeline& timeline,
                                                std::span<const IdleInterval> gaps) {
  std::vector<std::vector<uint32_t>> by_thread(trace.threads().size());
  for (uint32_t i = 0; i < gaps.size(); ++i) {
    const uint32_t launch = gaps[i].after == kNoRow ? kNoRow : trace.gpu().launch[gaps[i].after];
    if (launch != kNoRow && IsHostTime(timeline.pieces(gaps[i]).front().kind))
      by_thread[trace.host().thread[launch]].push_back(i);
  }
  return by_thread;
}

// One thread's sweep over its gaps.
class Naming {
 public:
  Naming(const Trace& trace, const IdleTimeline& timeline, Interval window)
      : host_(trace.host()),
        timeline_(timeline),
        window_(window),
        by_class_(kIdleClassCount, NameSums(trace)),
        before_launch_(trace),
        during_launch_(trace) {}

  void Add(OpenHostEvents& sweep, const IdleInterval& gap) {
    AddEach(sweep, gap, [](IdleClass, StringId, Ns) {});
  }

  GapHosts AddShown(OpenHostEvents& sweep, const IdleInterval& gap) {
    AddEach(sweep, gap, [this](IdleClass kind, StringId name, Ns time) {
      (kind == IdleClass::kLaunch ? during_launch_ : before_launch_).Add(name, time);
    });
    const bool launch = before_launch_.empty() || LargestPart(timeline_.Cut(gap, window_)) == IdleClass::kLaunch;
    const GapHosts hosts = LargestOf(launch ? during_launch_ : before_launch_);
    before_launch_.Clear();
    during_launch_.Clear();
    return hosts;
  }

  std::vector<HostTime> Sorted(size_t idle_class) const { return by_class_[idle_class].Sorted(); }

 private:
  // Adds the gap to the sums by class, and tells `also` each name and its time.
  template <typename Also>
  void AddEach(OpenHostEvents& sweep, const IdleInterval& gap, Also also) {
    for (const IdlePiece& piece : timeline_.pieces(gap)) {
      NameSums& of_class = by_class_[static_cast<size_t>(piece.kind)];
      sweep.ForEach(Intersect(piece.time, window_), [&](uint32_t row, Interval time) {
        of_class.Add(NameOf(row), time.duration());
        also(piece.kind, NameOf(row), time.duration());
      });
    }
  }

  StringId NameOf(uint32_t row) const { return row == kNoRow ? StringId::kEmpty : host_.name[row]; }

  const HostEvents& host_;
  const IdleTimeline& timeline_;
  Interval window_;
  std::vector<NameSums> by_class_;
  NameSums before_launch_;
  NameSums during_launch_;
};

}  // namespace

HostNames NameHostTime(const Trace& trace, const IdleTimeline& timeline, std::span<const IdleInterval> gaps, Interval window,
                       std::span<const std::vector<uint32_t>> overhead_by_thread, std::span<const uint32_t> shown) {
  HostNames names;
  names.of_gaps.resize(shown.size());
  std::vector<uint32_t> place(gaps.size(), kNoRow);  // in `shown`
  for (uint32_t i = 0; i < shown.size(); ++i) place[shown[i]] = i;
  const std::vector<std::vector<uint32_t>> by_thread = GapsByThread(trace, timeline, gaps);
  Naming naming(trace, timeline, window);
  for (ThreadIndex thread = 0; thread < by_thread.size(); ++thread) {
    if (by_thread[thread].empty()) continue;
    OpenHostEvents sweep(trace, thread, overhead_by_thread[thread]);
    for (const uint32_t gap : by_thread[thread]) {
      if (place[gap] == kNoRow) {
        naming.Add(sweep, gaps[gap]);
      } else {
        GapHosts& hosts = names.of_gaps[place[gap]];
        hosts = naming.AddShown(sweep, gaps[gap]);
        if (hosts.unnamed_ns > hosts.first_ns)
          hosts.sampled = SampledFunction(trace, thread, Intersect(gaps[gap].time, window));
      }
    }
  }
  for (size_t i = 0; i < kIdleClassCount; ++i) names.by_class[i] = naming.Sorted(i);
  return names;
}

}  // namespace warpsight
