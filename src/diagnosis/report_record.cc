#include "diagnosis/report_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/kernels_pass.h"
#include "analysis/steps_pass.h"
#include "diagnosis/step_frame.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr std::size_t kTopKernels = 5;

std::string OrNotEvaluated(std::string text) { return text.empty() ? "not evaluated" : std::move(text); }

std::string Devices(const Trace& trace) {
  std::string text;
  for (const Device& device : trace.devices()) {
    if (!device.has_work) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "; ",
                        device.name.empty() ? fmt::format("GPU {}, name not recorded", device.id) : device.name);
  }
  return text.empty() ? "no GPU work in the recording" : text;
}

std::string FileSize(const RecordingInfo& info) {
  const std::string text = fmt::format("{} of text", FormatBytes(info.inflated_bytes));
  if (info.file_bytes < 0) return "read from a pipe, " + text;
  if (info.file_bytes == info.inflated_bytes) return FormatBytes(info.file_bytes);
  return fmt::format("{} ({}), {}", FormatBytes(info.file_bytes), info.container, text);
}

std::string PerStep(const StepFrame& frame, Ns sum_ns) {
  return fmt::format("{} {}", FormatDuration(frame.PerStep(sum_ns)), frame.has_steps ? "a step" : "in the window");
}

void AddStepFacts(const StepFrame& frame, std::vector<KeyValue>& pairs) {
  const std::string mean = frame.steps > 1 ? fmt::format(", mean of {} steps", FormatCount(frame.steps)) : "";
  pairs.push_back({frame.has_steps ? "Step, wall time" : "Window (no steps found)",
                   fmt::format("{}{}{}, under the profiler", FormatDuration(frame.PerStep(frame.wall_ns)), mean,
                               frame.is_gpu_span ? " from the first to the last GPU work" : "")});
  pairs.push_back({"Stream sum", fmt::format("{} of GPU work, summed over streams", PerStep(frame, frame.work_ns))});
  pairs.push_back({"GPU busy", fmt::format("{} ({}), overlaps counted once", PerStep(frame, frame.busy_ns),
                                           FormatShare(frame.busy_ns, frame.wall_ns))});
  pairs.push_back({"Gap", fmt::format("{} ({}) in which the GPU did nothing", PerStep(frame, frame.idle_ns()),
                                      FormatShare(frame.idle_ns(), frame.wall_ns))});
  pairs.push_back({frame.has_steps ? "Kernels per step" : "Kernels in the window",
                   fmt::format("{}, from {} launch calls", FormatNumber(frame.PerStepCount(frame.kernels)),
                               FormatNumber(frame.PerStepCount(frame.launches)))});
}

void AddTopKernels(const KernelsResult& kernels, std::vector<KeyValue>& pairs) {
  for (std::size_t i = 0; i < std::min(kTopKernels, kernels.rows.size()); ++i) {
    const KernelRow& row = kernels.rows[i];
    const std::string name = row.kind == GpuKind::kKernel ? ShortKernelName(row.name) : std::string(row.name);
    pairs.push_back({fmt::format("Top {} by GPU time", i + 1),
                     fmt::format("{} of GPU work, {}: {}", FormatShare(row.gpu_share), row.family, name)});
  }
}

}  // namespace

RecordBlock MakeRecord(Analysis& analysis, const RecordFacts& facts) {
  const Trace& trace = analysis.trace();
  const RecordingInfo& info = trace.recording();
  RecordBlock record{"Record", {}};
  std::vector<KeyValue>& pairs = record.pairs;
  pairs.push_back({"File", info.file});
  pairs.push_back({"File size", FileSize(info)});
  pairs.push_back({"Producer", info.version.empty() ? info.producer : fmt::format("{}, {}", info.producer, info.version)});
  pairs.push_back({"Device", Devices(trace)});
  if (const std::optional<StepFrame> frame = MakeStepFrame(analysis)) AddStepFacts(*frame, pairs);
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  if (kernels.ok()) AddTopKernels(*kernels, pairs);
  pairs.push_back({"Linear calls per step", OrNotEvaluated(facts.linear_calls_per_step)});
  pairs.push_back({"GEMM time per step", OrNotEvaluated(facts.gemm_time_per_step)});
  pairs.push_back({"Attention backend", OrNotEvaluated(facts.attention_backend)});
  return record;
}

}  // namespace warpsight
