// StackTree: frames of call stacks, each known by the frame that called it, its function, module and kind.
//
// Place in the flow: one in each LocalNames, one in the Trace. Append only: an index stays what it is. Errors: none.
// Threads: one while it is filled, any number afterwards.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/cpu_samples.h"

namespace warpsight {

class StackTree {
 public:
  // `frame.parent` must be an index of this tree.
  StackIndex Intern(const StackFrame& frame) {
    const auto [found, added] = index_.try_emplace(frame, static_cast<StackIndex>(frames_.size()));
    if (added) frames_.push_back(frame);
    return found->second;
  }
  // Of 1 .. size() - 1; frame 0 stands for no stack.
  const StackFrame& frame(StackIndex index) const { return frames_[index]; }
  uint32_t size() const { return static_cast<uint32_t>(frames_.size()); }

 private:
  struct Hash {
    size_t operator()(const StackFrame& frame) const {
      constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
      const uint64_t called = uint64_t{frame.parent} << 32 | static_cast<uint32_t>(frame.function);
      const uint64_t where = uint64_t{static_cast<uint32_t>(frame.module)} << 8 | static_cast<uint64_t>(frame.kind);
      return ((called * kOdd) ^ where ^ (called >> 29)) * kOdd >> 7;
    }
  };
  std::vector<StackFrame> frames_ = {StackFrame{}};
  std::unordered_map<StackFrame, StackIndex, Hash> index_;
};

}  // namespace warpsight
