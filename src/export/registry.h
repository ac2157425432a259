// The list of exporters.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "export/exporter.h"

namespace warpsight {

// In the order in which help names them.
const std::vector<std::unique_ptr<Exporter>>& Exporters();

// Null when there is none of that name.
const Exporter* FindExporter(std::string_view name);

}  // namespace warpsight
