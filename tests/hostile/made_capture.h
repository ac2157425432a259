// A capture of `warpsight record` with one chunk that holds the given records, compressed as it should be.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "wire/capture_layout.h"

namespace warpsight::testing {

inline std::string CaptureOfRecords(std::string_view records) {
  using namespace warpsight::wire;
  FileHeader file = {};
  std::memcpy(file.magic, kFileMagic.data(), sizeof(file.magic));
  file.version = kFileVersion;
  file.header_bytes = sizeof(file);
  std::string frame(ZSTD_compressBound(records.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), records.data(), records.size(), 1));
  ChunkHeader chunk = {};
  chunk.magic = kChunkMagic;
  chunk.process = 1;
  chunk.stored_bytes = static_cast<uint32_t>(frame.size());
  chunk.raw_bytes = static_cast<uint32_t>(records.size());
  std::string bytes(sizeof(file) + sizeof(chunk), '\0');
  std::memcpy(bytes.data(), &file, sizeof(file));
  std::memcpy(bytes.data() + sizeof(file), &chunk, sizeof(chunk));
  return bytes + frame;
}

}  // namespace warpsight::testing
