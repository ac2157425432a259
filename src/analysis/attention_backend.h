// AttentionBackend: which implementation computes attention, from the ops and kernels of the attention part.
//
// "cuDNN flash", "flash", "flash 3", "memory-efficient", "math", "eager", "paged", "FlashInfer", "Triton": words of
// docs/parts.md. The backend that takes most of the time wins. Thread-compatible.
#pragma once

#include <string>

#include "analysis/work_parts_pass.h"

namespace warpsight {

std::string AttentionBackend(const WorkParts& parts);

}  // namespace warpsight
