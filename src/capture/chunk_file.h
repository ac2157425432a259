// ChunkFile: the capture file of one process, chunk by chunk.
//
// Place in the flow: chunk_encoder -> this -> disk. Each chunk goes out in one write, so that a killed process leaves a file
// that is whole up to its last chunk. The file never grows beyond the cap, but for the last chunk, which tells what was
// lost. With a ring every chunk is a file of its own, FOLDER/PROCESS-SESSION-NUMBER.wscap with the number in ten digits,
// until it is too old: they outlive a process that is killed. The last chunk stands in FOLDER/PROCESS-SESSION.wscap. Errors:
// a chunk that can't be written (cap, full disk) is refused, the file stays as it is, and no later one is tried: what is in
// the file has no holes. What was refused is counted. Threads: one.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "capture/chunk_packer.h"
#include "wire/chunk_encoder.h"

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
  // The header: on the thread that writes all that follows, since a write beyond a limit of the process's is answered with a
  // signal, which that thread does not take.
  void Begin();
  void Write(const wire::ChunkEncoder& chunk, uint64_t newest_ns);
  // The last chunk, which has room beyond the cap; then the file is closed.
  void Finish(const wire::ChunkEncoder& chunk);

  // Records in the file (or the ring), refused for want of room, and gone from the ring at its old end.
  const RecordCounts& kept() const { return kept_; }
  const RecordCounts& refused() const { return refused_; }
  const RecordCounts& aged() const { return aged_; }

 private:
  // A chunk of the ring, in its file.
  struct Kept {
    std::string path;
    uint64_t bytes = 0;
    uint64_t newest_ns = 0;
    RecordCounts counts;
  };
  // Header and frame, to `packed_`.
  bool Pack(const wire::ChunkEncoder& chunk);
  bool WriteAll(const std::vector<uint8_t>& bytes);
  bool IsStillOurs() const;
  void KeepInRing(uint64_t newest_ns, const RecordCounts& counts);
  void LetGoOfOld(uint64_t newest_ns);
  // "PROCESS-SESSION", with the number of a ring's chunk.
  std::string PathOf(const std::string& ending) const { return folder_ + "/" + name_ + ending + ".wscap"; }
  void TakeBack(const RecordCounts& counts, RecordCounts& to);

  uint32_t process_;
  uint32_t session_;
  uint64_t max_bytes_;
  uint64_t ring_ns_;
  int file_ = -1;
  uint64_t device_ = 0;  // which file it is
  uint64_t inode_ = 0;
  ChunkPacker packer_;
  uint32_t next_sequence_ = 0;
  uint64_t written_ = 0;
  bool broken_ = false;  // a write failed half way: nothing may follow it
  std::string folder_;
  std::string name_;
  std::vector<uint8_t> packed_;
  std::deque<Kept> ring_;
  uint64_t ring_bytes_ = 0;
  bool full_ = false;
  RecordCounts kept_;
  RecordCounts refused_;
  RecordCounts aged_;
};

}  // namespace warpsight::capture
