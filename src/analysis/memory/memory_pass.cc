#include "analysis/memory/memory_pass.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/api_calls.h"
#include "analysis/steps_pass.h"
#include "base/memory_counter_names.h"

namespace warpsight {
namespace {

bool HoldsMemory(std::string_view name) {
  constexpr std::string_view kWord = "memory";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return std::search(name.begin(), name.end(), kWord.begin(), kWord.end(), same) != name.end();
}

bool IsUsage(const Trace& trace, const CounterSeries& series) {
  return series.size() > 0 && trace.Text(series.unit) == kBytesUnit && HoldsMemory(trace.Text(series.name));
}

int64_t BytesAt(const CounterSamples& samples, const CounterSeries& series, uint32_t row) {
  if (series.kind == CounterKind::kInteger) return samples.value[row];
  const double bytes = samples.Double(series, row);
  constexpr double kMost = 9.2e18;
  return static_cast<int64_t>(std::llround(std::clamp(bytes, -kMost, kMost)));
}

std::optional<MemoryUsage> UsageOf(const Trace& trace, const CounterSeries& series, const std::optional<Interval>& range) {
  const CounterSamples& samples = trace.counter_samples();
  const Ns* const times = samples.time_ns.data();
  uint32_t row = series.first;
  uint32_t end = series.end;
  MemoryUsage usage;
  if (range) {
    const auto begin = static_cast<uint32_t>(std::lower_bound(times + row, times + end, range->start) - times);
    end = static_cast<uint32_t>(std::lower_bound(times + row, times + end, range->end) - times);
    usage.samples = end - begin;
    // At equal times the last sample holds. One at the very start of the window holds there, and none before it.
    const bool holds = begin > series.first && (begin == end || times[begin] > range->start);
    row = holds ? begin - 1 : begin;
  } else {
    usage.samples = series.size();
  }
  if (row >= end) return std::nullopt;
  usage.name = trace.Text(series.name);
  usage.process = trace.Text(series.process);
  usage.device = series.device;
  usage.of_allocator = IsAllocatorCounter(usage.name);
  usage.first_bytes = usage.least_bytes = usage.peak_bytes = BytesAt(samples, series, row);
  usage.peak_ns = range ? std::max(times[row], range->start) : times[row];
  usage.last_bytes = BytesAt(samples, series, end - 1);
  for (++row; row < end; ++row) {
    const int64_t bytes = BytesAt(samples, series, row);
    usage.least_bytes = std::min(usage.least_bytes, bytes);
    if (bytes <= usage.peak_bytes) continue;
    usage.peak_bytes = bytes;
    usage.peak_ns = times[row];
  }
  const Device* const device = trace.FindDevice(series.device);
  if (device != nullptr && device->total_memory_bytes > 0) usage.device_bytes = device->total_memory_bytes;
  return usage;
}

void AddUsage(const Trace& trace, const Selection& selection, MemoryResult& result) {
  for (const CounterSeries& series : trace.counters()) {
    if (!IsUsage(trace, series) || (selection.device && series.device != *selection.device)) continue;
    if (const std::optional<MemoryUsage> usage = UsageOf(trace, series, selection.range)) result.usage.push_back(*usage);
  }
  std::ranges::sort(result.usage, {}, [](const MemoryUsage& usage) {
    return std::tuple(usage.device < 0, usage.device, !usage.of_allocator, usage.name, usage.process);
  });
}

struct CopySums {
  MemoryCopies copies;
  double rated_ns = 0;
};

void AddCopies(const Trace& trace, const Selection& selection, MemoryResult& result) {
  const GpuWork& gpu = trace.gpu();
  std::map<std::tuple<int32_t, GpuKind, CopyKind, MemoryKind, MemoryKind>, CopySums> sums;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const int32_t device = trace.device_of(row);
    if (gpu.kind[row] == GpuKind::kKernel || (selection.device && device != *selection.device)) continue;
    const Interval whole{gpu.start_ns[row], gpu.end_ns[row]};
    const Ns time_ns = (selection.range ? Intersect(whole, *selection.range) : whole).duration();
    const bool starts = !selection.range || selection.range->Contains(whole.start);
    if (time_ns == 0 && !starts) continue;
    auto& [copies, rated_ns] =
        sums[{device, gpu.kind[row], gpu.copy_kind[row], gpu.source_memory[row], gpu.destination_memory[row]}];
    copies.time_ns = SaturatingAdd(copies.time_ns, time_ns);
    if (!starts) continue;
    ++copies.count;
    if (copies.longest == kNoRow || whole.duration() > gpu.duration_ns(copies.longest)) copies.longest = row;
    if (gpu.bytes[row] < 0) continue;
    copies.bytes = SaturatingAdd(copies.bytes.value_or(0), gpu.bytes[row]);
    rated_ns += static_cast<double>(whole.duration());
  }
  constexpr double kNsPerSecond = 1e9;
  for (auto& [key, sum] : sums) {
    MemoryCopies& copies = sum.copies;
    std::tie(copies.device, copies.kind, copies.direction, copies.source, copies.destination) = key;
    if (copies.bytes && sum.rated_ns > 0)
      copies.bytes_per_s = static_cast<double>(*copies.bytes) / sum.rated_ns * kNsPerSecond;
    result.copies.push_back(copies);
  }
  std::ranges::stable_sort(result.copies, std::greater<>(), &MemoryCopies::time_ns);
}

void AddCalls(const Trace& trace, const Selection& selection, const std::vector<StepWindow>& steps, MemoryResult& result) {
  const HostEvents& host = trace.host();
  const ApiCallKinds kinds(trace);
  StepFinder finder(steps);
  std::map<std::string_view, AllocationCalls> sums;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (kinds.kind(row) != ApiCallKind::kAllocation) continue;
    const Interval whole{host.start_ns[row], host.end_ns[row]};
    const Ns time_ns = (selection.range ? Intersect(whole, *selection.range) : whole).duration();
    const bool starts = !selection.range || selection.range->Contains(whole.start);
    if (time_ns == 0 && !starts) continue;
    AllocationCalls& calls = sums[trace.Text(host.name[row])];
    calls.calls += starts ? 1 : 0;
    calls.time_ns = SaturatingAdd(calls.time_ns, time_ns);
    if (!starts || finder.At(whole.start) == kNoStep) continue;
    ++calls.calls_in_steps;
    calls.in_steps_ns = SaturatingAdd(calls.in_steps_ns, time_ns);
  }
  for (auto& [name, calls] : sums) {
    calls.name = name;
    result.calls.push_back(calls);
  }
  std::ranges::stable_sort(result.calls, std::greater<>(), &AllocationCalls::time_ns);
}

