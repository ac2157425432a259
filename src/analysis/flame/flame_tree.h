// FlameTree: stacks folded into one tree of frames: equal stacks are one frame, and what they cost is added up.
//
// Place in the flow: host_flame, gpu_flame and sample_flame walk the rows of a Trace -> FlameTree -> FlameResult ->
// flame_document. A frame is known by the frame around it, its name and its kind. `self` is what was spent in the frame
// itself, `total` that and all below it. Units: ns, or CPU samples. Errors: none; sums saturate. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class FlameKind : uint8_t {
  kThread,
  kDevice,
  kStream,
  kOp,
  kApi,
  kRange,
  kOverhead,
  kModule,
  kPython,
  kNative,
  kSystem,  // of the operating system
  kKernel,
  kMemcpy,
  kMemset,
  kRest,  // frames that were left out, together
};
std::string_view FlameKindName(FlameKind kind);

struct FlameFrame {
  std::string_view name = {};  // of the trace or of the tree
  uint32_t parent = kNoRow;    // its place; kNoRow for the outermost
  FlameKind kind = FlameKind::kOp;
  int64_t self = 0;  // siblings that overlap in time can make it negative
  int64_t total = 0;
  int64_t count = 0;            // events; samples in the frame itself
  int64_t frames_left_out = 0;  // of kRest
};

class FlameTree {
 public:
  // A name as a number, the same for equal texts. The text must outlive the tree, or be given to it.
  uint32_t NameId(std::string_view text);
  uint32_t OwnName(std::string text) { return NameId(owned_.emplace_back(std::move(text))); }

  // The frame of that name below `parent` (kNoRow: outermost), made where there is none.
  uint32_t Child(uint32_t parent, uint32_t name, FlameKind kind);
  void Add(uint32_t frame, int64_t self, int64_t count) {
    frames_[frame].self = SaturatingAdd(frames_[frame].self, self);
    frames_[frame].count += count;
  }
  // How many frames lie around it.
  uint32_t depth(uint32_t frame) const { return depths_[frame]; }
  // Frames in the order in which they were made, so that a parent stands before its children; with their totals.
  std::vector<FlameFrame> TakeFrames();
  // Keeps the texts that the frames borrow.
  std::deque<std::string> TakeNames() { return std::move(owned_); }

 private:
  struct Key {
    uint32_t parent;
    uint32_t name;
    FlameKind kind;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      const uint64_t mixed = (uint64_t{key.parent} << 32 | key.name) * 0x9E3779B97F4A7C15u;
      return static_cast<size_t>((mixed ^ (mixed >> 29) ^ static_cast<uint64_t>(key.kind) << 17) * 0xC2B2AE3D27D4EB4Fu >> 7);
    }
  };
  std::vector<FlameFrame> frames_;
  std::vector<uint32_t> depths_;
  std::unordered_map<Key, uint32_t, KeyHash> by_key_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, uint32_t> name_ids_;
  std::deque<std::string> owned_;  // does not move its elements
};

// Names of a trace as the tree numbers them, each text looked up once.
class FlameNames {
 public:
  FlameNames(const Trace& trace, FlameTree& tree) : trace_(trace), tree_(tree), ids_(trace.strings().size(), kNoRow) {}
  uint32_t Of(StringId name) {
    uint32_t& id = ids_[static_cast<uint32_t>(name)];
    if (id == kNoRow) id = tree_.NameId(trace_.Text(name));
    return id;
  }
  // Of a host event: the steps of torch's profiler are one frame, as in `ops`.
  uint32_t OfHost(uint32_t row);

 private:
  const Trace& trace_;
  FlameTree& tree_;
  std::vector<uint32_t> ids_;
};

// The kind of a host event's frame.
FlameKind HostFlameKind(const Trace& trace, uint32_t row);

}  // namespace warpsight
