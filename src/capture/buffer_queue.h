// BufferQueue: what recording threads hand to the writer, and the memory they record into.
//
// Place in the flow: CUPTI's buffer callbacks, NVTX calls -> this -> writer thread. All memory is bounded: a pool gives at
// most so many buffers, made when first needed and used again; when it is empty the caller must drop, and counts it.
// Nothing here waits for the writer. Threads: safe.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace warpsight::capture {

// Buffers of one size, page aligned.
class BufferPool {
 public:
  BufferPool(size_t buffer_bytes, size_t most) : buffer_bytes_(buffer_bytes), most_(most) {
    free_.reserve(most);
    made_.reserve(most);
  }
  ~BufferPool() {
    for (uint8_t* buffer : free_) munmap(buffer, buffer_bytes_);
  }
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  size_t buffer_bytes() const { return buffer_bytes_; }
  // Null when all are in use or there is no memory.
  uint8_t* Take() {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      uint8_t* buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
    if (made_.size() == most_) return nullptr;
    void* memory = mmap(nullptr, buffer_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    made_.push_back(static_cast<uint8_t*>(memory));  // room was reserved
    return made_.back();
  }
  // Whether the pool made the buffer.
  bool Owns(const uint8_t* buffer) {
    const std::lock_guard lock(mutex_);
    return std::find(made_.begin(), made_.end(), buffer) != made_.end();
  }
  void Give(uint8_t* buffer) {
    const std::lock_guard lock(mutex_);
    free_.push_back(buffer);  // room was reserved
  }

 private:
  size_t buffer_bytes_;
  size_t most_;
  std::mutex mutex_;
  std::vector<uint8_t*> free_;
  std::vector<uint8_t*> made_;
};

// Buffers that are full, in the order in which they came.
template <typename Item>
class BufferQueue {
 public:
  void Push(const Item& item) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(item);
    }
    arrived_.notify_one();
  }
  // Waits until there is something or `timeout` has passed, and takes all.
  std::deque<Item> TakeAll(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, timeout, [this] { return !items_.empty() || woken_; });
    woken_ = false;
    std::deque<Item> all;
    all.swap(items_);
    return all;
  }
  void Wake() {
    {
      const std::lock_guard lock(mutex_);
      woken_ = true;
    }
    arrived_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Item> items_;
  bool woken_ = false;
};

}  // namespace warpsight::capture
