// gzip and zstd made in memory, and gzip taken apart by another route than the importer's.
#pragma once

#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpsight::testing {

inline std::string Gzip(std::string_view text) {
  std::vector<uint8_t> level_memory(ISAL_DEF_LVL1_DEFAULT);
  std::string out(text.size() + text.size() / 8 + 1024, '\0');
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = level_memory.data();
  stream.level_buf_size = static_cast<uint32_t>(level_memory.size());
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  stream.end_of_stream = 1;
  if (isal_deflate_stateless(&stream) != COMP_OK) return "";
  out.resize(stream.total_out);
  return out;
}

// As much text as the first member of a cut-off file holds: one call over the whole input, no blocks.
inline std::string GunzipPrefix(std::string_view stored, size_t most) {
  inflate_state state;
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  std::string out(most, '\0');
  state.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(stored.data()));
  state.avail_in = static_cast<uint32_t>(stored.size());
  state.next_out = reinterpret_cast<uint8_t*>(out.data());
  state.avail_out = static_cast<uint32_t>(out.size());
  isal_inflate(&state);
  out.resize(out.size() - state.avail_out);
  return out;
}

inline std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1);
  out.resize(ZSTD_isError(size) ? 0 : size);
  return out;
}

}  // namespace warpsight::testing
