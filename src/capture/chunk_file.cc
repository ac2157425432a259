#include "capture/chunk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cstring>
#include <utility>

namespace warpsight::capture {
namespace {

// Faster levels are the negative ones; this one packs a chunk of 1 MiB in about 3 ms.
constexpr int kLevel = 1;

}  // namespace

ChunkFile::ChunkFile(uint32_t process, uint32_t session, uint64_t max_bytes, uint64_t ring_ns)
    : process_(process), session_(session), max_bytes_(max_bytes), ring_ns_(ring_ns), compressor_(ZSTD_createCCtx()) {
  if (compressor_ == nullptr) return;
  ZSTD_CCtx_setParameter(compressor_, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(compressor_, ZSTD_c_checksumFlag, 1);
}

ChunkFile::~ChunkFile() {
  ZSTD_freeCCtx(compressor_);
  if (file_ >= 0 && IsStillOurs()) close(file_);
}

bool ChunkFile::Open(const std::string& folder) {
  const std::string path = folder + "/" + std::to_string(process_) + "-" + std::to_string(session_) + ".wscap";
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file_ < 0) return false;
  // Away from the numbers that a program takes for its own streams when they are closed.
  constexpr int kLeastNumber = 64;
  if (const int moved = fcntl(file_, F_DUPFD_CLOEXEC, kLeastNumber); moved >= 0) {
    close(file_);
    file_ = moved;
  }
  struct stat info = {};
  if (fstat(file_, &info) != 0) return false;
  device_ = info.st_dev;
  inode_ = info.st_ino;
  wire::FileHeader header = {};
  std::memcpy(header.magic, wire::kFileMagic.data(), sizeof(header.magic));
  header.version = wire::kFileVersion;
  header.header_bytes = sizeof(header);
  std::vector<uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return compressor_ != nullptr && WriteAll(bytes);
}

bool ChunkFile::Pack(const wire::ChunkEncoder& chunk, Packed& packed) {
  const std::vector<uint8_t>& raw = chunk.bytes();
  if (raw.size() > wire::kMaxChunkBytes) return false;  // no reader would take it
  wire::ChunkHeader header = {};
  packed.bytes.resize(sizeof(header) + ZSTD_compressBound(raw.size()));
  const size_t stored = ZSTD_compress2(compressor_, packed.bytes.data() + sizeof(header),
                                       packed.bytes.size() - sizeof(header), raw.data(), raw.size());
  if (ZSTD_isError(stored) != 0) return false;
  header.magic = wire::kChunkMagic;
  header.process = process_;
  header.stored_bytes = static_cast<uint32_t>(stored);
  header.raw_bytes = static_cast<uint32_t>(raw.size());
  header.base_ns = chunk.base_ns();
  header.sequence = next_sequence_;
  header.session = session_;
  std::memcpy(packed.bytes.data(), &header, sizeof(header));
  packed.bytes.resize(sizeof(header) + stored);
  return true;
}

// A program that closes all numbers it does not know may have opened a file of its own on ours.
bool ChunkFile::IsStillOurs() const {
  struct stat info = {};
  return fstat(file_, &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
}

bool ChunkFile::WriteAll(const std::vector<uint8_t>& bytes) {
  if (!IsStillOurs()) broken_ = true;
  size_t done = 0;
  while (done < bytes.size() && !broken_) {
    const ssize_t got = write(file_, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) {
      done += static_cast<size_t>(got);
      continue;
    }
    // A half chunk is taken back, so that later ones can be read; on a disk that is full till the end the file stays whole.
    broken_ = done > 0 && ftruncate(file_, static_cast<off_t>(written_)) != 0;
    if (!broken_ && done > 0) lseek(file_, static_cast<off_t>(written_), SEEK_SET);
    return false;
  }
  if (broken_) return false;
  written_ += bytes.size();
  return true;
}

void ChunkFile::Write(const wire::ChunkEncoder& chunk, uint64_t newest_ns) {
  const RecordCounts counts = {chunk.records(), chunk.kernels()};
  full_ = full_ || file_ < 0 || broken_;
  if (full_ || !Pack(chunk, packed_)) {
    refused_ += counts;
    return;
  }
  packed_.newest_ns = newest_ns;
  packed_.counts = counts;
  if (ring_ns_ != 0) {
    ++next_sequence_;
    return KeepInRing();
  }
  full_ = written_ + packed_.bytes.size() > max_bytes_ || !WriteAll(packed_.bytes);
  next_sequence_ += full_ ? 0 : 1;
  (full_ ? refused_ : kept_) += counts;
}

void ChunkFile::KeepInRing() {
  kept_ += packed_.counts;
  ring_bytes_ += packed_.bytes.size();
  ring_.push_back(std::exchange(packed_, {}));
  const uint64_t newest_ns = ring_.back().newest_ns;
  while (!ring_.empty() && (ring_bytes_ > max_bytes_ || ring_.front().newest_ns + ring_ns_ < newest_ns)) {
    // By its age, or because the memory of the ring is full before its time is.
    TakeBack(ring_.front().counts, ring_bytes_ > max_bytes_ ? refused_ : aged_);
    ring_bytes_ -= ring_.front().bytes.size();
    ring_.pop_front();
  }
}

void ChunkFile::TakeBack(const RecordCounts& counts, RecordCounts& to) {
  kept_.records -= counts.records;
  kept_.kernels -= counts.kernels;
  to += counts;
}

void ChunkFile::WriteRing() {
  for (const Packed& packed : ring_) {
    if (!WriteAll(packed.bytes)) TakeBack(packed.counts, refused_);
  }
  ring_.clear();
}

void ChunkFile::Finish(const wire::ChunkEncoder& chunk) {
  if (file_ < 0) return;
  if (!broken_ && Pack(chunk, packed_)) WriteAll(packed_.bytes);
  if (IsStillOurs()) close(file_);
  file_ = -1;
}

}  // namespace warpsight::capture
