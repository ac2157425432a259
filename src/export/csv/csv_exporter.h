// The tables of the trace as CSV, a file each.
#pragma once

#include <memory>

#include "export/exporter.h"

namespace warpsight {

std::unique_ptr<Exporter> MakeCsvExporter();

}  // namespace warpsight
