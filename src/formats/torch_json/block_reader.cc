#include "formats/torch_json/block_reader.h"

#include <algorithm>
#include <utility>

#include "formats/torch_json/event_parser.h"

namespace warpsight::torch_json {
namespace {

constexpr size_t kFirstWindow = size_t{8} << 10;

}  // namespace

BlockReader::BlockReader(ByteSource& source, uint64_t events_offset, std::string read_ahead, const ImportOptions& options)
    : source_(source),
      block_bytes_(std::max<size_t>(options.block_bytes, 1)),
      progress_(options.progress),
      next_offset_(events_offset),
      carried_(std::move(read_ahead)) {}

bool BlockReader::Next(Block& block) {
  std::unique_lock lock(mutex_);
  return source_.size() >= 0 ? NextAt(block, std::move(lock)) : NextSequential(block);
}

bool BlockReader::NextAt(Block& block, std::unique_lock<std::mutex> lock) {
  const auto size = static_cast<uint64_t>(source_.size());
  if (next_offset_ >= size) return false;
  block.index = next_index_++;
  block.offset = next_offset_;
  next_offset_ =
      FindBorderAfter(block.offset + block_bytes_, std::min<uint64_t>(size, block.offset + block_bytes_ + kLargestBlock));
  Report(next_offset_);
  const uint64_t wanted = next_offset_ - block.offset;
  lock.unlock();
  const size_t got = source_.ReadAt(block.offset, block.text.Resize(wanted), wanted);
  block.text.Resize(got);
  if (got < wanted) short_reads_.fetch_add(1, std::memory_order_relaxed);  // the file shrank, or the disk failed
  return true;
}

// The first border in [from, limit), else `limit`.
uint64_t BlockReader::FindBorderAfter(uint64_t from, uint64_t limit) {
  for (size_t width = kFirstWindow; from < limit; width *= 4) {
    const uint64_t wanted = std::min<uint64_t>(width, limit - from);
    const size_t got = source_.ReadAt(from, window_.Resize(wanted), wanted);
    window_.Resize(got);
    const char* const border = FindEventBorder(window_.begin(), window_.end());
    if (border != window_.end()) return from + static_cast<uint64_t>(border - window_.begin());
    if (got < wanted || wanted == limit - from) break;
  }
  return limit;
}

bool BlockReader::NextSequential(Block& block) {
  size_t filled = carried_.size();
  size_t target = std::max(block_bytes_ + kFirstWindow, filled);
  block.text.Assign(carried_);
  for (;;) {
    const size_t got = source_.Read(block.text.Resize(target) + filled, target - filled);
    const bool at_end = filled + got < target;
    filled += got;
    block.text.Resize(filled);
    if (at_end) {
      carried_.clear();
      break;
    }
    const char* const begin = block.text.begin();
    const char* const border = FindEventBorder(begin + std::min(block_bytes_, filled), block.text.end());
    if (border != block.text.end() || filled >= kLargestBlock) {
      carried_.assign(border, block.text.end());
      filled = static_cast<size_t>(border - begin);
      block.text.Resize(filled);
      break;
    }
    target = std::min(target * 2, kLargestBlock);
  }
  if (filled == 0) return false;
  block.index = next_index_++;
  block.offset = next_offset_;
  next_offset_ += filled;
  Report(next_offset_);
  return true;
}

void BlockReader::Report(uint64_t done) {
  if (!progress_) return;
  if (source_.size() >= 0) {
    progress_(static_cast<int64_t>(done), source_.size());
  } else {
    progress_(source_.stored_bytes_read(), source_.stored_bytes());
  }
}

}  // namespace warpsight::torch_json
