#include "capture/chunk_packer.h"

#include <zstd.h>

#include <cstring>

#include "wire/capture_layout.h"

namespace warpsight::capture {
namespace {

// Faster levels are the negative ones; this one packs a chunk of 1 MiB in about 3 ms.
constexpr int kLevel = 1;

}  // namespace

std::vector<uint8_t> FileHeaderBytes() {
  wire::FileHeader header = {};
  std::memcpy(header.magic, wire::kFileMagic.data(), sizeof(header.magic));
  header.version = wire::kFileVersion;
  header.header_bytes = sizeof(header);
  std::vector<uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

ChunkPacker::ChunkPacker() : compressor_(ZSTD_createCCtx()) {
  if (compressor_ == nullptr) return;
  ZSTD_CCtx_setParameter(compressor_, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(compressor_, ZSTD_c_checksumFlag, 1);
}

ChunkPacker::~ChunkPacker() { ZSTD_freeCCtx(compressor_); }

bool ChunkPacker::Pack(const wire::ChunkEncoder& chunk, uint32_t process, uint32_t session, uint32_t sequence,
                       std::vector<uint8_t>& packed) {
  const std::vector<uint8_t>& raw = chunk.bytes();
  if (!works() || raw.size() > wire::kMaxChunkBytes) return false;
  wire::ChunkHeader header = {};
  packed.resize(sizeof(header) + ZSTD_compressBound(raw.size()));
  const size_t stored =
      ZSTD_compress2(compressor_, packed.data() + sizeof(header), packed.size() - sizeof(header), raw.data(), raw.size());
  if (ZSTD_isError(stored) != 0) return false;
  header.magic = wire::kChunkMagic;
  header.process = process;
  header.stored_bytes = static_cast<uint32_t>(stored);
  header.raw_bytes = static_cast<uint32_t>(raw.size());
  header.base_ns = chunk.base_ns();
  header.sequence = sequence;
  header.session = session;
  std::memcpy(packed.data(), &header, sizeof(header));
  packed.resize(sizeof(header) + stored);
  return true;
}

}  // namespace warpsight::capture
