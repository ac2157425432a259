// Layout of the capture file that `warpsight record` writes.
//
//   file    FileHeader, then chunks until the end of the file
//   chunk   ChunkHeader, then `stored_bytes` of one zstd frame with a checksum; inflated it has `raw_bytes`
//   raw     records, one after the other: tag (one byte), then what the tag says (RecordTag)
//
// Every chunk can be read alone: the texts, shapes and frames it refers to are defined in it, before their first use, and
// numbered from 1 in the order of their definitions; times and correlation ids are differences to the last of their kind in
// the chunk, starting from the header's `base_ns` and from 0. So a file that ends in the middle of a chunk (the program was
// killed) loses that chunk alone, chunks can be dropped from the front (--ring), read side by side, and files of several
// processes joined by writing their chunks one behind the other.
//
// All numbers of the headers are little endian. Times are ns on CLOCK_MONOTONIC of the machine; clock records tell its
// relation to CLOCK_REALTIME.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpsight::wire {

// Not text, and damaged by a transfer that changes line ends.
inline constexpr std::string_view kFileMagic = std::string_view("\x89WSC\r\n\x1a\n", 8);
inline constexpr uint32_t kFileVersion = 1;
inline constexpr uint32_t kChunkMagic = 0x4B435357;  // "WSCK"
// No chunk is larger when inflated.
inline constexpr uint32_t kMaxChunkBytes = 4u << 20;
// No text is longer: the encoder cuts what is.
inline constexpr size_t kMaxTextBytes = 16 << 10;
// No stack has more frames: the recorder leaves out the outermost of what is deeper.
inline constexpr uint32_t kMaxStackFrames = 512;

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t header_bytes;  // of this struct: what a later version adds stands behind it
};
static_assert(sizeof(FileHeader) == 16);

struct ChunkHeader {
  uint32_t magic;
  uint32_t process;       // process id as the recorded process saw it
  uint32_t stored_bytes;  // of the zstd frame that follows
  uint32_t raw_bytes;
  uint64_t base_ns;   // times of the chunk count from here
  uint32_t sequence;  // number of the chunk in its process, from 0: a gap is a chunk that was lost or left out
  uint32_t session;   // tells apart sessions of one process id (exec, reuse of the number)
};
static_assert(sizeof(ChunkHeader) == 32);

// Numbers are varints; "signed" ones zigzag. `shape` is the number of a kShape record of the same tag's group.
enum class RecordTag : uint8_t {
  kText = 1,      // length, bytes: the next text
  kShape = 2,     // length, bytes: what many records have in common, written once: the next shape; see records.h
  kKernel = 3,    // shape, signed start, duration, signed correlation, [signed graph node when the shape has a graph]
  kCopy = 4,      // as kKernel, then bytes
  kSet = 5,       // as kKernel, then bytes
  kCall = 6,      // shape, signed start, duration, signed correlation
  kSync = 7,      // shape, signed start, duration, signed correlation
  kOverhead = 8,  // shape, signed start, duration
  kGraph = 9,     // shape, signed start, duration, signed correlation: a graph launched as one
  kPush = 10,     // shape, signed time, [payload when the shape has a kind of it]
  kPop = 11,      // shape (thread, domain), signed time
  kStart = 12,    // shape, signed time, id, [payload]
  kEnd = 13,      // shape (thread, domain), signed time, id
  kMark = 14,     // shape, signed time, [payload]
  kName = 15,     // kind, number, text: of a thread, stream, ...; of a category of a domain, the domain's text too
  kProcess = 16,  // see records.h
  kDevice = 17,
  kClock = 18,        // monotonic, realtime, error
  kCount = 19,        // text, count
  kFinish = 20,       // the session ended in order; nothing of the process follows
  kUuid = 21,         // device, 16 bytes
  kCounter = 22,      // shape, signed time, signed difference to the value before it of the same shape
  kLibraryCall = 23,  // shape, signed start, duration: a call of cuBLAS, cuDNN, NCCL or the C library
  kFrame = 24,        // number of the frame that called (0 = none), function, module, kind: the next frame
  kSample = 25,       // shape (thread), signed time, number of the innermost frame (0 = none): a sample of the CPU
  kGraphNode =
      26,  // shape (thread), signed time, signed node, node it was cloned from (0 = none): a node of a graph came up
  kThreadSwitch = 27,  // shape (thread), signed time, state: the thread got or lost its processor
  kCudaEvent = 28,     // shape (place), signed time, signed correlation, event: a stream reached an event
};
inline constexpr uint8_t kLastTag = static_cast<uint8_t>(RecordTag::kCudaEvent);

}  // namespace warpsight::wire
