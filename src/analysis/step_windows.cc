#include "analysis/step_windows.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "analysis/step_detection.h"
#include "analysis/thresholds.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

struct NumberedName {
  std::string_view base;
  std::optional<int64_t> number;
};

// "train#12" -> {"train", 12}; a name without "#digits" at its end is its own base.
NumberedName SplitNumber(std::string_view name) {
  const size_t hash = name.rfind('#');
  if (hash == std::string_view::npos || hash == 0) return {name, std::nullopt};
  int64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + hash + 1, end, number);
  if (error != std::errc() || stop != end || number < 0) return {name, std::nullopt};
  return {name.substr(0, hash), number};
}

// The rows as steps. Rows come by start; one that begins inside of the step before it is no step of its own.
std::vector<StepWindow> ToSteps(const Trace& trace, const std::vector<uint32_t>& rows) {
  std::vector<StepWindow> steps;
  bool numbered = true;
  for (uint32_t row : rows) {
    StepWindow step;
    step.time = {trace.host().start_ns[row], trace.host().end_ns[row]};
    if (!steps.empty() && step.time.start < steps.back().time.end) continue;
    step.name = trace.Text(trace.host().name[row]);
    step.marker = row;
    const std::optional<int64_t> number = SplitNumber(step.name).number;
    step.index = number.value_or(0);
    numbered = numbered && number.has_value();
    steps.push_back(std::move(step));
  }
  if (!numbered) {
    for (size_t i = 0; i < steps.size(); ++i) steps[i].index = static_cast<int64_t>(i);
  }
  return steps;
}

// Starts of the API calls that launched GPU work, sorted.
std::vector<Ns> LaunchStarts(const Trace& trace) {
  std::vector<Ns> starts;
  for (const uint32_t launch : trace.gpu().launch) {
    if (launch != kNoRow) starts.push_back(trace.host().start_ns[launch]);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

// How much of the recording the occurrences of a range hold.
struct Coverage {
  int64_t launches = 0;
  Ns time_ns = 0;
};

Coverage CoverageOf(const std::vector<StepWindow>& steps, const std::vector<Ns>& launch_starts) {
  Coverage coverage;
  for (const StepWindow& step : steps) {
    const auto first = std::lower_bound(launch_starts.begin(), launch_starts.end(), step.time.start);
    coverage.launches += std::lower_bound(first, launch_starts.end(), step.time.end) - first;
    coverage.time_ns = SaturatingAdd(coverage.time_ns, step.time.duration());
  }
  return coverage;
}

// Occurrences of each user range by thread and name without number; `order` keeps the order of first appearance.
std::vector<std::vector<uint32_t>> RangesByName(const Trace& trace) {
  const HostEvents& host = trace.host();
  std::map<std::pair<ThreadIndex, std::string_view>, size_t> index;
  std::vector<std::vector<uint32_t>> groups;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kRange) continue;
    const std::pair key(host.thread[row], SplitNumber(trace.Text(host.name[row])).base);
    const auto [found, added] = index.try_emplace(key, groups.size());
    if (added) groups.emplace_back();
    groups[found->second].push_back(row);
  }
  return groups;
}

}  // namespace

std::string_view StepSourceName(StepSource source) {
  constexpr std::string_view kNames[] = {"none", kProfilerStepName, "range", "repetition"};
  return kNames[static_cast<size_t>(source)];
}

std::vector<StepWindow> FindProfilerSteps(const Trace& trace) {
  const HostEvents& host = trace.host();
  std::vector<std::vector<uint32_t>> by_thread(trace.threads().size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kRange) continue;
    const NumberedName name = SplitNumber(trace.Text(host.name[row]));
    if (name.number && name.base == kProfilerStepName) by_thread[host.thread[row]].push_back(row);
  }
  const auto most =
      std::max_element(by_thread.begin(), by_thread.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return most == by_thread.end() ? std::vector<StepWindow>() : ToSteps(trace, *most);
}

std::vector<StepWindow> FindRepeatingRange(const Trace& trace) {
  const std::vector<Ns> launch_starts = LaunchStarts(trace);
  const double needed = ThresholdShare("step_range_coverage");
  std::vector<StepWindow> best;
  Coverage best_coverage;
  for (const std::vector<uint32_t>& rows : RangesByName(trace)) {
    std::vector<StepWindow> steps = ToSteps(trace, rows);
    if (steps.size() < 2) continue;
    const Coverage coverage = CoverageOf(steps, launch_starts);
    // A recording without GPU work has no launches to go by: there the range must hold most of the time.
    const bool holds_most =
        launch_starts.empty()
            ? static_cast<double>(coverage.time_ns) > needed * static_cast<double>(trace.capture().duration())
            : static_cast<double>(coverage.launches) > needed * static_cast<double>(launch_starts.size());
    if (!holds_most) continue;
    if (std::pair(coverage.launches, coverage.time_ns) > std::pair(best_coverage.launches, best_coverage.time_ns)) {
      best = std::move(steps);
      best_coverage = coverage;
    }
  }
  return best;
}

StepWindows FindSteps(const Trace& trace) {
  if (std::vector<StepWindow> steps = FindProfilerSteps(trace); !steps.empty()) {
    return {StepSource::kProfilerStep, std::move(steps)};
  }
  if (std::vector<StepWindow> steps = FindRepeatingRange(trace); !steps.empty())
    return {StepSource::kRange, std::move(steps)};
  if (std::vector<StepWindow> steps = DetectSteps(trace); !steps.empty()) return {StepSource::kRepetition, std::move(steps)};
  return {};
}

size_t FindStepAt(const std::vector<StepWindow>& steps, Ns at) {
  const auto after = std::upper_bound(steps.begin(), steps.end(), at,
                                      [](Ns time, const StepWindow& step) { return time < step.time.start; });
  if (after == steps.begin() || !(after - 1)->time.Contains(at)) return kNoStep;
  return static_cast<size_t>(after - 1 - steps.begin());
}

std::optional<Ns> SlowFirstStep(const std::vector<StepWindow>& steps) {
  if (steps.size() < 2) return std::nullopt;
  std::vector<Ns> others;
  for (size_t i = 1; i < steps.size(); ++i) others.push_back(steps[i].time.duration());
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::nth_element(others.begin(), middle, others.end());
  const double limit_ns = ThresholdRatio("lint_first_step_slow") * static_cast<double>(*middle);
  return static_cast<double>(steps[0].time.duration()) > limit_ns ? std::optional<Ns>(*middle) : std::nullopt;
}

}  // namespace warpsight
