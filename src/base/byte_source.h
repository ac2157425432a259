// ByteSource: the inflated bytes of an input, whatever it lies in: plain file, pipe, memory, gzip (any number of members),
// zstd.
//
// Read() is sequential and for one thread at a time (callers that share a source hold a lock; inflating is then done by
// whichever worker has its turn). A source that has random access says so, and ReadAt may then be called from any thread.
// Errors of the container (damaged gzip, truncated zstd) do not lose what was read before: Read returns the good bytes
// first, then ends, and problem() tells what ended it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace warpsight {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `size` bytes at `out`; fewer only at the end of the data. 0 = end (or a problem, see problem()).
  size_t Read(char* out, size_t size);
  // Appends up to `size` more bytes to `bytes` and returns how many; 0 as for Read.
  size_t Append(std::string& bytes, size_t size);
  // The first bytes of the data, up to `size` of them, which a later Read gives again. Call before the first Read.
  std::string_view Peek(size_t size);

  // Random access to inflated bytes. size() is -1 and ReadAt not to be called when there is none.
  virtual int64_t size() const { return -1; }
  virtual size_t ReadAt(uint64_t offset, char* out, size_t size) const;

  // What cut the data short or looked wrong ("gzip: data ends inside member 1 at byte 16538"); empty when all is well.
  const std::string& problem() const { return problem_; }
  // Name for messages and container for info ("json.gz" has "gzip").
  const std::string& name() const { return name_; }
  const std::string& container() const { return container_; }
  // Bytes of the underlying file: size on disk (-1 unknown) and read so far.
  virtual int64_t stored_bytes() const { return -1; }
  virtual int64_t stored_bytes_read() const { return 0; }

 protected:
  ByteSource(std::string name, std::string container) : name_(std::move(name)), container_(std::move(container)) {}
  void SetProblem(std::string problem) { problem_ = std::move(problem); }
  // Fills up to `size` bytes; 0 only at the end.
  virtual size_t ReadSome(char* out, size_t size) = 0;

 private:
  std::string peeked_;
  size_t peeked_at_ = 0;
  std::string problem_;
  std::string name_;
  std::string container_;
};

// Opens a file or "-" (standard input); gzip and zstd are recognised by their magic bytes.
Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path);
// The same over bytes that must outlive the source.
Result<std::unique_ptr<ByteSource>> OpenByteSource(std::string_view bytes, const std::string& name);

}  // namespace warpsight
