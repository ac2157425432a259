// Kernels that are wider than the model: FP32 and FP64 work in a half-precision model, and GEMMs without tensor cores.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/kernel_name/decoded_kernel_name.h"
#include "analysis/thresholds.h"
#include "diagnosis/eager_sequences.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

enum class Width : uint8_t { kUnknown, kHalf, kSingle, kDouble };

Width WidthOfType(std::string_view type) {
  if (type == "f64") return Width::kDouble;
  if (type == "f32" || type == "tf32") return Width::kSingle;
  // Everything else that a name tells (f16, bf16, fp8, int8) is narrower; nothing told is unknown.
  return type.empty() ? Width::kUnknown : Width::kHalf;
}

// Of what a kernel reads and writes; casts, which read one width and write another, are of none.
Width WidthOfName(const DecodedKernelName* decoded) {
  if (decoded == nullptr) return Width::kUnknown;
  const Width in = WidthOfType(decoded->a_type);
  const Width out = WidthOfType(decoded->output_type);
  if (in == Width::kUnknown || out == Width::kUnknown) return in == Width::kUnknown ? out : in;
  return in == out ? in : Width::kUnknown;
}

// Of the op's first typed operand: "['c10::Half', 'c10::Half']".
Width WidthOfTypes(std::string_view types) {
  const size_t half = std::min(types.find("c10::Half"), types.find("c10::BFloat16"));
  const size_t single = types.find("float");
  const size_t wide = types.find("double");
  const size_t first = std::min({half, single, wide});
  if (first == std::string_view::npos) return Width::kUnknown;
  if (first == half) return Width::kHalf;
  return first == single ? Width::kSingle : Width::kDouble;
}

// Width of each row's operands; each distinct text is read once.
class WidthsOf {
 public:
  explicit WidthsOf(const Trace& trace)
      : trace_(trace),
        names_(trace),
        by_types_(trace.strings().size(), kUnasked),
        by_name_(trace.strings().size(), kUnasked) {}

  Width OfOp(uint32_t row) {
    const uint32_t op = trace_.gpu().op[row];
    if (op == kNoRow || trace_.host().types[op] == StringId::kEmpty) return Width::kUnknown;
    uint8_t& width = by_types_[static_cast<uint32_t>(trace_.host().types[op])];
    if (width == kUnasked) width = static_cast<uint8_t>(WidthOfTypes(trace_.Text(trace_.host().types[op])));
    return static_cast<Width>(width);
  }
  // Of a kernel.
  Width OfName(uint32_t row) {
    uint8_t& width = by_name_[static_cast<uint32_t>(trace_.gpu().name[row])];
    if (width == kUnasked) width = static_cast<uint8_t>(WidthOfName(names_.decoded(row)));
    return static_cast<Width>(width);
  }

 private:
  static constexpr uint8_t kUnasked = 0xFF;

  const Trace& trace_;
  DecodedNamesOf names_;
  std::vector<uint8_t> by_types_;
  std::vector<uint8_t> by_name_;
};

bool IsGemm(const Trace& trace, const FrameWork& work, uint32_t row) {
  return trace.gpu().kind[row] == GpuKind::kKernel && work.Family(row) == "gemm";
}

// Whether most of the GEMM time has operands of 16 bits or fewer.
bool IsHalfModel(const Trace& trace, const FrameWork& work, WidthsOf& widths) {
  Ns half_ns = 0;
  Ns all_ns = 0;
  for (uint32_t row = work.first_row; row < work.end_row(); ++row) {
    if (work.Step(row) == kNoRow || !IsGemm(trace, work, row)) continue;
    const Width of_op = widths.OfOp(row);
    const Width width = of_op == Width::kUnknown ? widths.OfName(row) : of_op;
    all_ns = SaturatingAdd(all_ns, work.OwnNs(row));
    if (width == Width::kHalf) half_ns = SaturatingAdd(half_ns, work.OwnNs(row));
  }
  return all_ns > 0 && static_cast<double>(half_ns) > ThresholdShare("half_model_share") * static_cast<double>(all_ns);
}

struct Wide {
  int64_t kernels = 0;
  Ns time_ns = 0;
  void Add(Ns own_ns) {
    ++kernels;
    time_ns = SaturatingAdd(time_ns, own_ns);
  }
};

std::string WideText(const StepFrame& frame, std::string_view what, const Wide& wide) {
  return fmt::format("{1} kernels in {2}: {0}; they take {3} ({4} of the GPU's busy time)",
                     FormatNumber(frame.PerStepCount(wide.kernels)), what, frame.Unit(),
                     FormatDuration(frame.PerStep(wide.time_ns)), FormatShare(wide.time_ns, frame.busy_ns));
}

