#include "trace/trace.h"

#include <algorithm>

namespace warpsight {

const Device* Trace::FindDevice(int32_t id) const {
  const auto found = std::ranges::lower_bound(devices_, id, {}, &Device::id);
  return found != devices_.end() && found->id == id ? &*found : nullptr;
}

int64_t Trace::flow_count() const {
  int64_t count = 0;
  for (const auto& segment : flows_) count += static_cast<int64_t>(segment.size());
  return count;
}

int64_t Trace::instant_count() const {
  int64_t count = 0;
  for (const auto& segment : instants_) count += static_cast<int64_t>(segment.size());
  return count;
}

}  // namespace warpsight
