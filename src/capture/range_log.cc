#include "capture/range_log.h"

#include <errno.h>
#include <signal.h>
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

// Of NVTX's events; gives the block back when the thread ends.
struct OwnSlot : RangeSlot {
  ~OwnSlot() { RangeLog::LeaveSlot(*this); }
};
thread_local OwnSlot own_slot;

}  // namespace

OpenRanges& OpenRangesOfThread() {
  static thread_local OpenRanges open;
  return open;
}

RangeBlock* RangeLog::NextBlock(RangeSlot& slot) {
  const int error = errno;  // the program's, which is in the middle of something
  LeaveSlot(slot);
  // A signal handler of the program that came here while its thread holds one of the locks would wait for itself.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  RangeBlock* block = nullptr;
  if (uint8_t* memory = pool_.Take()) {
    block = new (memory) RangeBlock{};
    block->thread = static_cast<uint32_t>(syscall(SYS_gettid));
    slot.log = this;
    slot.block = block;
    slot.process = getpid();
    const std::lock_guard lock(mutex_);
    filling_.push_back(block);  // room was reserved
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return block;
}

void RangeLog::LeaveSlot(RangeSlot& slot) {
  if (slot.block == nullptr) return;
  if (slot.process == getpid()) slot.block->left.store(1, std::memory_order_release);
  slot.block = nullptr;
}

void RangeLog::Add(RangeEvent event, std::string_view text) { AddTo(own_slot, event, text); }

void RangeLog::AddTo(RangeSlot& slot, RangeEvent event, std::string_view text) {
  if (text.size() > wire::kMaxTextBytes) {
    size_t size = wire::kMaxTextBytes;
    // Not inside of a character of UTF-8.
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    text = text.substr(0, size);
    cut_texts_.fetch_add(1, std::memory_order_relaxed);
  }
  event.text_bytes = static_cast<uint32_t>(text.size());
  const size_t size = SizeOf(text.size());
  RangeBlock* block = slot.log == this ? slot.block : nullptr;
  uint32_t used = block == nullptr ? 0 : block->used.load(std::memory_order_relaxed);
  if (block == nullptr || used + size > kRoom) {
    block = NextBlock(slot);
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
    uint64_t newest_ns = event.time_ns;
    const wire::RangeText range{block.thread, domain, text, event.category, event.color, event.payload_kind, event.payload};
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
      case RangeEventKind::kCall:
        encoder.Add(wire::LibraryCallRecord{domain, text.substr(0, event.category), text.substr(event.category),
                                            block.thread, event.time_ns, event.id});
        newest_ns = event.id;
        break;
      case RangeEventKind::kGraphNode: {
        uint64_t original = 0;
        std::memcpy(&original, text.data(), std::min(text.size(), sizeof(original)));
        encoder.Add(wire::GraphNodeRecord{block.thread, event.time_ns, event.id, original});
        break;
      }
    }
    block.read += static_cast<uint32_t>(SizeOf(event.text_bytes));
    after_each(newest_ns);
  }
}

void RangeLog::Drain(wire::ChunkEncoder& encoder, const std::function<void(uint64_t newest_ns)>& after_each) {
  {
    const std::lock_guard lock(mutex_);
    draining_.assign(filling_.begin(), filling_.end());  // room was reserved
  }
  std::vector<RangeBlock*> done;
  for (RangeBlock* block : draining_) {
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
