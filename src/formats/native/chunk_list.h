// ChunkList: the chunks of a capture file, found by walking over their headers.
//
// Place in the flow: ByteSource -> this -> chunk_rows. A file that ends inside of a chunk, or whose next header is
// damaged, has the chunks before; the list says what came after. Chunks stay compressed until they are read. Errors:
// kUnreadable when the file's own header is not one that is known. Threads: immutable once read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/status.h"
#include "wire/capture_layout.h"

namespace warpsight::native {

struct StoredChunk {
  wire::ChunkHeader header = {};
  uint64_t number = 0;     // among the chunks of the file
  uint64_t offset = 0;     // of the frame, in the file
  std::string_view frame;  // borrowed from the file's bytes
};

struct ChunkList {
  uint32_t version = 0;
  std::vector<StoredChunk> chunks;
  uint64_t damaged_at = 0;  // where reading stopped; 0 = at the end of the file
  uint64_t bytes_left = 0;  // from there to the end
};

Result<ChunkList> ListChunks(std::string_view file, const std::string& name);
// The same by reading headers alone, of a file with random access: the frames are empty.
Result<ChunkList> ListChunkHeaders(const ByteSource& file);

// Whether the chunks inflate to no more than events can shrink to; asked before any is inflated.
Status CheckExpansion(const ChunkList& list, const std::string& name);

// The inflated bytes of a chunk; false when the frame does not give what the header says.
bool Inflate(const StoredChunk& chunk, std::vector<uint8_t>& raw);

}  // namespace warpsight::native
