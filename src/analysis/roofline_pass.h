// Roofline: per op and operand shapes, what the work needs at least, how long it took, and how far that is from what the
// device can do. Also what a step's matrix products and weights need at least.
//
// Rows cover the selected window. Time is cut at its borders; the cost of a call that straddles one counts by the share of
// its time inside; calls count where their first GPU work starts. The figures of a step are means over the steps that lie in
// the window, work counting in the step that launched it; without steps the window is the unit. Place in the flow: work
// costs, peaks, steps -> this -> roofline document, findings. Units: ns, FLOP, bytes. Needs GPU work, and shapes of ops.
// Texts are borrowed from the trace. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/call_bound.h"
#include "analysis/pass.h"

namespace warpsight {

struct RooflineRow {
  std::string_view op;
  std::string_view shapes;  // as recorded; empty for work that is known without
  std::string_view types;
  int32_t device = 0;
  CostKind kind = CostKind::kElementwise;
  Arithmetic arithmetic = Arithmetic::kFp32;
  int64_t calls = 0;
  Ns gpu_ns = 0;
  double flops = 0;
  double bytes = 0;
  std::optional<CostBound> bound = std::nullopt;  // absent with bound_ns: a peak is not known
  std::optional<Ns> bound_ns = std::nullopt;
  bool causal_unknown = false;
  bool from_grid = false;

  std::optional<double> Intensity() const { return bytes > 0 ? std::optional(flops / bytes) : std::nullopt; }
  std::optional<double> Efficiency() const;
};

// GPU work without a cost, by name and reason.
struct UncostedRow {
  std::string_view name;  // of the op, or of the kernel when no op is known
  std::string_view reason;
  int32_t device = 0;
  int64_t calls = 0;  // pieces of GPU work
  Ns gpu_ns = 0;
};

struct RooflineKind {
  int64_t calls = 0;
  Ns gpu_ns = 0;
  double flops = 0;
  double bytes = 0;
  Ns bounded_ns = 0;  // time of the work that has a bound
  Ns bound_ns = 0;
};
inline constexpr size_t kCostKindCount = 11;

// A mean step of one device.
struct StepNeeds {
  int32_t device = 0;
  int64_t steps = 1;
  bool has_steps = false;
  double gemms = 0;  // matrix products, calls
  Ns gemm_ns = 0;
  std::optional<Ns> gemm_bound_ns = std::nullopt;
  double weight_gemms = 0;     // of them, products with a weight matrix, outside of backward
  double weight_bytes = 0;     // their weights, each once
  double key_value_bytes = 0;  // K and V that attention reads, outside of backward
  std::optional<Ns> weight_bound_ns = std::nullopt;
  std::optional<Ns> key_value_bound_ns = std::nullopt;
};

struct RooflineDevice {
  GpuPeaks peaks;
  Ns work_ns = 0;
  Ns costed_ns = 0;
  std::array<RooflineKind, kCostKindCount> kinds;  // by CostKind
  StepNeeds step;
};

struct RooflineResult {
  std::vector<RooflineRow> rows;        // longest GPU time first
  std::vector<UncostedRow> uncosted;    // longest first
  std::vector<RooflineDevice> devices;  // those with work in the selection
};

struct RooflinePass {
  using Output = RooflineResult;
  static constexpr std::string_view kName = "roofline";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
