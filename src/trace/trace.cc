#include "trace/trace.h"

namespace warpsight {

const Device* Trace::FindDevice(int32_t id) const {
  for (const Device& device : devices_) {
    if (device.id == id) return &device;
  }
  return nullptr;
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
