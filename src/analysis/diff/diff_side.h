// DiffSide: what one recording spends in a step, by metric, kernel name, op and model part: one half of a comparison.
//
// Metrics are those of the `steps` and `idle` verbs: time is cut at the step's borders, counts count where an event starts;
// devices are added up. Kernels, ops and parts count work in the step that launched it (work without a known launch in the
// step that it starts in), whole, so that their sums are the metric `work` in every grouping. Without steps the window is
// taken as one: work is then cut to it.
// Place in the flow: Analysis of each recording -> DiffSide -> diff.h. Units: ns. Texts are borrowed from the trace.
// Errors: none; what the recording lacks is absent. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/diff/step_scatter.h"
#include "analysis/idle_classes.h"
#include "analysis/pass.h"
#include "analysis/step_windows.h"
#include "trace/trace.h"

namespace warpsight {

// In the order in which they are shown; the idle classes follow idle.
inline constexpr size_t kFirstIdleMetric = 3;
enum DiffMetric : uint8_t {
  kDiffStep,
  kDiffBusy,
  kDiffIdle,
  kDiffWork = kFirstIdleMetric + kIdleClassCount,
  kDiffKernels,
  kDiffCopies,
  kDiffLaunches,
};
inline constexpr size_t kDiffMetricCount = kDiffLaunches + 1;

struct DiffMetricInfo {
  std::string key;    // "idle_sync": with "_ns" the JSON key of a time
  std::string label;  // "idle: sync"
  bool is_time = true;
};
const DiffMetricInfo& InfoOfMetric(size_t metric);

// Sums of one kernel, op or part.
struct DiffGroup {
  int64_t calls = 0;
  Ns gpu_ns = 0;
  Ns cpu_ns = 0;  // self; ops only
  StepValues gpu_by_step;
  StepValues cpu_by_step;
  uint32_t example = kNoRow;  // a row of GPU work, for kernels

  void AddGpu(uint32_t step, Ns time);
  void AddCpu(uint32_t step, Ns time);
};

// Kind ("kernel", "op", ...) and name.
using DiffKey = std::pair<std::string_view, std::string_view>;
using DiffGroups = std::map<DiffKey, DiffGroup>;

// Where the work of a kernel name comes from: op, its shapes, model part, and how many calls.
using WorkOrigin = std::tuple<std::string_view, std::string_view, std::string_view>;
using WorkOrigins = std::map<WorkOrigin, int64_t>;

struct DiffSide {
  Analysis* analysis = nullptr;
  bool has_steps = false;  // else the window is taken as one
  StepSource source = StepSource::kNone;
  std::vector<StepWindow> windows;  // at least one
  bool first_is_slow = false;       // as lint's first_step_slow
  bool has_gpu = false;
  bool has_calls = false;  // launches are known
  // By metric, a value a step; empty = not recorded.
  std::array<std::vector<int64_t>, kDiffMetricCount> metrics;
  DiffGroups kernels;
  DiffGroups ops;
  DiffGroups parts;

  const Trace& trace() const { return analysis->trace(); }
  int64_t steps() const { return static_cast<int64_t>(windows.size()); }
};

// The causes for which the ledger says that work may be missing, "cut_off_file, broken_event"; empty = there are none.
std::string DamageOf(const DiffSide& side);

// `by_steps`: false takes the window as one also where there are steps.
DiffSide MeasureSide(Analysis& analysis, bool by_steps);

// The origins of the kernels whose keys are in `wanted`.
std::map<DiffKey, WorkOrigins> OriginsOf(const DiffSide& side, const std::vector<DiffKey>& wanted);

}  // namespace warpsight
