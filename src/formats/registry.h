// The lists of importers.
#pragma once

#include <memory>
#include <vector>

#include "formats/counter_importer.h"
#include "formats/importer.h"

namespace warpsight {

// In the order in which they are asked whether they recognise a file.
const std::vector<std::unique_ptr<Importer>>& Importers();
const std::vector<std::unique_ptr<CounterImporter>>& CounterImporters();

}  // namespace warpsight
