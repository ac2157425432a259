// Importer for capture files of `warpsight record` (wire/capture_layout.h).
#pragma once

#include <memory>

#include "formats/importer.h"

namespace warpsight {

std::unique_ptr<Importer> MakeCaptureImporter();

}  // namespace warpsight
