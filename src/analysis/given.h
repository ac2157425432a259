// Given: what the user states about a run beside the recording itself. Passes read it from the Analysis; none of it is ever
// guessed, and a result that rests on it says so.
//
// Place in the flow: command line -> Given -> Analysis -> passes. Everything borrowed outlives the Analysis. Units: ns,
// bytes/s, FLOP/s. Thread-compatible.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/time.h"

namespace warpsight {

class CounterReport;
struct ProfiledKernel;
class Trace;
struct KernelCode;
struct ModelDescription;
struct RankSet;

struct Given {
  // The model that ran (--model); null = infer it from the recording.
  const ModelDescription* model = nullptr;
  // An eager step or the capture-time trace of the same model (a second FILE): tells the parts of kernels that a CUDA graph
  // replayed. Null = none.
  const Trace* reference = nullptr;
  // All ranks given of one run, this one included; null = one recording.
  const RankSet* ranks = nullptr;
  // Hardware counters of kernels of the same program, to be attached to the kernels of the timeline.
  std::vector<const CounterReport*> counter_reports = {};
  // Reads the code of a kernel of those reports, for its source lines. Empty: lines are not looked at.
  std::function<KernelCode(const CounterReport&, const ProfiledKernel&)> read_code = {};
  // Peaks of the device in place of those of data/gpus.toml; absent = not overridden.
  std::optional<double> peak_bytes_per_s = std::nullopt;
  std::optional<double> peak_flops_per_s = std::nullopt;
  // Wall time of one step without a profiler, from a timer (--measured-step).
  std::optional<Ns> measured_step_ns = std::nullopt;
};

}  // namespace warpsight
