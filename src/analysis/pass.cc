#include "analysis/pass.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "analysis/recorder_advice.h"
#include "base/parallel.h"

namespace warpsight {
namespace {

bool HasKind(const Trace& trace, bool (*wanted)(HostKind)) {
  const auto& kinds = trace.host().kind;
  return std::any_of(kinds.begin(), kinds.end(), wanted);
}

}  // namespace

Status CheckNeeds(const Trace& trace, Needs needs) {
  const auto lacks = [&trace](std::string_view what, std::string_view advice) {
    return LacksError(std::string(what) + ": " + std::string(RecorderAdvice(trace, advice)));
  };
  if (Has(needs, Needs::kGpuWork) && trace.gpu().size() == 0) {
    return lacks("the trace has no GPU work (kernels, copies)", "gpu_work");
  }
  if (Has(needs, Needs::kHostEvents) && !HasKind(trace, [](HostKind kind) { return kind != HostKind::kRecording; })) {
    return lacks("the trace has no host events (ops, API calls)", "host_events");
  }
  if (Has(needs, Needs::kApiCalls) && !HasKind(trace, [](HostKind kind) { return kind == HostKind::kApi; })) {
    return LacksError("the trace has no CUDA/HIP API calls, so no GPU work can be tied to its launch");
  }
  if (Has(needs, Needs::kShapes) && !trace.recording().has_shapes) return lacks("the trace has no operand shapes", "shapes");
  if (Has(needs, Needs::kFrames) && !HasKind(trace, IsFrame)) return lacks("the trace has no Python frames", "stacks");
  return OkStatus();
}

void Analysis::Adopt(const Analysis& other) {
  CHECK(&trace_ == &other.trace_);
  for (const PassTiming& timing : other.timings_) {
    if (outputs_.count(timing.pass) == 0) timings_.push_back(timing);
  }
  for (const auto& [pass, output] : other.outputs_) {
    const auto [known, taken] = outputs_.try_emplace(pass, output);
    if (!taken && known->second != output) kept_for_others_.push_back(output);
  }
  kept_for_others_.insert(kept_for_others_.end(), other.kept_for_others_.begin(), other.kept_for_others_.end());
}

void Analysis::Share(int threads, const std::function<void(Analysis& own, int worker)>& work) {
  CHECK(threads <= 2);
  Analysis beside(trace_, selection_, given_);
  beside.Adopt(*this);
  RunOnThreads(threads, [&](int worker) { work(worker == 0 ? *this : beside, worker); });
  Adopt(beside);
}

void Analysis::Record(std::string_view pass, int64_t started_ns) { timings_.push_back({pass, NowNs() - started_ns}); }

int64_t Analysis::NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace warpsight
