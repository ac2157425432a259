// RecorderAdvice: how to record what is missing, in the words of the recorder that made the file.
//
// Place in the flow: refusals of passes and lint findings. Errors: none. Threads: pure function.
#pragma once

#include <string_view>

#include "trace/trace.h"

namespace warpsight {

// `nsys` for an Nsight Systems recording, else `torch`.
inline std::string_view RecorderAdvice(const Trace& trace, std::string_view torch, std::string_view nsys) {
  return trace.recording().producer == "nsys" ? nsys : torch;
}

}  // namespace warpsight
