#include "capture/chunk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace warpsight::capture {
namespace {

// Makes a file of two parts, or none.
bool MakeFile(const std::string& path, const std::vector<uint8_t>& first, const std::vector<uint8_t>& second) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return false;
  bool whole = true;
  for (const std::vector<uint8_t>* part : {&first, &second}) {
    for (size_t done = 0; whole && done < part->size();) {
      const ssize_t got = write(file, part->data() + done, part->size() - done);
      whole = got > 0 || (got < 0 && errno == EINTR);
      if (got > 0) done += static_cast<size_t>(got);
    }
  }
  close(file);
  if (!whole) unlink(path.c_str());
  return whole;
}

}  // namespace

ChunkFile::ChunkFile(uint32_t process, uint32_t session, uint64_t max_bytes, uint64_t ring_ns)
    : process_(process), session_(session), max_bytes_(max_bytes), ring_ns_(ring_ns) {}

ChunkFile::~ChunkFile() {
  if (file_ >= 0 && IsStillOurs()) close(file_);
}

bool ChunkFile::Open(const std::string& folder) {
  folder_ = folder;
  name_ = std::to_string(process_) + "-" + std::to_string(session_);
  file_ = open(PathOf("").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
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
  return packer_.works();
}

void ChunkFile::Begin() { full_ = !WriteAll(FileHeaderBytes()); }

bool ChunkFile::Pack(const wire::ChunkEncoder& chunk) {
  return packer_.Pack(chunk, process_, session_, next_sequence_, packed_);
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
  if (full_ || !Pack(chunk)) {
    refused_ += counts;
    return;
  }
  if (ring_ns_ != 0) return KeepInRing(newest_ns, counts);
  full_ = written_ + packed_.size() > max_bytes_ || !WriteAll(packed_);
  next_sequence_ += full_ ? 0 : 1;
  (full_ ? refused_ : kept_) += counts;
}

// Unlike a file that grows, a ring on a full disk goes on: what it lets go of makes room.
void ChunkFile::KeepInRing(uint64_t newest_ns, const RecordCounts& counts) {
  constexpr size_t kDigits = 10;
  std::string number = std::to_string(next_sequence_++);
  number.insert(0, kDigits - std::min(kDigits, number.size()), '0');
  const std::string path = PathOf("-" + number);
  if (!MakeFile(path, FileHeaderBytes(), packed_)) {
    refused_ += counts;
    return LetGoOfOld(newest_ns);
  }
  kept_ += counts;
  ring_bytes_ += packed_.size();
  ring_.push_back({path, packed_.size(), newest_ns, counts});
  LetGoOfOld(newest_ns);
}

// By its age, or because the ring is full before its time is over.
void ChunkFile::LetGoOfOld(uint64_t newest_ns) {
  while (!ring_.empty() && (ring_bytes_ > max_bytes_ || ring_.front().newest_ns + ring_ns_ < newest_ns)) {
    TakeBack(ring_.front().counts, ring_bytes_ > max_bytes_ ? refused_ : aged_);
    ring_bytes_ -= ring_.front().bytes;
    unlink(ring_.front().path.c_str());
    ring_.pop_front();
  }
}

void ChunkFile::TakeBack(const RecordCounts& counts, RecordCounts& to) {
  kept_.records -= counts.records;
  kept_.kernels -= counts.kernels;
  to += counts;
}

void ChunkFile::Finish(const wire::ChunkEncoder& chunk) {
  if (file_ < 0) return;
  if (!broken_ && Pack(chunk)) WriteAll(packed_);
  if (IsStillOurs()) close(file_);
  file_ = -1;
}

}  // namespace warpsight::capture
