// Kernels: GPU work summed by name and device, the "top kernels" table.
//
// Place in the flow: GPU work, busy time, steps -> KernelsResult -> kernels_document.
// Copies and sets are rows too, since the shares are of all GPU work. Time is cut at the window, calls count where they
// start; min, max and mean are of the calls that start in the window, whole. Units: ns; shares 0..1. Errors: kLacks without
// GPU work. Texts are borrowed from the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pass.h"

namespace warpsight {

struct KernelRow {
  std::string_view name;
  GpuKind kind = GpuKind::kKernel;
  int32_t device = 0;
  int64_t calls = 0;
  // Calls launched in the steps that start in the window, a step; absent when the trace has no steps.
  std::optional<double> calls_per_step;
  Ns total_ns = 0;
  std::optional<Ns> mean_ns;  // absent when no call starts in the window
  std::optional<Ns> min_ns;
  std::optional<Ns> max_ns;
  double gpu_share = 0;  // of gpu_work_ns
  std::string_view family;
  std::string_view part;  // model part that takes at least half of the kernel's time; empty when none does
};

struct KernelsResult {
  std::vector<KernelRow> rows;  // longest total first, ties by name and device
  Ns gpu_work_ns = 0;           // sum over rows
  Ns gpu_busy_ns = 0;           // union of each device's work, added over devices
};

struct KernelsPass {
  using Output = KernelsResult;
  static constexpr std::string_view kName = "kernels";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
