#include "analysis/flame/flame_tree.h"

#include "analysis/key_averages_pass.h"
#include "analysis/module_frame.h"
#include "base/check.h"
#include "trace/profiler_step.h"

namespace warpsight {

std::string_view FlameKindName(FlameKind kind) {
  constexpr std::string_view kNames[] = {"thread",     "device",   "stream", "op",     "api",
                                         "annotation", "overhead", "module", "python", "native",
                                         "system",     "kernel",   "memcpy", "memset", "rest"};
  return kNames[static_cast<size_t>(kind)];
}

uint32_t FlameTree::NameId(std::string_view text) {
  const auto [found, added] = name_ids_.try_emplace(text, static_cast<uint32_t>(names_.size()));
  if (added) names_.push_back(text);
  return found->second;
}

uint32_t FlameTree::Child(uint32_t parent, uint32_t name, FlameKind kind) {
  const auto [found, added] = by_key_.try_emplace(Key{parent, name, kind}, static_cast<uint32_t>(frames_.size()));
  if (added) {
    frames_.push_back({.name = names_[name], .parent = parent, .kind = kind});
    depths_.push_back(parent == kNoRow ? 0 : depths_[parent] + 1);
  }
  return found->second;
}

std::vector<FlameFrame> FlameTree::TakeFrames() {
  for (size_t i = frames_.size(); i-- > 0;) {
    FlameFrame& frame = frames_[i];
    frame.total = SaturatingAdd(frame.total, frame.self);
    if (frame.parent == kNoRow) continue;
    CHECK(frame.parent < i);
    frames_[frame.parent].total = SaturatingAdd(frames_[frame.parent].total, frame.total);
  }
  by_key_.clear();
  return std::move(frames_);
}

uint32_t FlameNames::OfHost(uint32_t row) {
  const StringId name = trace_.host().name[row];
  const bool is_step = trace_.host().kind[row] == HostKind::kRange && IsProfilerStep(trace_.Text(name));
  return is_step ? tree_.NameId(kAnyProfilerStep) : Of(name);
}

FlameKind HostFlameKind(const Trace& trace, uint32_t row) {
  if (IsFrame(trace.host().kind[row]))
    return IsModuleFrame(trace.Text(trace.host().name[row])) ? FlameKind::kModule : FlameKind::kPython;
  switch (KeyAverageKindOf(trace.host(), row)) {
    case KeyAverageKind::kApi:
      return FlameKind::kApi;
    case KeyAverageKind::kOverhead:
      return FlameKind::kOverhead;
    case KeyAverageKind::kAnnotation:
      return FlameKind::kRange;
    default:
      return FlameKind::kOp;
  }
}

}  // namespace warpsight
