#include "base/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/inflate_source.h"

namespace warpsight {
namespace {

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, const std::string& name) : ByteSource(name, "plain"), bytes_(bytes) {}

  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  size_t ReadAt(uint64_t offset, char* out, size_t size) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min(size, bytes_.size() - offset);
    std::memcpy(out, bytes_.data() + offset, count);
    return count;
  }
  int64_t stored_bytes() const override { return size(); }
  int64_t stored_bytes_read() const override { return static_cast<int64_t>(at_); }

 protected:
  size_t ReadSome(char* out, size_t size) override {
    const size_t count = ReadAt(at_, out, size);
    at_ += count;
    return count;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// A regular file (random access) or a pipe (sequential only).
class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, int64_t size, const std::string& name)
      : ByteSource(name, "plain"), descriptor_(descriptor), size_(size) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  int64_t size() const override { return size_; }
  size_t ReadAt(uint64_t offset, char* out, size_t size) const override {
    size_t done = 0;
    while (done < size) {
      const ssize_t got = pread(descriptor_, out + done, size - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }
  int64_t stored_bytes() const override { return size_; }
  int64_t stored_bytes_read() const override { return static_cast<int64_t>(at_); }

 protected:
  size_t ReadSome(char* out, size_t size) override {
    for (;;) {
      const ssize_t got = read(descriptor_, out, size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) SetProblem(std::string("reading failed: ") + std::strerror(errno));
      if (got > 0) at_ += static_cast<size_t>(got);
      return got < 0 ? 0 : static_cast<size_t>(got);
    }
  }

 private:
  int descriptor_;
  int64_t size_;
  size_t at_ = 0;
};

Result<std::unique_ptr<ByteSource>> OpenPlainFile(const std::string& path) {
  const bool standard_input = path == "-";
  const int descriptor = standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return UnreadableError(path + ": cannot open: " + std::strerror(errno));
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) return UnreadableError(path + ": cannot look at it: " + std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) {
    close(descriptor);
    return UnreadableError(path + ": is a directory: name a trace file inside it");
  }
  // Standard input may be a file opened part-way; only a file opened here starts at 0 for certain.
  const bool random_access = S_ISREG(facts.st_mode) && !standard_input;
  if (random_access) posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  std::unique_ptr<ByteSource> source =
      std::make_unique<FileSource>(descriptor, random_access ? facts.st_size : -1, standard_input ? "standard input" : path);
  return source;
}

}  // namespace

size_t ByteSource::ReadAt(uint64_t /*offset*/, char* /*out*/, size_t /*size*/) const {
  CHECK(false && "ReadAt on a source without random access");
  return 0;
}

size_t ByteSource::Read(char* out, size_t size) {
  size_t done = std::min(size, peeked_.size() - peeked_at_);
  std::memcpy(out, peeked_.data() + peeked_at_, done);
  peeked_at_ += done;
  while (done < size) {
    const size_t got = ReadSome(out + done, size - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

size_t ByteSource::Append(std::string& bytes, size_t size) {
  const size_t had = bytes.size();
  bytes.resize(had + size);
  const size_t got = Read(bytes.data() + had, size);
  bytes.resize(had + got);
  return got;
}

std::string_view ByteSource::Peek(size_t size) {
  CHECK(peeked_at_ == 0);
  while (peeked_.size() < size) {
    const size_t had = peeked_.size();
    peeked_.resize(size);
    const size_t got = ReadSome(peeked_.data() + had, size - had);
    peeked_.resize(had + got);
    if (got == 0) break;
  }
  return std::string_view(peeked_).substr(0, size);
}

Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> plain = OpenPlainFile(path);
  if (!plain.ok()) return plain;
  return InflateIfCompressed(std::move(plain).value());
}

Result<std::unique_ptr<ByteSource>> OpenByteSource(std::string_view bytes, const std::string& name) {
  return InflateIfCompressed(std::make_unique<MemorySource>(bytes, name));
}

}  // namespace warpsight
