// Importer of PyTorch-profiler (Kineto) traces: Chrome JSON, CUDA and ROCm, field spellings of 2021 to today, object form
// and bare array.
#pragma once

#include <memory>

#include "formats/importer.h"

namespace warpsight {

std::unique_ptr<Importer> MakeTorchJsonImporter();

}  // namespace warpsight
