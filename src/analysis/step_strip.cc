#include "analysis/step_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/kernel_family.h"
#include "analysis/lane_reducer.h"
#include "analysis/steps_pass.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr std::size_t kMostGpuLanes = 8;
constexpr std::size_t kMostHostLanes = 5;
constexpr std::size_t kMostColumns = 1200;
constexpr std::size_t kFewestColumns = 60;

enum Category : std::size_t {
  kGemmLane,
  kAttentionLane,
  kOtherKernelLane,
  kCollectiveLane,
  kCopyLane,
  kHostLane,
  kRangeLane,
  kSyncLane
};
const std::vector<std::string> kCategories = {
    "GEMM, convolution", "attention",        "other kernels",    "collective",
    "copy, set",         "host: op or call", "host: user range", "host: waits in a call"};

struct RawLane {
  std::string label;
  std::vector<LaneEvent> events;
  Ns time_ns = 0;
  std::string_view doing = "busy";
};

struct Shown {
  Interval window;
  std::string title;
  std::vector<uint32_t> markers;  // host rows of the steps themselves, sorted
};

Shown ChooseWindow(Analysis& analysis) {
  Shown shown{analysis.window(), "The whole window", {}};
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (!steps.ok() || steps->steps.empty()) return shown;
  std::vector<const StepWindow*> by_wall;
  for (const StepWindow& step : steps->steps) {
    by_wall.push_back(&step);
    if (step.marker != kNoRow) shown.markers.push_back(step.marker);
  }
  std::sort(shown.markers.begin(), shown.markers.end());
  std::stable_sort(by_wall.begin(), by_wall.end(),
                   [](const StepWindow* a, const StepWindow* b) { return a->time.duration() < b->time.duration(); });
  const StepWindow& step = *by_wall[(by_wall.size() - 1) / 2];
  shown.window = step.time;
  shown.title = by_wall.size() == 1 ? fmt::format("{}: {}", step.name, FormatDuration(step.time.duration()))
                                    : fmt::format("{}, the median of {} steps: {}", step.name,
                                                  FormatCount(std::ssize(by_wall)), FormatDuration(step.time.duration()));
  return shown;
}

Category CategoryOf(GpuKind kind, std::string_view family) {
  if (kind != GpuKind::kKernel) return kCopyLane;
  if (family == "gemm" || family == "convolution") return kGemmLane;
  if (family == "attention") return kAttentionLane;
  return family == "collective" ? kCollectiveLane : kOtherKernelLane;
}

void AddGpuLanes(Analysis& analysis, Interval window, std::vector<RawLane>& lanes) {
  const Trace& trace = analysis.trace();
  const GpuWork& gpu = trace.gpu();
  FamiliesOf families(trace);
  std::vector<RawLane> by_stream(trace.streams().size());
  for (const Device& device : trace.devices()) {
    if (!device.has_work || (analysis.selection().device && *analysis.selection().device != device.id)) continue;
    for (uint32_t row = device.first_work; row < device.end_work && gpu.start_ns[row] < window.end; ++row) {
      const Interval time{gpu.start_ns[row], gpu.end_ns[row]};
      if (Intersect(time, window).empty()) continue;
      by_stream[gpu.stream[row]].events.push_back({time, CategoryOf(gpu.kind[row], families.family(row)),
                                                   trace.Text(gpu.name[row]), gpu.kind[row] == GpuKind::kKernel});
    }
  }
  for (std::size_t i = 0; i < by_stream.size(); ++i) {
    if (by_stream[i].events.empty()) continue;
    const Stream& stream = trace.streams()[i];
    by_stream[i].label = fmt::format("GPU {}, stream {}", stream.device, stream.label);
    lanes.push_back(std::move(by_stream[i]));
  }
}

// The outermost calls of one thread in the window. Ranges are looked through: what they hold is what the thread did.
class ThreadLanes {
 public:
  ThreadLanes(const Trace& trace, const ApiCallKinds& kinds, const Shown& shown)
      : trace_(trace), kinds_(kinds), shown_(shown) {}

  void Add(const Thread& thread, std::vector<RawLane>& lanes) {
    std::vector<LaneEvent> outermost;
    std::vector<LaneEvent> waits;
    RawLane ranges;
    Ns outermost_until = kMinNs;
    Ns ranges_until = kMinNs;
    Ns waits_until = kMinNs;
    const HostEvents& host = trace_.host();
    for (uint32_t row = thread.first_call; row < thread.first_frame && host.start_ns[row] < shown_.window.end; ++row) {
      const Interval time{host.start_ns[row], host.end_ns[row]};
      if (Intersect(time, shown_.window).empty() || host.kind[row] == HostKind::kRecording) continue;
      if (host.kind[row] == HostKind::kRange) {
        if (!IsStep(row)) Take(row, time, kRangeLane, ranges_until, ranges.events);
        continue;
      }
      Take(row, time, kHostLane, outermost_until, outermost);
      if (IsSynchronising(kinds_.kind(row))) Take(row, time, kSyncLane, waits_until, waits);
    }
    const std::string name = thread.name.empty() ? fmt::format("thread {}", thread.label) : thread.name;
    AddLane({"Host " + name, OnTop(outermost, waits), 0, "in calls"}, lanes);
    ranges.doing = "in ranges";
    ranges.label = "Host " + name + ", user ranges";
    AddLane(std::move(ranges), lanes);
  }

