// Copies between host and device that nothing overlaps, and copies of pageable memory, which make the host wait as well.
#include <fmt/format.h>

#include "diagnosis/exposed_time.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_host_time.h"
#include "document/units.h"

namespace warpsight {
namespace {

bool IsHostCopy(const GpuWork& gpu, uint32_t row) {
  return gpu.kind[row] == GpuKind::kMemcpy &&
         (gpu.copy_kind[row] == CopyKind::kHostToDevice || gpu.copy_kind[row] == CopyKind::kDeviceToHost);
}

bool IsPageable(const GpuWork& gpu, uint32_t row) {
  const MemoryKind host =
      gpu.copy_kind[row] == CopyKind::kHostToDevice ? gpu.source_memory[row] : gpu.destination_memory[row];
  return host == MemoryKind::kPageable;
}

struct CopySums {
  int64_t copies = 0;
  int64_t pageable = 0;
  int64_t beside_kernels = 0;  // on a stream that runs kernels too
  int64_t bytes = 0;
};

CopySums SumCopies(const Trace& trace, const FrameWork& work, const ExposedTime& exposed) {
  const GpuWork& gpu = trace.gpu();
  std::vector<bool> has_kernels(trace.streams().size(), false);
  for (const std::vector<uint32_t>& rows : work.by_stream) {
    for (const uint32_t row : rows) {
      if (gpu.kind[row] == GpuKind::kKernel) has_kernels[gpu.stream[row]] = true;
    }
  }
  CopySums sums;
  for (const Claims::Row& claim : exposed.rows) {
    ++sums.copies;
    sums.pageable += IsPageable(gpu, claim.gpu_row) ? 1 : 0;
    sums.beside_kernels += has_kernels[gpu.stream[claim.gpu_row]] ? 1 : 0;
    sums.bytes = SaturatingAdd(sums.bytes, std::max<int64_t>(0, gpu.bytes[claim.gpu_row]));
  }
  return sums;
}

void Describe(const StepFrame& frame, const ExposedTime& exposed, const CopySums& sums, Ns host_ns, Finding& finding) {
  const double rate = exposed.work_ns == 0 ? 0 : static_cast<double>(sums.bytes) / static_cast<double>(exposed.work_ns);
  finding.evidence.push_back(fmt::format("copies between host and device in {}: {}, of {} in {} ({} GB/s)", frame.Unit(),
                                         FormatNumber(frame.PerStepCount(sums.copies)),
                                         FormatBytes(sums.bytes / frame.steps),
                                         FormatDuration(frame.PerStep(exposed.work_ns)), FormatNumber(rate)));
  finding.evidence.push_back(fmt::format("nothing else ran for {} of that; other work that could hide it: {}",
                                         FormatDuration(frame.PerStep(exposed.exposed_ns)),
                                         FormatDuration(frame.PerStep(exposed.others_ns))));
  if (sums.pageable > 0) {
    finding.evidence.push_back(fmt::format(
        "copies of pageable memory, whose call returns only when the copy is made: {} of {}{}", FormatCount(sums.pageable),
        FormatCount(sums.copies),
        host_ns > 0 ? fmt::format("; the GPU was idle for {} meanwhile", FormatDuration(frame.PerStep(host_ns))) : ""));
  }
  if (sums.beside_kernels > 0) {
    finding.evidence.push_back(fmt::format("copies on a stream that runs kernels too, in order with them: {} of {}",
                                           FormatCount(sums.beside_kernels), FormatCount(sums.copies)));
  }
}

}  // namespace

void RunBlockingCopies(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  const ExposedTime exposed =
      MeasureExposed(trace, *frame, *work, [&](uint32_t row) { return IsHostCopy(trace.gpu(), row); });
  if (exposed.rows.empty()) return;
  const CopySums sums = SumCopies(trace, *work, exposed);
  Finding finding;
  finding.id = "blocking_copies";
  finding.title = "Copies between host and device block the step";
  finding.claims = HideBehindOthers(exposed);
  finding.least_ns = LeastBusyGain(*frame);
  Ns host_ns = 0;
  if (const Result<StepHostTime>& times = analysis.Get<StepHostTimePass>(); sums.pageable > 0 && times.ok()) {
    host_ns = std::min(times->In(IdleClass::kHostWork, ApiCallKind::kCopy), PartOf(frame->idle, IdleClass::kHostWork));
    PartOf(finding.claims.idle, IdleClass::kHostWork) = host_ns;
  }
  Describe(*frame, exposed, sums, host_ns, finding);
  finding.advice = FindingAdvice(analysis, "async_copies");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
