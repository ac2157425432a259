// Perfetto's own trace format (protobuf, track events), which ui.perfetto.dev and trace_processor read.
#pragma once

#include <memory>

#include "export/exporter.h"

namespace warpsight {

std::unique_ptr<Exporter> MakePerfettoExporter();

}  // namespace warpsight
