// StepsPass: one row per step and device: how long it took, how much of it the GPU was busy, and by what it is bound.
//
// Windows come from step_windows.h. Times are cut at the step's borders, counts count where an event starts (selection.h).
// Where steps are not synchronised the work of a step may run in the next one: launched_work_ns shows it.
// Place in the flow: step windows + gpu_busy -> this -> steps_document, kernels per step, diagnosis.
// Units: ns. A recording without GPU work has one row per step without a device. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "analysis/recorder_advice.h"
#include "analysis/step_windows.h"

namespace warpsight {

// What limits a step. Memory or compute is told by the roofline of its work (call_bound.h); kNotEvaluated when the peaks of
// the device or the costs of too much of the work are not known.
enum class StepBound : uint8_t { kNotEvaluated, kOverhead, kCommunication, kLatency, kMemory, kCompute };
// "overhead", ...; empty for kNotEvaluated.
std::string_view StepBoundName(StepBound bound);

struct StepGpu;
struct BoundSums;
// What bounds a step, or the sum of several steps, of `wall_ns` in all, as far as its times tell.
StepBound BoundOf(const StepGpu& gpu, Ns wall_ns);
// Whether the roofline is to be asked after the times: they told nothing, or only that the kernels are small.
bool AsksRoofline(StepBound by_times);
// What bounds it then. Small kernels that come near enough to their bounds are bound by those, not by latency.
StepBound BoundOf(StepBound by_times, const BoundSums& roofline);

// The GPU's part of a step on one device.
struct StepGpu {
  int32_t device = 0;
  Ns busy_ns = 0;
  Ns idle_ns = 0;
  Ns work_ns = 0;
  int64_t kernels = 0;
  int64_t memcpys = 0;
  int64_t memsets = 0;
  int64_t launches = 0;          // API calls that start in the step and launched work of this device
  Ns launched_work_ns = 0;       // whole duration of the work launched in the step, wherever it ran
  Ns launched_outside_ns = 0;    // the part of it that ran outside of the step
  Ns kernel_ns = 0;              // whole duration of the kernels that start in the step
  Ns exposed_collective_ns = 0;  // time in which nothing but collectives ran
  StepBound bound = StepBound::kNotEvaluated;
};

struct StepRow {
  uint32_t step = 0;           // index into StepsResult::steps
  std::optional<StepGpu> gpu;  // absent when the recording has no GPU work
};

struct StepsResult {
  Recorder recorder = Recorder::kOther;  // whose words advice on steps uses
  StepSource source = StepSource::kNone;
  std::vector<StepWindow> steps;  // those that lie wholly in the selected window: a part of a step is no step
  int64_t steps_in_recording = 0;
  std::vector<StepRow> rows;  // by step, then device
};

struct StepsPass {
  using Output = StepsResult;
  static constexpr std::string_view kName = "steps";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
