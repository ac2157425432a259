// ParseEvents: the event array, parsed by many workers, joined in file order.
#pragma once

#include "formats/importer.h"
#include "formats/torch_json/block_joiner.h"
#include "formats/torch_json/block_reader.h"

namespace warpsight::torch_json {

// Runs `workers` threads over the blocks of `reader` and hands the results to `joiner` in file order. At most a few blocks a
// worker are held at any time, whatever the size of the file.
void ParseEvents(BlockReader& reader, int workers, BlockJoiner& joiner);

}  // namespace warpsight::torch_json
