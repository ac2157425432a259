#include "diagnosis/step_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/units.h"

namespace warpsight {

int64_t StepCalls::Count(ApiCallKind kind) const {
  int64_t count = 0;
  for (const CallSum& call : calls) count += call.kind == kind ? call.calls : 0;
  return count;
}

std::string StepCalls::Text(const StepFrame& frame, bool (*wanted)(ApiCallKind)) const {
  std::string text;
  for (const CallSum& call : calls) {
    if (!wanted(call.kind)) continue;
    text += fmt::format("{}{} {} (calls: {})", text.empty() ? "" : ", ", call.name,
                        FormatDuration(frame.PerStep(call.time_ns)), FormatNumber(frame.PerStepCount(call.calls)));
  }
  return text;
}

Result<StepCalls> StepCallsPass::Run(Analysis& analysis) {
  const Result<FrameWindows>& frame = analysis.Get<FrameWindowsPass>();
  if (!frame.ok()) return frame.status();
  const Trace& trace = analysis.trace();
  const HostEvents& host = trace.host();
  const ApiCallKinds kinds(trace);
  std::vector<uint32_t> sum_of_name(trace.strings().size(), kNoRow);
  StepCalls result;
  for (const Thread& thread : trace.threads()) {
    auto window = frame->windows.begin();
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      if (host.kind[row] != HostKind::kApi) continue;
      while (window != frame->windows.end() && window->end <= host.start_ns[row]) ++window;
      if (window == frame->windows.end()) break;
      if (!window->Contains(host.start_ns[row])) continue;
      uint32_t& at = sum_of_name[static_cast<uint32_t>(host.name[row])];
      if (at == kNoRow) {
        at = static_cast<uint32_t>(result.calls.size());
        result.calls.push_back({trace.Text(host.name[row]), kinds.kind(row)});
      }
      ++result.calls[at].calls;
      result.calls[at].time_ns = SaturatingAdd(result.calls[at].time_ns, host.duration_ns(row));
    }
  }
  std::stable_sort(result.calls.begin(), result.calls.end(),
                   [](const CallSum& a, const CallSum& b) { return a.time_ns > b.time_ns; });
  return result;
}

}  // namespace warpsight
