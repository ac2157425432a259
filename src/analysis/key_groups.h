// KeyGroups: the rows of a key-averages table while they are being summed, found by name, kind, shapes and stack.
//
// Place in the flow: internal to key_averages_pass. The plain table (no shapes, no stacks) finds its group through an array
// indexed by name, since that look-up happens once per event; the finer ones through a hash map.
// Units: ns. Errors: none; sums saturate. Threads: one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/key_averages_pass.h"

namespace warpsight {

struct KeyGroup {
  StringId name = StringId::kEmpty;
  KeyAverageKind kind = KeyAverageKind::kOp;
  StringId shapes = StringId::kEmpty;
  uint32_t stack = 0;  // FrameStacks id
  uint32_t next_of_name = kNoRow;
  int64_t calls = 0;
  Ns self_cpu_ns = 0;
  Ns cpu_ns = 0;
  Ns self_gpu_ns = 0;
  Ns gpu_ns = 0;
  Ns projection_ns = 0;
  bool has_host_events = false;
  bool has_projection = false;
};

class KeyGroups {
 public:
  // `finer`: groups of one name may be many, told apart by shapes or stack.
  KeyGroups(size_t names, bool finer) : first_of_name_(names, kNoRow), finer_(finer) {}

  KeyGroup& Find(StringId name, KeyAverageKind kind, StringId shapes = StringId::kEmpty, uint32_t stack = 0) {
    if (finer_) return FindFiner(name, kind, shapes, stack);
    KeyGroup* found = FirstOf(name, kind);
    return found != nullptr ? *found : groups_[Add(name, kind, shapes, stack)];
  }
  // A group of that name and kind, null when there is none.
  KeyGroup* FirstOf(StringId name, KeyAverageKind kind) {
    // A name rarely has more than one kind, and in the plain table no more groups than kinds.
    for (uint32_t at = first_of_name_[static_cast<uint32_t>(name)]; at != kNoRow; at = groups_[at].next_of_name) {
      if (groups_[at].kind == kind) return &groups_[at];
    }
    return nullptr;
  }
  const std::vector<KeyGroup>& all() const { return groups_; }

 private:
  struct Key {
    uint64_t name_and_kind;
    uint64_t shapes_and_stack;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (key.name_and_kind * 0x9E3779B97F4A7C15u) ^ ((key.shapes_and_stack + 0x7F4A7C15u) * 0xC2B2AE3D27D4EB4Fu);
    }
  };
  KeyGroup& FindFiner(StringId name, KeyAverageKind kind, StringId shapes, uint32_t stack);
  uint32_t Add(StringId name, KeyAverageKind kind, StringId shapes, uint32_t stack);

  std::vector<KeyGroup> groups_;
  std::vector<uint32_t> first_of_name_;
  std::unordered_map<Key, uint32_t, KeyHash> by_key_;
  bool finer_;
};

}  // namespace warpsight
