// ChunkPacker: a chunk's raw bytes as they stand in a file: header and zstd frame.
//
// Place in the flow: chunk_encoder -> this -> chunk_file in the recorded program; and in `warpsight record`, where captures
// are cut. Errors: false when there is no memory or the chunk is too large for any reader. Threads: one.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/chunk_encoder.h"

struct ZSTD_CCtx_s;

namespace warpsight::capture {

// What a file begins with.
std::vector<uint8_t> FileHeaderBytes();

class ChunkPacker {
 public:
  ChunkPacker();
  ~ChunkPacker();
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;

  // False when packing will not do at all.
  bool works() const { return compressor_ != nullptr; }
  bool Pack(const wire::ChunkEncoder& chunk, uint32_t process, uint32_t session, uint32_t sequence,
            std::vector<uint8_t>& packed);

 private:
  ZSTD_CCtx_s* compressor_;
};

}  // namespace warpsight::capture
