// Names of the counters that the importers make of an allocator's reports: the one spelling, for them and for the analysis
// of memory. The unit is bytes.
//
// Threads: constants.
#pragma once

#include <array>
#include <string_view>

namespace warpsight {

inline constexpr std::string_view kBytesUnit = "B";

// Handed out to tensors, and held from the device for them: of a device, or of the host.
struct AllocatorCounterNames {
  std::string_view allocated;
  std::string_view reserved;
};
inline constexpr AllocatorCounterNames kPytorchMemory = {"PyTorch memory allocated", "PyTorch memory reserved"};
inline constexpr AllocatorCounterNames kPytorchHostMemory = {"PyTorch host memory allocated",
                                                             "PyTorch host memory reserved"};

// How PyTorch writes a report: an instant of this name, with these args.
inline constexpr std::string_view kPytorchMemoryReport = "[memory]";
inline constexpr std::string_view kTotalAllocated = "Total Allocated";
inline constexpr std::string_view kTotalReserved = "Total Reserved";

constexpr bool IsAllocatorCounter(std::string_view name) {
  return name == kPytorchMemory.allocated || name == kPytorchMemory.reserved || name == kPytorchHostMemory.allocated ||
         name == kPytorchHostMemory.reserved;
}

}  // namespace warpsight
