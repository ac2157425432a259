#include "analysis/sampled_function.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

StringId FunctionOf(const StackTree& stacks, StackIndex stack) {
  StringId innermost = StringId::kEmpty;
  for (; stack != 0; stack = stacks.frame(stack).parent) {
    const StackFrame& frame = stacks.frame(stack);
    if (frame.kind == FrameKind::kPython) return frame.function;
    if (innermost == StringId::kEmpty && frame.kind == FrameKind::kNative) innermost = frame.function;
  }
  return innermost;
}

}  // namespace

StringId SampledFunction(const Trace& trace, ThreadIndex thread, Interval time) {
  const CpuSamples& samples = trace.cpu_samples();
  const auto begin = samples.time_ns.begin() + trace.threads()[thread].first_sample;
  const auto end = samples.time_ns.begin() + trace.threads()[thread].end_sample;
  std::vector<std::pair<StringId, int64_t>> counts;
  for (auto at = std::lower_bound(begin, end, time.start); at != end && *at < time.end; ++at) {
    const StringId function = FunctionOf(trace.stacks(), samples.stack[static_cast<size_t>(at - samples.time_ns.begin())]);
    if (function == StringId::kEmpty) continue;
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& one) { return one.first == function; });
    if (found == counts.end()) {
      counts.emplace_back(function, 1);
    } else {
      ++found->second;
    }
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? StringId::kEmpty : most->first;
}

}  // namespace warpsight
