// StepWindows: where the iterations of a recording begin and end. Three ways, tried in this order:
//
//   1. ProfilerStep#N ranges, of the thread that has most of them;
//   2. a user range that repeats (same name, or name#N) and holds most of the launches;
//   3. a launch sequence that repeats: the smallest period of the sequence of launched work (step_detection.h).
//
// Place in the flow: host ranges, launches -> windows -> steps pass. Definitions: docs/steps.md. Units: ns.
// Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class StepSource : uint8_t { kNone, kProfilerStep, kRange, kRepetition };

// "none", "ProfilerStep", "range", "repetition".
std::string_view StepSourceName(StepSource source);

struct StepWindow {
  std::string name;
  int64_t index = 0;  // N of name#N when every step has one, else counted from 0
  Interval time;
  uint32_t marker = kNoRow;  // host row of the range; kNoRow when detected
};

struct StepWindows {
  StepSource source = StepSource::kNone;
  std::vector<StepWindow> steps;  // sorted, disjoint
};

StepWindows FindSteps(const Trace& trace);

inline constexpr size_t kNoStep = ~size_t{0};
// Index of the step that holds `at`, kNoStep outside of all.
size_t FindStepAt(const std::vector<StepWindow>& steps, Ns at);

// FindStepAt for many times in a row that mostly lie in the same step. The steps must outlive it. Thread-compatible.
class StepFinder {
 public:
  explicit StepFinder(const std::vector<StepWindow>& steps) : steps_(steps) {}
  size_t At(Ns at) {
    if (last_ == kNoStep || !steps_[last_].time.Contains(at)) last_ = FindStepAt(steps_, at);
    return last_;
  }
  // Of the step that launched the GPU work: where steps do not wait for the GPU it may run in a later one. Work without a
  // known launch belongs to the step that it starts in.
  size_t Of(const Trace& trace, uint32_t gpu_row) {
    const uint32_t launch = trace.gpu().launch[gpu_row];
    return At(launch == kNoRow ? trace.gpu().start_ns[gpu_row] : trace.host().start_ns[launch]);
  }

 private:
  const std::vector<StepWindow>& steps_;
  size_t last_ = kNoStep;
};

// A first step that takes far longer than the others (threshold lint_first_step_slow) holds warm-up work: the median wall of
// the others then, else absent.
std::optional<Ns> SlowFirstStep(const std::vector<StepWindow>& steps);

// The two ways that read ranges, for themselves; empty when the trace has no such marker.
std::vector<StepWindow> FindProfilerSteps(const Trace& trace);
std::vector<StepWindow> FindRepeatingRange(const Trace& trace);

}  // namespace warpsight
