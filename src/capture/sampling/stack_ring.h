// StackRing: stacks on their way from signal handlers to the writer.
//
// Of a fixed size; what has no room is dropped and counted. A place is claimed with one compare-and-swap, filled where it
// lies, then published: a handler neither copies nor waits, and a thread that is stopped while it fills its place only keeps
// the writer from reading on. Memory is touched as it is used. Threads: any number put, also in signal handlers; one takes.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpsight::capture::sampling {

// No initial values: the ring's memory is touched as it is used.
struct RawStack {
  // Of deeper stacks the innermost.
  static constexpr size_t kMostFrames = 192;

  uint64_t number;  // stacks are numbered in the order in which their places were claimed
  uint64_t time_ns;
  uint64_t ident;  // pthread_self()
  uint32_t thread;
  uint16_t depth;
  bool in_python;                 // the interpreter's loop is among the frames
  uintptr_t frames[kMostFrames];  // innermost first: where it was executing, then return addresses
};

class StackRing {
 public:
  // `room`: 0 = none, and no memory.
  explicit StackRing(size_t room) : room_(std::bit_ceil(room < 2 ? size_t{2} : room)) {
    if (room == 0) return;
    void* const memory =
        mmap(nullptr, room_ * sizeof(RawStack), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    stacks_ = static_cast<RawStack*>(memory);
    turns_ = std::make_unique<std::atomic<uint64_t>[]>(room_);
    for (size_t i = 0; i < room_; ++i) turns_[i].store(i, std::memory_order_relaxed);
  }
  ~StackRing() {
    if (stacks_ != nullptr) munmap(stacks_, room_ * sizeof(RawStack));
  }
  StackRing(const StackRing&) = delete;
  StackRing& operator=(const StackRing&) = delete;

  // A place to fill and publish; null when there is none.
  RawStack* Claim() {
    if (stacks_ == nullptr) return Drop();
    uint64_t put = put_.load(std::memory_order_relaxed);
    while (true) {
      const uint64_t turn = turns_[put & (room_ - 1)].load(std::memory_order_acquire);
      if (turn == put) {
        if (!put_.compare_exchange_weak(put, put + 1, std::memory_order_seq_cst)) continue;
        RawStack* const stack = &stacks_[put & (room_ - 1)];
        stack->number = put;
        return stack;
      }
      if (turn < put) return Drop();
      put = put_.load(std::memory_order_relaxed);
    }
  }
  void Publish(const RawStack& stack) {
    turns_[stack.number & (room_ - 1)].store(stack.number + 1, std::memory_order_release);
  }
  // What the next stack will be numbered.
  uint64_t next_number() const { return put_.load(std::memory_order_seq_cst); }

  // Calls `take(stack)` for all that are there, in the order of their numbers.
  template <typename Take>
  void TakeAll(const Take& take) {
    if (stacks_ == nullptr) return;
    // No further than now, however fast more come.
    for (const uint64_t end = next_number(); taken_ < end; ++taken_) {
      std::atomic<uint64_t>& turn = turns_[taken_ & (room_ - 1)];
      if (turn.load(std::memory_order_acquire) != taken_ + 1) return;
      take(stacks_[taken_ & (room_ - 1)]);
      turn.store(taken_ + room_, std::memory_order_release);
    }
  }
  // All with smaller numbers have been taken.
  uint64_t taken() const { return taken_; }
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  RawStack* Drop() {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }

  size_t room_;
  RawStack* stacks_ = nullptr;
  // Whose turn a place is: its number's to be filled, then number + 1 to be taken, then number + room.
  std::unique_ptr<std::atomic<uint64_t>[]> turns_;
  std::atomic<uint64_t> put_{0};
  uint64_t taken_ = 0;  // of the writer
  std::atomic<uint64_t> dropped_{0};
};

}  // namespace warpsight::capture::sampling
