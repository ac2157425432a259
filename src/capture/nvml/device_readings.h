// DeviceReadings: what NVML says of one device, read again and again.
//
// Place in the flow: NvmlSampler's thread -> this -> SampleRing. A reading that the device does not support is not asked for
// again. Rates of NVLink are made of its byte counters, between one reading and the next. Nothing is allocated.
// Units: those of base/gpu_counter_names.h. Errors: a reading that fails gives no sample. Threads: one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "capture/nvml/nvml_library.h"
#include "capture/nvml/sample_ring.h"

namespace warpsight::capture::nvml {

class DeviceReadings {
 public:
  DeviceReadings() = default;
  DeviceReadings(const NvmlLibrary& nvml, Device handle, uint32_t device) : nvml_(&nvml), handle_(handle), device_(device) {}

  // All that is quick to ask, as of `now_ns`; the limits too when they have not been read for a second.
  void Read(uint64_t now_ns, SampleRing& ring);
  // One direction of PCIe when it has not been read for a second. Blocks for about 20 ms. False when nothing was due.
  bool ReadPcie(uint64_t (*clock)(), SampleRing& ring);

 private:
  static constexpr size_t kReadings = 12;  // kinds of questions, each with its own support

  void ReadNvlink(uint64_t now_ns, SampleRing& ring);
  // Whether the answer is one; remembers what is not supported.
  bool Judge(size_t reading, int result);
  void Put(GpuCounter counter, uint64_t time_ns, int64_t value, SampleRing& ring) const {
    ring.Put({time_ns, value, device_, counter});
  }

  const NvmlLibrary* nvml_ = nullptr;
  Device handle_ = nullptr;
  uint32_t device_ = 0;
  std::array<bool, kReadings> dropped_ = {};
  std::array<uint8_t, kReadings> failures_ = {};  // one after the other
  uint64_t limits_read_ns_ = 0;
  std::array<uint64_t, 2> pcie_read_ns_ = {};
  uint64_t nvlink_read_ns_ = 0;  // 0 = not yet
  std::array<uint64_t, 2> nvlink_kib_ = {};
};

}  // namespace warpsight::capture::nvml
