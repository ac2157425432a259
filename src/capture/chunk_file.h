// ChunkFile: the capture file of one process, chunk by chunk.
//
// Place in the flow: chunk_encoder -> this -> disk. Each chunk goes out in one write, so that a killed process leaves a file
// that is whole up to its last chunk. The file never grows beyond the cap, but for the last chunk, which tells what was
// lost. With a ring nothing is written before Finish: the newest chunks are kept in memory, compressed.
// Errors: a chunk that can't be written (cap, full disk) is refused, the file stays as it is, and no later one is tried:
// what is in the file has no holes. What was refused is counted. Threads: one.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "wire/capture_layout.h"
#include "wire/chunk_encoder.h"

struct ZSTD_CCtx_s;

namespace warpsight::capture {

struct RecordCounts {
  uint64_t records = 0;
  uint64_t kernels = 0;
  RecordCounts& operator+=(const RecordCounts& other) {
    records += other.records;
    kernels += other.kernels;
    return *this;
  }
};

class ChunkFile {
 public:
  ChunkFile(uint32_t process, uint32_t session, uint64_t max_bytes, uint64_t ring_ns);
  ~ChunkFile();
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;

  // Makes FOLDER/PROCESS-SESSION.wscap. False when it can't be made; `errno` says why.
  bool Open(const std::string& folder);
  void Write(const wire::ChunkEncoder& chunk, uint64_t newest_ns);
  // Writes what a ring holds; before the last chunk, which tells the counts.
  void WriteRing();
  // The last chunk, which has room beyond the cap; then the file is closed.
  void Finish(const wire::ChunkEncoder& chunk);

  // Records in the file (or still in the ring), refused for want of room, and gone from the ring at its old end.
  const RecordCounts& kept() const { return kept_; }
  const RecordCounts& refused() const { return refused_; }
  const RecordCounts& aged() const { return aged_; }

 private:
  struct Packed {
    std::vector<uint8_t> bytes;  // header and frame
    uint64_t newest_ns = 0;
    RecordCounts counts;
  };
  bool Pack(const wire::ChunkEncoder& chunk, Packed& packed);
  bool WriteAll(const std::vector<uint8_t>& bytes);
  bool IsStillOurs() const;
  void KeepInRing();
  void TakeBack(const RecordCounts& counts, RecordCounts& to);

  uint32_t process_;
  uint32_t session_;
  uint64_t max_bytes_;
  uint64_t ring_ns_;
  int file_ = -1;
  uint64_t device_ = 0;  // which file it is
  uint64_t inode_ = 0;
  ZSTD_CCtx_s* compressor_ = nullptr;
  uint32_t next_sequence_ = 0;
  uint64_t written_ = 0;
  bool broken_ = false;  // a write failed half way: nothing may follow it
  Packed packed_;
  std::deque<Packed> ring_;
  uint64_t ring_bytes_ = 0;
  bool full_ = false;
  RecordCounts kept_;
  RecordCounts refused_;
  RecordCounts aged_;
};

}  // namespace warpsight::capture
