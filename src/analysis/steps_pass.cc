#include "analysis/steps_pass.h"

#include <algorithm>

#include "analysis/call_bound.h"
#include "analysis/collective_busy.h"
#include "analysis/gpu_busy.h"
#include "analysis/thresholds.h"

namespace warpsight {
namespace {

// Adds what is counted row by row: kernels' own time and what was launched where.
void AddRows(const Trace& trace, const Device& device, const std::vector<StepWindow>& steps, std::vector<StepGpu>& gpus) {
  const GpuWork& gpu = trace.gpu();
  std::vector<bool> counted(trace.host().size(), false);
  StepFinder of_start(steps);
  StepFinder of_launch(steps);
  for (uint32_t row = device.first_work; row < device.end_work; ++row) {
    if (gpu.kind[row] == GpuKind::kKernel) {
      if (const size_t step = of_start.At(gpu.start_ns[row]); step != kNoStep) {
        gpus[step].kernel_ns = SaturatingAdd(gpus[step].kernel_ns, gpu.duration_ns(row));
      }
    }
    const uint32_t launch = gpu.launch[row];
    const size_t step = launch == kNoRow ? kNoStep : of_launch.At(trace.host().start_ns[launch]);
    if (step == kNoStep) continue;
    const Ns inside = Intersect({gpu.start_ns[row], gpu.end_ns[row]}, steps[step].time).duration();
    gpus[step].launched_work_ns = SaturatingAdd(gpus[step].launched_work_ns, gpu.duration_ns(row));
    gpus[step].launched_outside_ns = SaturatingAdd(gpus[step].launched_outside_ns, gpu.duration_ns(row) - inside);
    if (counted[launch]) continue;
    counted[launch] = true;
    ++gpus[step].launches;
  }
}

bool MoreThan(Ns part, double share, Ns whole) { return static_cast<double>(part) > share * static_cast<double>(whole); }

}  // namespace

StepBound BoundOf(const StepGpu& gpu, Ns wall_ns) {
  if (MoreThan(gpu.idle_ns, ThresholdShare("step_overhead_bound_idle"), wall_ns)) return StepBound::kOverhead;
  if (MoreThan(gpu.exposed_collective_ns, ThresholdShare("step_communication_bound_exposed"), gpu.busy_ns)) {
    return StepBound::kCommunication;
  }
  if (gpu.kernels > 0 && gpu.kernel_ns / gpu.kernels < ThresholdNs("step_latency_bound_kernel")) return StepBound::kLatency;
  return StepBound::kNotEvaluated;
}

bool AsksRoofline(StepBound by_times) { return by_times == StepBound::kNotEvaluated || by_times == StepBound::kLatency; }

StepBound BoundOf(StepBound by_times, const BoundSums& roofline) {
  const double work_ns = static_cast<double>(roofline.work_ns);
  const bool covered = static_cast<double>(roofline.bounded_ns) >= ThresholdShare("roofline_coverage") * work_ns;
  const double explained_ns = static_cast<double>(roofline.memory_ns) + static_cast<double>(roofline.compute_ns);
  const bool explained = by_times != StepBound::kLatency || explained_ns >= ThresholdShare("roofline_explains") * work_ns;
  if (!AsksRoofline(by_times) || roofline.work_ns == 0 || !covered || !explained) return by_times;
  return roofline.memory_ns >= roofline.compute_ns ? StepBound::kMemory : StepBound::kCompute;
}

namespace {

// Asks the roofline about the steps whose times do not say what bounds them.
void BoundByRoofline(Analysis& analysis, const Device& device, const std::vector<StepWindow>& steps,
                     std::vector<StepGpu>& gpus) {
  std::vector<Interval> windows;
  std::vector<size_t> open;
  for (size_t i = 0; i < gpus.size(); ++i) {
    if (!AsksRoofline(gpus[i].bound)) continue;
    windows.push_back(steps[i].time);
    open.push_back(i);
  }
  if (windows.empty()) return;
  const std::vector<BoundSums> sums = SumBounds(analysis, device, windows);
  for (size_t i = 0; i < open.size(); ++i) gpus[open[i]].bound = BoundOf(gpus[open[i]].bound, sums[i]);
}

std::vector<StepGpu> MeasureDevice(const Trace& trace, const Device& device, const DeviceBusy& busy,
                                   const std::vector<StepWindow>& steps, const CollectiveBusy* collectives) {
  std::vector<StepGpu> gpus(steps.size());
  AddRows(trace, device, steps, gpus);
  for (size_t i = 0; i < steps.size(); ++i) {
    StepGpu& gpu = gpus[i];
    const Interval window = steps[i].time;
    const GpuCounts counts = busy.Counts(window);
    gpu.device = device.id;
    gpu.busy_ns = busy.Busy(window);
    gpu.idle_ns = window.duration() - gpu.busy_ns;
    gpu.work_ns = busy.Work(window);
    gpu.kernels = counts.kernels;
    gpu.memcpys = counts.memcpys;
    gpu.memsets = counts.memsets;
    if (collectives != nullptr) gpu.exposed_collective_ns = gpu.busy_ns - collectives->others.Measure(window);
    gpu.bound = BoundOf(gpu, window.duration());
  }
  return gpus;
}

}  // namespace

std::string_view StepBoundName(StepBound bound) {
  constexpr std::string_view kNames[] = {"", "overhead", "communication", "latency", "memory", "compute"};
  return kNames[static_cast<size_t>(bound)];
}

Result<StepsResult> StepsPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  StepWindows windows = FindSteps(trace);
  StepsResult result;
  result.recorder = RecorderOf(analysis.trace().recording());
  result.source = windows.source;
  for (StepWindow& step : windows.steps) {
    const std::optional<Interval>& range = analysis.selection().range;
    if (!range || Intersect(*range, step.time) == step.time) result.steps.push_back(std::move(step));
  }
  result.steps_in_recording = static_cast<int64_t>(windows.steps.size());

  std::vector<std::vector<StepGpu>> by_device;
  if (const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>(); busy.ok()) {
    const Result<std::vector<CollectiveBusy>>& collectives = analysis.Get<CollectiveBusyPass>();
    for (const DeviceBusy& of_device : busy->devices) {
      if (analysis.selection().device.value_or(of_device.device()) != of_device.device()) continue;
      const Device& device = *trace.FindDevice(of_device.device());
      by_device.push_back(
          MeasureDevice(trace, device, of_device, result.steps, FindCollectiveBusy(*collectives, device.id)));
      BoundByRoofline(analysis, device, result.steps, by_device.back());
    }
  }
  for (uint32_t step = 0; step < result.steps.size(); ++step) {
    for (const std::vector<StepGpu>& gpus : by_device) result.rows.push_back({step, gpus[step]});
    if (by_device.empty()) result.rows.push_back({step, std::nullopt});
  }
  return result;
}

}  // namespace warpsight
