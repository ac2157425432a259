// Which calls of the CUDA runtime and driver are recorded.
//
// A framework asks thousands of times a second which device is current or whether the last call failed; such calls tell
// nothing, and recording them costs more than the calls (a decode step of PyTorch makes 12 cudaGetDevice a kernel). Of the
// driver's calls only those are recorded that programs make themselves and that move work or memory: the runtime's own use
// of the driver would double every record. Names are CUPTI's without their version. Threads: pure.
#pragma once

#include <string_view>

namespace warpsight::capture::cupti {

bool IsRuntimeCallFollowed(std::string_view name);
bool IsDriverCallFollowed(std::string_view name);

}  // namespace warpsight::capture::cupti
