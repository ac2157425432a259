#include "analysis/lint/lint_check.h"

#include <fmt/format.h>

#include <array>

#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr LintCheck kChecks[] = {
    {"no_events", "did the recording reach its active phase?", CheckNoEvents},
    {"gpu_not_recorded", "is there GPU work for the API calls?", CheckGpuNotRecorded},
    {"ops_not_recorded", "are there ops to attribute GPU work to?", CheckOpsNotRecorded},
    {"shapes_not_recorded", "are there operand shapes?", CheckShapesNotRecorded},
    {"clock_base_unknown", "can times be compared with other recordings?", CheckClockBase},
    {"rank_clock_uncalibrated", "can times be compared across ranks?", CheckRankClock},
    {"work_without_launch", "does all GPU work have its launch call?", CheckWorkWithoutLaunch},
    {"launch_without_work", "do all launch calls have GPU work?", CheckLaunchWithoutWork},
    {"launch_after_start", "do host and device clocks agree?", CheckLaunchAfterStart},
    {"attribution_disagreement", "do External id and containment name the same op?", CheckAttributionDisagreement},
    {"zero_duration", "has all GPU work a duration?", CheckZeroDuration},
    {"absurd_duration", "is any record longer than the rest of the capture?", CheckAbsurdDuration},
    {"stream_overlap", "does work on one stream overlap?", CheckStreamOverlap},
    {"no_steps", "are there steps?", CheckNoSteps},
    {"steps_not_synchronised", "does the work of a step run inside of it?", CheckStepsNotSynchronised},
    {"first_step_slow", "is warm-up work inside the window?", CheckFirstStepSlow},
    {"profiler_overhead", "does the profiler's own work disturb the steps?", CheckProfilerOverhead},
    {"cpu_time_is_not_gpu_time", "may the CPU time of ops be read as GPU time?", CheckCpuTimeOfOps},
    {"import", "what did the import repair or leave out?", CheckImportCauses},
    {"large_file", "what makes the file big?", CheckLargeFile},
};

// Without template arguments, which are long and tell nothing in an example.
std::string ExampleName(std::string_view name) {
  const std::string brief = ShortKernelName(name);
  const size_t arguments = brief.find('<');
  return arguments == std::string::npos || arguments == 0 ? brief : brief.substr(0, arguments) + "<...>";
}

}  // namespace

std::span<const LintCheck> AllLintChecks() { return kChecks; }

std::string_view LintSeverityName(LintSeverity severity) {
  constexpr std::string_view kNames[] = {"info", "warning", "error"};
  return kNames[static_cast<size_t>(severity)];
}

LintCounts CountRows(const Trace& trace, const ApiCallKinds& kinds) {
  const HostEvents& host = trace.host();
  std::array<int64_t, kHostKinds> of_kind = {};
  LintCounts counts;
  for (uint32_t row = 0; row < host.size(); ++row) {
    const HostKind kind = host.kind[row];
    ++of_kind[static_cast<size_t>(kind)];
    if (kind == HostKind::kApi) {
      counts.launching_calls += GivesGpuWork(kinds.kind(row)) ? 1 : 0;
    } else if (kind == HostKind::kOp && (host.parent[row] == kNoRow || host.kind[host.parent[row]] != HostKind::kOp)) {
      ++counts.outermost_ops;
      counts.outermost_ops_ns = SaturatingAdd(counts.outermost_ops_ns, host.duration_ns(row));
    }
  }
  const auto count = [&of_kind](HostKind kind) { return of_kind[static_cast<size_t>(kind)]; };
  counts.ops = count(HostKind::kOp);
  counts.ranges = count(HostKind::kRange);
  counts.api_calls = count(HostKind::kApi);
  counts.overhead = count(HostKind::kOverhead);
  counts.other = count(HostKind::kOther);
  counts.recordings = count(HostKind::kRecording);
  counts.frames = count(HostKind::kPythonFrame);
  counts.gpu = trace.gpu().size();
  return counts;
}

std::string DescribeGpuWork(const Trace& trace, uint32_t gpu_row) {
  const GpuWork& gpu = trace.gpu();
  const Stream& stream = trace.streams()[gpu.stream[gpu_row]];
  return fmt::format("{} on device {} stream {} at +{}, {}", ExampleName(trace.Text(gpu.name[gpu_row])), stream.device,
                     stream.label, FormatDuration(SaturatingSubtract(gpu.start_ns[gpu_row], trace.capture().start)),
                     FormatDuration(gpu.duration_ns(gpu_row)));
}

double ShareOf(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace warpsight
