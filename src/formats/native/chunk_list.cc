#include "formats/native/chunk_list.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <functional>

namespace warpsight::native {
namespace {

// Times that differ by a bit keep an event from shrinking below a seventh: real captures shrink to a fifth, and only one
// whose every time is equal to the nanoseconds goes beyond.
constexpr uint64_t kMostExpansion = 32;
// Whatever the file has: two million events.
constexpr uint64_t kFreeRawBytes = uint64_t{16} << 20;

}  // namespace

namespace {

// Bytes of the file that are asked for one after the other: copied to `out`, fewer at the end.
using ReadBytes = std::function<size_t(uint64_t offset, void* out, size_t size)>;

Result<ChunkList> Walk(uint64_t file_bytes, const std::string& name, const ReadBytes& read) {
  wire::FileHeader header = {};
  if (read(0, &header, sizeof(header)) < sizeof(header))
    return UnreadableError(name + ": the capture ends inside of its header: record again");
  if (header.version != wire::kFileVersion) {
    return UnreadableError(
        fmt::format("{}: is a capture of version {}, this program reads version {}: use the warpsight that "
                    "recorded it",
                    name, header.version, wire::kFileVersion));
  }
  if (header.header_bytes < sizeof(header) || header.header_bytes > file_bytes)
    return UnreadableError(name + ": the header of the capture is damaged: record again");
  ChunkList list;
  list.version = header.version;
  uint64_t at = header.header_bytes;
  while (at < file_bytes) {
    StoredChunk chunk;
    const uint64_t left = file_bytes - at;
    const bool whole = read(at, &chunk.header, sizeof(chunk.header)) == sizeof(chunk.header) &&
                       chunk.header.magic == wire::kChunkMagic && chunk.header.raw_bytes <= wire::kMaxChunkBytes &&
                       chunk.header.stored_bytes <= left - sizeof(chunk.header);
    if (!whole) {
      list.damaged_at = at;
      list.bytes_left = left;
      break;
    }
    chunk.number = list.chunks.size();
    chunk.offset = at + sizeof(chunk.header);
    list.chunks.push_back(chunk);
    at = chunk.offset + chunk.header.stored_bytes;
  }
  return list;
}

}  // namespace

Result<ChunkList> ListChunks(std::string_view file, const std::string& name) {
  Result<ChunkList> list = Walk(file.size(), name, [&](uint64_t offset, void* out, size_t size) {
    return file.copy(static_cast<char*>(out), size, offset);
  });
  if (!list.ok()) return list;
  for (StoredChunk& chunk : list->chunks) chunk.frame = file.substr(chunk.offset, chunk.header.stored_bytes);
  return list;
}

Result<ChunkList> ListChunkHeaders(const ByteSource& file) {
  return Walk(static_cast<uint64_t>(file.size()), file.name(),
              [&](uint64_t offset, void* out, size_t size) { return file.ReadAt(offset, static_cast<char*>(out), size); });
}

Status CheckExpansion(const ChunkList& list, const std::string& name) {
  uint64_t stored = 0;
  uint64_t raw = 0;
  for (const StoredChunk& chunk : list.chunks) {
    stored += sizeof(chunk.header) + chunk.frame.size();
    raw += chunk.header.raw_bytes;
  }
  if (raw <= std::max(kFreeRawBytes, stored * kMostExpansion)) return OkStatus();
  return UnreadableError(
      fmt::format("{}: its {} kB of chunks say that they inflate to {} MB, {} times as much, which no recorder writes: the "
                  "capture is damaged, or made to fill memory: record again",
                  name, stored / 1000, raw / 1'000'000, raw / stored));
}

bool Inflate(const StoredChunk& chunk, std::vector<uint8_t>& raw) {
  raw.resize(chunk.header.raw_bytes);
  const size_t got = ZSTD_decompress(raw.data(), raw.size(), chunk.frame.data(), chunk.frame.size());
  return ZSTD_isError(got) == 0 && got == raw.size();
}

}  // namespace warpsight::native