// Whether the recording, of whatever time and device, says anything of memory.
bool SaysAnything(const Trace& trace, const MemoryResult& result) {
  if (!result.usage.empty() || !result.copies.empty() || !result.calls.empty()) return true;
  if (std::ranges::any_of(trace.counters(), [&](const CounterSeries& series) { return IsUsage(trace, series); }))
    return true;
  if (std::ranges::any_of(trace.gpu().kind, [](GpuKind kind) { return kind != GpuKind::kKernel; })) return true;
  const ApiCallKinds kinds(trace);
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (kinds.kind(row) == ApiCallKind::kAllocation) return true;
  }
  return false;
}

}  // namespace

Result<MemoryResult> MemoryPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  const std::vector<StepWindow> no_steps;
  const std::vector<StepWindow>& windows = steps.ok() ? steps->steps : no_steps;
  MemoryResult result;
  result.steps = static_cast<int64_t>(windows.size());
  AddUsage(trace, analysis.selection(), result);
  AddCopies(trace, analysis.selection(), result);
  AddCalls(trace, analysis.selection(), windows, result);
  const bool has_totals = std::ranges::any_of(
      trace.counters(), [&](const CounterSeries& series) { return IsAllocatorCounter(trace.Text(series.name)); });
  result.has_reports_without_totals = trace.recording().has_memory_events && !has_totals;
  if (!SaysAnything(trace, result)) {
    return LacksError(
        "the trace says nothing of memory: torch.profiler records it with profile_memory=True, `warpsight record` where "
        "NVML can be "
        "asked (it samples what the GPUs have in use)");
  }
  return result;
}

}  // namespace warpsight
