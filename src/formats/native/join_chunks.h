// JoinChunks: what only all chunks of a capture together can settle, and the header of the trace.
//
// Place in the flow: ChunkRows of every chunk, in the order of the file -> this -> Seal. Pushed ranges are closed by the
// pops of their thread and domain, started ones by their id; correlation ids, which every process numbers from 1, are made
// unique; synchronisations find their device; chunks that are missing, and what the recorder said it lost, go to the
// ledger. Errors: none. Threads: one.
#pragma once

#include <vector>

#include "formats/native/chunk_rows.h"
#include "trace/trace_builder.h"

namespace warpsight::native {

// `sequences`: of each chunk, its number in its process.
void JoinChunks(std::vector<ChunkRows>& chunks, const std::vector<uint32_t>& sequences, TraceHeader& header, ImportLog& log);

}  // namespace warpsight::native
