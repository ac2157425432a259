// BlockReader: cuts the event array into blocks, from a source with random access or without.
//
// With random access only the borders are searched under the lock and the text is read outside of it, by the worker that
// will parse it. Without (gzip, pipe) the worker whose turn it is inflates its own block under the lock, while the others
// parse theirs: inflating and parsing overlap with no thread of their own and no queue.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/byte_source.h"
#include "formats/importer.h"
#include "formats/torch_json/block.h"

namespace warpsight::torch_json {

class BlockReader {
 public:
  // The events begin at byte `events_offset` of the source. `read_ahead` is text from there on that was already taken from a
  // source without random access.
  BlockReader(ByteSource& source, uint64_t events_offset, std::string read_ahead, const ImportOptions& options);

  // The next block, false at the end of the data. A block without any border in kLargestBlock bytes is cut in mid-event.
  bool Next(Block& block);

  // Byte of the source where the last block given out ended.
  uint64_t bytes_given() const { return next_offset_; }

  // Blocks of which the file gave less than it has by its size.
  int64_t short_reads() const { return short_reads_.load(std::memory_order_relaxed); }

  static constexpr size_t kLargestBlock = size_t{4} << 20;

 private:
  bool NextAt(Block& block, std::unique_lock<std::mutex> lock);
  bool NextSequential(Block& block);
  uint64_t FindBorderAfter(uint64_t from, uint64_t limit);
  void Report(uint64_t done);

  ByteSource& source_;
  const size_t block_bytes_;
  const std::function<void(int64_t, int64_t)>& progress_;
  std::mutex mutex_;
  std::atomic<int64_t> short_reads_ = 0;
  uint64_t next_index_ = 0;
  uint64_t next_offset_;
  std::string carried_;  // sequential: read but not yet given out
  PaddedText window_;    // random access: around a border
};

}  // namespace warpsight::torch_json
