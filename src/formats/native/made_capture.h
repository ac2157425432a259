// MadeCapture: a small capture of a test's own, chunk by chunk. For tests only. Threads: one.
#pragma once

#include <zstd.h>

#include <cstring>
#include <string>
#include <vector>

#include "formats/open_trace.h"
#include "wire/chunk_encoder.h"

namespace warpsight::testing {

class MadeCapture {
 public:
  MadeCapture() {
    wire::FileHeader header = {};
    std::memcpy(header.magic, wire::kFileMagic.data(), sizeof(header.magic));
    header.version = wire::kFileVersion;
    header.header_bytes = sizeof(header);
    Append(&header, sizeof(header));
    encoder.Begin(kBase);
  }
  // Closes the chunk that `encoder` holds, as `sequence` of a process, and begins the next.
  void Close(uint32_t process, uint32_t sequence) {
    const std::vector<uint8_t>& raw = encoder.bytes();
    std::string frame(ZSTD_compressBound(raw.size()), '\0');
    ZSTD_CCtx* const compressor = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1);
    frame.resize(ZSTD_compress2(compressor, frame.data(), frame.size(), raw.data(), raw.size()));
    ZSTD_freeCCtx(compressor);
    wire::ChunkHeader header = {};
    header.magic = wire::kChunkMagic;
    header.process = process;
    header.stored_bytes = static_cast<uint32_t>(frame.size());
    header.raw_bytes = static_cast<uint32_t>(raw.size());
    header.base_ns = encoder.base_ns();
    header.sequence = sequence;
    Append(&header, sizeof(header));
    bytes += frame;
    encoder.Begin(kBase);
  }
  // A call on thread 1 and the kernel that it launched.
  void Launch(uint64_t start_ns, uint32_t correlation) {
    wire::CallRecord call;
    call.name = "cudaLaunchKernel";
    call.thread = 1;
    call.span = {start_ns, start_ns + 10, correlation};
    encoder.Add(call);
    wire::KernelRecord kernel;
    kernel.name = "_Z3addPfS_i";
    kernel.place = {0, 1, 7, 0};
    kernel.span = {start_ns + 20, start_ns + 120, correlation};
    encoder.Add(kernel);
  }
  Result<Trace> Open(const ImportOptions& options = {}) const { return OpenTraceBytes(bytes, "made.wscap", options); }

  static constexpr uint64_t kBase = 1'000'000;
  wire::ChunkEncoder encoder;
  std::string bytes;

 private:
  void Append(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

}  // namespace warpsight::testing
