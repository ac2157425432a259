// PartsPass: GPU time by model part, in the selected window.
//
// Rows partition the GPU work exactly: the sum of gpu_ns over rows is gpu_work_ns. Times are cut at the window; kernels and
// calls count where they start. A call is what a reader of the model counts as one: a norm of eight kernels is one call.
// Place in the flow: WorkParts, model -> PartsResult -> accounting, parts document, kernels table. Units: ns, shares 0..1.
// Errors: kLacks without GPU work. Texts are borrowed from the trace. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting.h"
#include "analysis/attribution_pass.h"
#include "analysis/part.h"
#include "analysis/pass.h"
#include "analysis/work_parts_pass.h"

namespace warpsight {

struct PartRow {
  Part part = Part::kOther;
  Ns gpu_ns = 0;
  double gpu_share = 0;
  int64_t kernels = 0;                   // GPU work that starts in the window, copies and sets included
  int64_t calls = 0;                     // calls that start in the window
  std::optional<double> calls_per_step;  // absent without steps
};

struct PhaseRow {
  Phase phase = Phase::kForward;
  Ns gpu_ns = 0;
  double gpu_share = 0;
  int64_t kernels = 0;
};

struct ForwardPartRow {
  std::optional<Part> part;  // absent: the forward op was not recorded, or it holds several parts
  Ns gpu_ns = 0;
  double gpu_share = 0;  // of all GPU work
  int64_t kernels = 0;
};

struct PartKernel {
  std::string_view name;
  GpuKind kind = GpuKind::kKernel;
  Ns gpu_ns = 0;
  double gpu_share = 0;
  int64_t calls = 0;
  std::string_view op;  // outermost op around the first of them; empty when there is none
};

struct FusedKernelRow {
  std::string_view name;
  std::vector<std::string> ops;
  std::string meaning;
  Part part = Part::kOther;
  Ns gpu_ns = 0;
  int64_t calls = 0;
};

struct ConfidenceRow {
  Confidence confidence = Confidence::kNone;
  int64_t kernels = 0;
  Ns gpu_ns = 0;
};

struct PartsResult {
  std::vector<PartRow> rows;  // longest first, ties in the order of the parts; other always last
  Ns gpu_work_ns = 0;
  std::vector<PhaseRow> phases;           // only phases with work
  std::vector<ForwardPartRow> backward;   // backward work by the forward part it differentiates
  std::vector<PartKernel> other;          // the kernels of the row other, longest first
  std::vector<FusedKernelRow> fused;      // TorchInductor's kernels, longest first
  std::vector<ConfidenceRow> confidence;  // all six
  std::vector<AccountingLine> accounting;
  std::optional<ReplayAlignment> alignment;
};

struct PartsPass {
  using Output = PartsResult;
  static constexpr std::string_view kName = "parts";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

// The part that takes most of the time of the kernel of this name on this device; empty when no part takes half of it.
// By StringId and kind, for the kernels table.
class PartOfKernel {
 public:
  explicit PartOfKernel(const WorkParts& parts);
  std::string_view part(StringId name, GpuKind kind) const;

 private:
  std::vector<std::string_view> by_name_;  // by StringId and kind
};

}  // namespace warpsight
