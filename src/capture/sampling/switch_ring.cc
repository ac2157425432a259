#include "capture/sampling/switch_ring.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace warpsight::capture::sampling {
namespace {

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// Records of perf: a header of 8 bytes, the record's own fields, then who and when: {pid, tid}, time.
constexpr uint64_t kHeaderBytes = sizeof(perf_event_header);
constexpr uint64_t kIdentityBytes = 16;
constexpr uint32_t kSwitch = 14;             // PERF_RECORD_SWITCH
constexpr uint16_t kSwitchOut = 1 << 13;     // PERF_RECORD_MISC_SWITCH_OUT
constexpr uint16_t kWasPreempted = 1 << 14;  // PERF_RECORD_MISC_SWITCH_OUT_PREEMPT

wire::ThreadState StateOf(uint16_t misc) {
  if ((misc & kSwitchOut) == 0) return wire::ThreadState::kOn;
  return (misc & kWasPreempted) != 0 ? wire::ThreadState::kPreempted : wire::ThreadState::kWaiting;
}

}  // namespace

size_t SwitchRing::BytesOf(size_t pages) { return (pages + 1) * PageBytes(); }

bool SwitchRing::Map(int file, size_t pages) {
  Unmap();
  const size_t bytes = BytesOf(pages);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<uint8_t*>(memory);
  bytes_ = bytes;
  // As older kernels have it too, which do not say where the data lie.
  data_ = memory_ + PageBytes();
  data_bytes_ = pages * PageBytes();
  return true;
}

void SwitchRing::Unmap() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
  memory_ = nullptr;
  bytes_ = 0;
}

bool SwitchRing::empty() const {
  if (memory_ == nullptr) return true;
  const auto* const page = reinterpret_cast<const perf_event_mmap_page*>(memory_);
  return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) == page->data_tail;
}

// All sizes are multiples of 8, so that no word is parted by the ring's end.
uint64_t SwitchRing::WordAt(uint64_t position) const {
  uint64_t word = 0;
  std::memcpy(&word, data_ + (position & (data_bytes_ - 1)), sizeof(word));
  return word;
}

void SwitchRing::TakeAll(const std::function<void(uint64_t, wire::ThreadState)>& on_switch,
                         const std::function<void(uint64_t)>& on_loss) {
  if (memory_ == nullptr) return;
  auto* const page = reinterpret_cast<perf_event_mmap_page*>(memory_);
  const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
  uint64_t at = page->data_tail;
  while (head - at >= kHeaderBytes && head - at <= data_bytes_) {
    const uint64_t word = WordAt(at);
    perf_event_header header = {};
    std::memcpy(&header, &word, sizeof(header));
    if (header.size < kHeaderBytes || header.size % 8 != 0 || header.size > head - at) break;
    const uint64_t fields_bytes = header.size - kHeaderBytes;
    if (header.type == kSwitch && fields_bytes >= kIdentityBytes)
      on_switch(WordAt(at + header.size - 8), StateOf(header.misc));
    // Its fields: the event's number, how many.
    if (header.type == PERF_RECORD_LOST && fields_bytes >= 16) on_loss(WordAt(at + kHeaderBytes + 8));
    at += header.size;
  }
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

}  // namespace warpsight::capture::sampling
