// Lint checks: problems of the recording itself, each one small function in one list.
//
// A check looks at a sealed trace and appends what it finds: the symptom in the file, what that does to the results, and
// what to do. To add one: write the function in a file of this folder, declare it below, add a line to the list in
// lint_check.cc.
// Severity: error = results are wrong or missing, warning = some results are affected, info = good to know.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/recorder_advice.h"
#include "analysis/steps_pass.h"
#include "trace/trace.h"

namespace warpsight {

enum class LintSeverity : uint8_t { kInfo, kWarning, kError };
// "info", "warning", "error".
std::string_view LintSeverityName(LintSeverity severity);

struct LintFinding {
  std::string id;  // the check's, or the cause's for findings of the import
  LintSeverity severity = LintSeverity::kInfo;
  int64_t count = 0;  // events concerned
  std::string symptom;
  std::string effect;
  std::string advice;  // empty when there is nothing to do
  std::vector<std::string> examples;
};

// Rows by what they are.
struct LintCounts {
  int64_t ops = 0;
  int64_t ranges = 0;
  int64_t api_calls = 0;
  int64_t launching_calls = 0;  // calls whose name says that they give the GPU work
  int64_t overhead = 0;
  int64_t other = 0;
  int64_t recordings = 0;
  int64_t frames = 0;
  int64_t gpu = 0;
  int64_t outermost_ops = 0;  // ops that no op called
  Ns outermost_ops_ns = 0;
};
LintCounts CountRows(const Trace& trace, const ApiCallKinds& kinds);

struct LintContext {
  const Trace& trace;
  const ApiCallKinds& kinds;
  const StepsResult& steps;
  LintCounts counts;
  bool is_torch = true;  // a program of PyTorch, see TorchProgramPass

  // Advice by who recorded, and by what was recorded, as sentences.
  std::string ForRecorder(std::string_view id) const { return AdviceSentence(RecorderAdvice(trace, id)); }
  std::string ForProgram(std::string_view id) const { return AdviceSentence(ProgramAdvice(is_torch, id)); }
};

using LintFindings = std::vector<LintFinding>;

struct LintCheck {
  std::string_view id;
  std::string_view asks;  // the question that the check answers
  void (*run)(const LintContext& context, LintFindings& findings);
};
std::span<const LintCheck> AllLintChecks();

// "gemm on device 0 stream 7 at +1.234 ms, 12.30 us": how examples name GPU work. The time counts from the capture's start.
std::string DescribeGpuWork(const Trace& trace, uint32_t gpu_row);
// A share of `part` in `whole` as limits want it; 0 when `whole` is 0.
double ShareOf(int64_t part, int64_t whole);
inline constexpr size_t kMaxLintExamples = 3;

// recording_checks.cc: what was not recorded.
void CheckNoEvents(const LintContext& context, LintFindings& findings);
void CheckGpuNotRecorded(const LintContext& context, LintFindings& findings);
void CheckOpsNotRecorded(const LintContext& context, LintFindings& findings);
void CheckShapesNotRecorded(const LintContext& context, LintFindings& findings);
void CheckClockBase(const LintContext& context, LintFindings& findings);
void CheckRankClock(const LintContext& context, LintFindings& findings);
// attribution_checks.cc: how well work and launches fit together.
void CheckWorkWithoutLaunch(const LintContext& context, LintFindings& findings);
void CheckLaunchWithoutWork(const LintContext& context, LintFindings& findings);
void CheckLaunchAfterStart(const LintContext& context, LintFindings& findings);
void CheckAttributionDisagreement(const LintContext& context, LintFindings& findings);
// gpu_time_checks.cc: durations and overlaps of GPU work.
void CheckZeroDuration(const LintContext& context, LintFindings& findings);
void CheckAbsurdDuration(const LintContext& context, LintFindings& findings);
void CheckStreamOverlap(const LintContext& context, LintFindings& findings);
// step_checks.cc: whether step times mean what they seem to.
void CheckNoSteps(const LintContext& context, LintFindings& findings);
void CheckStepsNotSynchronised(const LintContext& context, LintFindings& findings);
void CheckFirstStepSlow(const LintContext& context, LintFindings& findings);
void CheckProfilerOverhead(const LintContext& context, LintFindings& findings);
// reading_checks.cc: numbers that are read as what they are not.
void CheckCpuTimeOfOps(const LintContext& context, LintFindings& findings);
// file_checks.cc: the file itself.
void CheckImportCauses(const LintContext& context, LintFindings& findings);
void CheckLargeFile(const LintContext& context, LintFindings& findings);

}  // namespace warpsight