// A matrix product whose name tells that it does without the tensor cores; matrix-vector products have no use for them.
bool IsSimtGemm(const DecodedKernelName* decoded) {
  return decoded != nullptr && decoded->kind == "gemm" && decoded->tensor_cores == TensorCoreUse::kNotUsed;
}

// NVIDIA's GPUs have tensor cores since Volta (7.0); AMD's generations with matrix units count from 9.
bool LacksTensorCores(const Device& device) {
  constexpr int kFirstWithTensorCores = 7;
  return device.compute_major > 0 && device.compute_major < kFirstWithTensorCores;
}

}  // namespace

void RunWideTypes(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  WidthsOf widths(trace);
  if (!IsHalfModel(trace, *work, widths)) return;
  Finding finding;
  Wide single;
  Wide wide;
  // A norm computes in 32 bits on purpose; that it does so op by op is a finding of its own.
  std::vector<bool> in_norm(work->own_ns.size(), false);
  for (const Sequence& norm : FindEagerNorms(*work)) {
    for (const uint32_t row : norm) in_norm[row - work->first_row] = true;
  }
  for (const std::vector<uint32_t>& rows : work->by_stream) {
    for (const uint32_t row : rows) {
      // Optimizers keep 32 bits on purpose, and reductions accumulate in them.
      const std::string_view family = work->Family(row);
      if (family != "elementwise" && family != "gemm" && family != "copy" && family != "attention") continue;
      if (trace.gpu().kind[row] != GpuKind::kKernel || in_norm[row - work->first_row]) continue;
      const Width width = widths.OfName(row);
      if (width != Width::kSingle && width != Width::kDouble) continue;
      if (const Width of_op = widths.OfOp(row); of_op != Width::kUnknown && of_op != width) continue;
      const Ns own_ns = work->OwnNs(row);
      (width == Width::kSingle ? single : wide).Add(own_ns);
      // Half of the bytes go with 16 bits instead of 32, three quarters with 16 instead of 64.
      finding.claims.Add(row, width == Width::kSingle ? own_ns / 2 : own_ns / 4 * 3);
    }
  }
  if (finding.claims.rows.empty()) return;
  finding.id = "wide_types";
  finding.title =
      wide.kernels > 0 ? "FP64 and FP32 kernels in a half-precision model" : "FP32 kernels in a half-precision model";
  finding.least_ns = LeastBusyGain(*frame);
  if (single.kernels > 0) finding.evidence.push_back(WideText(*frame, "FP32", single));
  if (wide.kernels > 0) finding.evidence.push_back(WideText(*frame, "FP64", wide));
  finding.evidence.push_back("the gain is the share of the bytes that 16-bit types would not move");
  finding.advice = FindingAdvice(analysis, "narrow_types");
  findings.push_back(std::move(finding));
}

void RunTensorCoresUnused(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  if (LacksTensorCores(*trace.FindDevice(frame->device))) return;
  DecodedNamesOf names(trace);
  const double left = 1 / ThresholdRatio("tensor_core_speedup");
  Finding finding;
  Wide simt;
  Ns gemm_ns = 0;
  std::string_view example;
  for (const std::vector<uint32_t>& rows : work->by_stream) {
    for (const uint32_t row : rows) {
      if (!IsGemm(trace, *work, row)) continue;
      gemm_ns = SaturatingAdd(gemm_ns, work->OwnNs(row));
      if (!IsSimtGemm(names.decoded(row))) continue;
      if (example.empty()) example = trace.Text(trace.gpu().name[row]);
      simt.Add(work->OwnNs(row));
      finding.claims.Add(row, static_cast<Ns>(static_cast<double>(work->OwnNs(row)) * (1 - left)));
    }
  }
  if (simt.kernels == 0) return;
  finding.id = "tensor_cores_unused";
  finding.title = "GEMMs do not use the tensor cores";
  finding.least_ns = LeastBusyGain(*frame);
  finding.evidence.push_back(WideText(*frame, "GEMM", simt) +
                             fmt::format(", {} of the GEMM time", FormatShare(simt.time_ns, gemm_ns)));
  finding.evidence.push_back(
      fmt::format("their names show no tensor-core instruction, such as {}", ShortKernelName(example)));
  finding.evidence.push_back("the gain takes tensor cores to be twice as fast, which holds on every device that has them");
  finding.advice = FindingAdvice(analysis, "tensor_cores");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
