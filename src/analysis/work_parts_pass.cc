#include "analysis/work_parts_pass.h"

#include <algorithm>

#include "analysis/backward_parts.h"
#include "analysis/forward_passes.h"
#include "analysis/replay_parts.h"

namespace warpsight {
namespace {

// Work on the other phases has its part from the phase, unless it is communication or crosses to the host.
void DecideByPhase(WorkToken& token) {
  if (token.kind == WorkKind::kCollective) return Decide(token, Part::kCollective);
  if (token.kind == WorkKind::kMemcpy || token.kind == WorkKind::kForeachCopy) return Decide(token, Part::kCopy);
  Decide(token, token.phase == Phase::kBackward ? Part::kBackward : Part::kOptimizer);
}

ThreadIndex ThreadOf(const Trace& trace, const WorkToken& token) {
  return token.launch == kNoRow ? ~ThreadIndex{0} : trace.host().thread[token.launch];
}

}  // namespace

Result<WorkParts> WorkPartsPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const Result<Attribution>& attribution = analysis.Get<AttributionPass>();
  if (!attribution.ok()) return attribution.status();
  WorkParts parts{WorkSequence(trace, *attribution), {}, {}, attribution->confidence, {}};
  std::vector<WorkToken>& tokens = parts.sequence.tokens();
  for (size_t first = 0; first < tokens.size();) {
    size_t end = first;
    while (end < tokens.size() && ThreadOf(trace, tokens[end]) == ThreadOf(trace, tokens[first])) ++end;
    std::vector<WorkToken*> thread;
    thread.reserve(end - first);
    for (size_t i = first; i < end; ++i) thread.push_back(&tokens[i]);
    TellPhasesByName(thread);
    GiveThreadToBackward(thread);
    GiveClippingToOptimizer(thread);
    std::erase_if(thread, [](const WorkToken* token) { return token->phase != Phase::kForward; });
    if (!thread.empty()) ReadForwardPasses(parts.sequence, thread, parts.passes);
    first = end;
  }
  for (WorkToken& token : tokens) {
    if (token.phase != Phase::kForward) DecideByPhase(token);
  }
  parts.forward_part = ForwardPartsOfBackward(parts.sequence);
  AlignReplays(analysis, parts);
  return parts;
}

}  // namespace warpsight
