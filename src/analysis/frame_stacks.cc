#include "analysis/frame_stacks.h"

#include <utility>

namespace warpsight {
namespace {

constexpr uint32_t kUnknown = ~uint32_t{0};

}  // namespace

FrameStacks::FrameStacks(const Trace& trace, int frames) : frames_(frames), stack_of_row_(trace.host().size(), kUnknown) {
  const auto empty = ids_.emplace(std::vector<StringId>{}, 0).first;
  names_.push_back(&empty->first);
  const HostEvents& host = trace.host();
  for (const Thread& thread : trace.threads()) {
    uint32_t next = thread.first_frame;
    uint32_t open = kNoRow;
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      const Ns now = host.start_ns[row];
      for (; next < thread.end && host.start_ns[next] <= now; ++next) open = next;
      while (open != kNoRow && host.end_ns[open] <= now) open = host.parent[open];
      stack_of_row_[row] = open == kNoRow ? 0 : InternStackOf(host, open);
    }
  }
}

uint32_t FrameStacks::InternStackOf(const HostEvents& host, uint32_t frame) {
  uint32_t& known = stack_of_row_[frame];
  if (known != kUnknown) return known;
  std::vector<StringId> stack;
  for (uint32_t at = frame; at != kNoRow && stack.size() < static_cast<size_t>(frames_); at = host.parent[at]) {
    stack.push_back(host.name[at]);
  }
  const auto [entry, added] = ids_.emplace(std::move(stack), static_cast<uint32_t>(names_.size()));
  if (added) names_.push_back(&entry->first);
  known = entry->second;
  return known;
}

}  // namespace warpsight
