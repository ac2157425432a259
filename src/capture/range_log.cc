#include "capture/range_log.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace warpsight::capture {
namespace {

constexpr size_t kHeaderBytes = (sizeof(RangeBlock) + 7) / 8 * 8;
constexpr size_t kRoom = RangeLog::kBlockBytes - kHeaderBytes;

constexpr size_t SizeOf(size_t text_bytes) { return sizeof(RangeEvent) + (text_bytes + 7) / 8 * 8; }

uint8_t* EventsOf(RangeBlock& block) { return reinterpret_cast<uint8_t*>(&block) + kHeaderBytes; }

// The block that this thread fills, and of which log: a thread outlives a log, and a forked child has none.
struct OwnBlock {
  RangeLog* log = nullptr;
  RangeBlock* block = nullptr;
  pid_t process = 0;
  ~OwnBlock() {
    if (log != nullptr && process == getpid()) log->Leave();
  }
};
thread_local OwnBlock own_block;

}  // namespace

RangeBlock* RangeLog::NextBlock() {
  const int error = errno;  // the program's, which is in the middle of something
  Leave();
  uint8_t* memory = pool_.Take();
  if (memory == nullptr) return nullptr;
  auto* block = new (memory) RangeBlock{};
  block->thread = static_cast<uint32_t>(syscall(SYS_gettid));
  own_block.log = this;
  own_block.block = block;
  own_block.process = getpid();
  {
    const std::lock_guard lock(mutex_);
    filling_.push_back(block);  // room was reserved
  }
  errno = error;
  return block;
}

void RangeLog::Leave() {
  if (own_block.log != this || own_block.block == nullptr) return;
  own_block.block->left.store(1, std::memory_order_release);
  own_block.block = nullptr;
}

void RangeLog::Add(RangeEvent event, std::string_view text) {
  if (text.size() > wire::kMaxTextBytes) {
    size_t size = wire::kMaxTextBytes;
    // Not inside of a character of UTF-8.
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    text = text.substr(0, size);
    cut_texts_.fetch_add(1, std::memory_order_relaxed);
  }
  event.text_bytes = static_cast<uint32_t>(text.size());
  const size_t size = SizeOf(text.size());
  RangeBlock* block = own_block.log == this ? own_block.block : nullptr;
  uint32_t used = block == nullptr ? 0 : block->used.load(std::memory_order_relaxed);
  if (block == nullptr || used + size > kRoom) {
    block = NextBlock();
    used = 0;
    if (block == nullptr) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  uint8_t* at = EventsOf(*block) + used;
  std::memcpy(at, &event, sizeof(event));
  std::copy(text.begin(), text.end(), at + sizeof(event));  // an empty text may have no place
  block->used.store(used + static_cast<uint32_t>(size), std::memory_order_release);
}

void RangeLog::Encode(RangeBlock& block, wire::ChunkEncoder& encoder, const std::function<void(uint64_t)>& after_each) {
  const uint32_t used = block.used.load(std::memory_order_acquire);
  while (block.read < used) {
    const uint8_t* at = EventsOf(block) + block.read;
    RangeEvent event;
    std::memcpy(&event, at, sizeof(event));
    const std::string_view text(reinterpret_cast<const char*>(at + sizeof(event)), event.text_bytes);
    const std::string_view domain = event.domain == nullptr ? std::string_view() : std::string_view(event.domain->name);
    const wire::RangeText range{block.thread, domain, text, event.category, event.color};
    switch (event.kind) {
      case RangeEventKind::kPush:
        encoder.AddPush(range, event.time_ns);
        break;
      case RangeEventKind::kPop:
        encoder.AddPop(block.thread, domain, event.time_ns);
        break;
      case RangeEventKind::kStart:
        encoder.AddStart(range, event.id, event.time_ns);
        break;
      case RangeEventKind::kEnd:
        encoder.AddEnd(block.thread, domain, event.id, event.time_ns);
        break;
      case RangeEventKind::kMark:
        encoder.AddMark(range, event.time_ns);
        break;
    }
    block.read += static_cast<uint32_t>(SizeOf(event.text_bytes));
    after_each(event.time_ns);
  }
}

void RangeLog::Drain(wire::ChunkEncoder& encoder, const std::function<void(uint64_t newest_ns)>& after_each) {
  std::vector<RangeBlock*> blocks;
  {
    const std::lock_guard lock(mutex_);
    blocks = filling_;
  }
  std::vector<RangeBlock*> done;
  for (RangeBlock* block : blocks) {
    // Asked before reading: what was published before its thread left is then read for certain.
    const bool left = block->left.load(std::memory_order_acquire) != 0;
    Encode(*block, encoder, after_each);
    if (left) done.push_back(block);
  }
  if (done.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(filling_, [&](RangeBlock* block) { return std::find(done.begin(), done.end(), block) != done.end(); });
  }
  for (RangeBlock* block : done) pool_.Give(reinterpret_cast<uint8_t*>(block));
}

}  // namespace warpsight::capture