 private:
  bool IsStep(uint32_t row) const { return std::binary_search(shown_.markers.begin(), shown_.markers.end(), row); }

  // Rows come by start, parents first: what starts before the end of the last one taken lies inside of it.
  void Take(uint32_t row, Interval time, Category category, Ns& until, std::vector<LaneEvent>& events) const {
    if (time.start < until) return;
    until = time.end;
    events.push_back({time, category, trace_.Text(trace_.host().name[row]), false});
  }

  // `below` with the time of `top` cut out and put in its place. Both sorted and disjoint.
  static std::vector<LaneEvent> OnTop(const std::vector<LaneEvent>& below, const std::vector<LaneEvent>& top) {
    std::vector<LaneEvent> merged;
    merged.reserve(below.size() + 2 * top.size());
    std::size_t next = 0;
    for (const LaneEvent& event : below) {
      Ns at = event.time.start;
      for (; next < top.size() && top[next].time.start < event.time.end; ++next) {
        if (at < top[next].time.start) merged.push_back({{at, top[next].time.start}, event.category, event.label, false});
        merged.push_back(top[next]);
        at = top[next].time.end;
      }
      if (at < event.time.end) merged.push_back({{at, event.time.end}, event.category, event.label, false});
    }
    return merged;
  }

  static void AddLane(RawLane lane, std::vector<RawLane>& lanes) {
    if (!lane.events.empty()) lanes.push_back(std::move(lane));
  }

  const Trace& trace_;
  const ApiCallKinds& kinds_;
  const Shown& shown_;
};

// Keeps the `most` lanes with most time, in the order they have. Returns how many went.
std::size_t KeepBusiest(Interval window, std::size_t most, std::vector<RawLane>& lanes) {
  for (RawLane& lane : lanes) {
    for (const LaneEvent& event : lane.events)
      lane.time_ns = SaturatingAdd(lane.time_ns, Intersect(event.time, window).duration());
  }
  if (lanes.size() <= most) return 0;
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t lane) { return lanes[lane].time_ns; });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<RawLane> kept;
  kept.reserve(most);
  for (const std::size_t lane : order) kept.push_back(std::move(lanes[lane]));
  const std::size_t gone = lanes.size() - kept.size();
  lanes = std::move(kept);
  return gone;
}

Lane Finish(const RawLane& raw, std::vector<Span> spans, Interval window) {
  Lane lane;
  lane.label = raw.label;
  Ns busy_ns = 0;
  for (const Span& span : spans) busy_ns = SaturatingAdd(busy_ns, span.busy_ns);
  lane.detail = fmt::format("{} {}, {}", raw.doing, FormatShare(busy_ns, window.duration()), FormatDuration(busy_ns));
  lane.spans = std::move(spans);
  return lane;
}

std::vector<Lane> Reduced(const std::vector<RawLane>& raw, Interval window) {
  for (std::size_t columns = kMostColumns;; columns /= 2) {
    std::vector<Lane> lanes;
    std::size_t spans = 0;
    for (const RawLane& lane : raw) {
      lanes.push_back(Finish(lane, ReduceLane(lane.events, window, columns), window));
      spans += lanes.back().spans.size();
    }
    if (spans <= kMostStripSpans || columns <= kFewestColumns) return lanes;
  }
}

}  // namespace

std::optional<TimelineStrip> MakeStepStrip(Analysis& analysis) {
  const Shown shown = ChooseWindow(analysis);
  if (shown.window.empty()) return std::nullopt;
  std::vector<RawLane> gpu_lanes;
  std::vector<RawLane> host_lanes;
  AddGpuLanes(analysis, shown.window, gpu_lanes);
  const ApiCallKinds kinds(analysis.trace());
  ThreadLanes threads(analysis.trace(), kinds, shown);
  for (const Thread& thread : analysis.trace().threads()) threads.Add(thread, host_lanes);
  const std::size_t left_out =
      KeepBusiest(shown.window, kMostGpuLanes, gpu_lanes) + KeepBusiest(shown.window, kMostHostLanes, host_lanes);
  if (gpu_lanes.empty() && host_lanes.empty()) return std::nullopt;
  std::move(host_lanes.begin(), host_lanes.end(), std::back_inserter(gpu_lanes));

  TimelineStrip strip;
  strip.title = shown.title;
  strip.window = shown.window;
  strip.categories = kCategories;
  strip.lanes = Reduced(gpu_lanes, shown.window);
  strip.caption =
      "Short neighbours are merged to about one pixel: such a piece is drawn as high as the share of its time in which "
      "something "
      "ran, so that gaps stay visible. Host lanes show the outermost op or call.";
  if (left_out > 0)
    strip.caption += fmt::format(" {} more lanes with less time are left out.", FormatCount(static_cast<int64_t>(left_out)));
  return strip;
}

}  // namespace warpsight
