// Chrome trace JSON in the words of PyTorch's profiler, which chrome://tracing, Perfetto, HTA, TensorBoard and warpsight
// read.
#pragma once

#include <memory>

#include "export/exporter.h"

namespace warpsight {

std::unique_ptr<Exporter> MakeChromeExporter();

}  // namespace warpsight
