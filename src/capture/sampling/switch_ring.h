// SwitchRing: the memory in which the kernel writes the switches of one thread, and its reader.
//
// Place in the flow: perf event -> this -> ThreadSwitches. The kernel writes records behind `data_head`, we read from
// `data_tail` on; when there is no room it drops records, and tells of them in a record once there is again. Nothing of it
// is trusted to lie inside of the ring. The mapping is not inherited by forked children, where it must not be touched.
// Errors: a ring that can't be mapped has no room. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "wire/records.h"

namespace warpsight::capture::sampling {

class SwitchRing {
 public:
  SwitchRing() = default;
  SwitchRing(const SwitchRing&) = delete;
  SwitchRing& operator=(const SwitchRing&) = delete;
  ~SwitchRing() { Unmap(); }

  // Bytes that a ring of so many data pages, a power of two, takes.
  static size_t BytesOf(size_t pages);
  // False when the system has no room for it; errno says why.
  bool Map(int file, size_t pages);
  void Unmap();
  bool mapped() const { return memory_ != nullptr; }
  size_t bytes() const { return bytes_; }
  // Whether nothing was written since the last TakeAll.
  bool empty() const;

  // Oldest first. `on_switch(time_ns, state)`; `on_loss(records)` stands where they are missing.
  void TakeAll(const std::function<void(uint64_t time_ns, wire::ThreadState state)>& on_switch,
               const std::function<void(uint64_t records)>& on_loss);

 private:
  uint64_t WordAt(uint64_t position) const;

  uint8_t* memory_ = nullptr;  // a page of perf_event_mmap_page, then the data
  size_t bytes_ = 0;
  const uint8_t* data_ = nullptr;
  uint64_t data_bytes_ = 0;
};

}  // namespace warpsight::capture::sampling
