#include "capture/range_follower.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <exception>
#include <optional>

namespace warpsight::capture {
namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#";
constexpr size_t kMostSeen = 256;

std::string_view NameOf(const RangeDomain* domain) { return domain == nullptr ? std::string_view() : domain->name; }

// The range that this thread has pushed and that is open.
struct OwnRange {
  const RangeFollower* follower = nullptr;
  uint64_t number = 0;  // tells it from one that is long over
  const RangeDomain* domain = nullptr;
  uint32_t nested = 0;  // pushes of the same domain in it
};
thread_local OwnRange own_range;

bool IsOwn(const RangeFollower* follower, uint64_t number, const RangeDomain* domain) {
  return own_range.follower == follower && own_range.number == number && NameOf(own_range.domain) == NameOf(domain);
}

// What is repeated without being a step: the ops of PyTorch's NVTX emitter, and the ranges that NVIDIA's libraries make of
// their own calls.
bool IsNoStep(std::string_view text, std::string_view domain) {
  for (const std::string_view library : {"NCCL", "CCCL", "cuBLAS", "cuBLASLt", "cuDNN", "cuSOLVER", "cuSPARSE", "cuFFT"}) {
    if (domain == library) return true;
  }
  return text.empty() || text.starts_with("aten::") || text.find(", op_id = ") != std::string_view::npos ||
         text.find(", seq = ") != std::string_view::npos || text.find(", sizes = ") != std::string_view::npos;
}

}  // namespace

RangeFollower::RangeFollower(uint64_t steps, std::string_view written)
    : pattern_(ParseRangePattern(written)), steps_(steps) {
  if (pattern_) {
    pattern_->text = std::string(WithoutNumber(pattern_->text));
    // A name alone is looked for in every domain: few know which one their framework uses.
    pattern_->any_domain |= pattern_->domain.empty();
  }
}

RangeFollower::Turn RangeFollower::Take(const RangeEvent& event, std::string_view text) {
  try {
    switch (event.kind) {
      case RangeEventKind::kPush:
        if (open_ && IsOwn(this, opened_, event.domain)) {
          ++own_range.nested;
          return Turn::kNone;
        }
        return Open(event, text);
      case RangeEventKind::kPop:
        if (!open_ || !IsOwn(this, opened_, event.domain)) return Turn::kNone;
        return own_range.nested-- > 0 ? Turn::kNone : Close();
      case RangeEventKind::kStart:
        return Open(event, text);
      case RangeEventKind::kEnd:
        // 0 is the number of no range; a program may hold it for one that began before it was followed.
        return open_ && event.id != 0 && event.id == open_id_ ? Close() : Turn::kNone;
      case RangeEventKind::kMark:
      case RangeEventKind::kCall:
      case RangeEventKind::kGraphNode:
        return Turn::kNone;
    }
  } catch (const std::exception&) {
    return Turn::kNone;
  }
  return Turn::kNone;
}

RangeFollower::Turn RangeFollower::Open(const RangeEvent& event, std::string_view text) {
  if (over() || open_ || !IsMeant(event, text)) return Turn::kNone;
  const bool pushed = event.kind == RangeEventKind::kPush;
  const int64_t thread = syscall(SYS_gettid);
  if (steps_ != 0 && pushed && thread_ != 0 && thread_ != thread) return Turn::kNone;
  if (open_.exchange(true)) return Turn::kNone;
  if (opened_ == 0) {
    const std::lock_guard lock(mutex_);
    step_ = WithoutNumber(text);
    thread_ = thread;
  }
  const uint64_t number = ++opened_;
  open_id_ = pushed ? 0 : event.id;
  own_range = pushed ? OwnRange{this, number, event.domain, 0} : OwnRange{};
  return steps_ == 0 || number == 1 ? Turn::kBegin : Turn::kNone;
}

RangeFollower::Turn RangeFollower::Close() {
  const uint64_t done = ++done_;
  const bool last = steps_ != 0 && done == steps_;
  if (last) GiveUp();
  open_id_ = 0;
  open_ = false;
  return steps_ == 0 || last ? Turn::kEnd : Turn::kNone;
}

bool RangeFollower::IsMeant(const RangeEvent& event, std::string_view text) {
  const std::string_view domain = NameOf(event.domain);
  if (pattern_) return pattern_->Matches(steps_ == 0 ? text : WithoutNumber(text), domain);
  // Written before the first range was counted, and never again.
  if (opened_ > 0) return WithoutNumber(text) == step_;
  if (text.starts_with(kProfilerStep)) return true;
  return event.outermost && !IsNoStep(text, domain) && IsRepeated(WithoutNumber(text));
}

bool RangeFollower::IsRepeated(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto found = seen_.find(text);
  if (found != seen_.end()) return true;
  if (seen_.size() < kMostSeen) seen_.emplace(text);
  return false;
}

TriggerAnswer RangeFollower::Answer() {
  const std::lock_guard lock(mutex_);
  TriggerAnswer answer{done_, step_, {}};
  if (answer.steps > 0) return answer;
  constexpr size_t kMostNamed = 5;
  size_t named = 0;
  for (const std::string& text : seen_) {
    if (named++ == kMostNamed) break;
    answer.seen += (answer.seen.empty() ? "" : ", ") + text.substr(0, 60);
  }
  return answer;
}

}  // namespace warpsight::capture
