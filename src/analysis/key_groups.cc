#include "analysis/key_groups.h"

namespace warpsight {

KeyGroup& KeyGroups::FindFiner(StringId name, KeyAverageKind kind, StringId shapes, uint32_t stack) {
  const Key key{uint64_t{static_cast<uint32_t>(name)} << 8 | static_cast<uint64_t>(kind),
                uint64_t{static_cast<uint32_t>(shapes)} << 32 | stack};
  const auto [entry, added] = by_key_.try_emplace(key, 0);
  if (added) entry->second = Add(name, kind, shapes, stack);
  return groups_[entry->second];
}

uint32_t KeyGroups::Add(StringId name, KeyAverageKind kind, StringId shapes, uint32_t stack) {
  const uint32_t index = static_cast<uint32_t>(groups_.size());
  uint32_t& first = first_of_name_[static_cast<uint32_t>(name)];
  groups_.push_back({.name = name, .kind = kind, .shapes = shapes, .stack = stack, .next_of_name = first});
  first = index;
  return index;
}

}  // namespace warpsight
