// RangeLog: where threads of the program leave their NVTX events and the calls of followed libraries, and where the writer
// takes them.
//
// Every thread fills blocks of its own: an event is a few stores and the copy of its text, then one release store. A full
// block goes to the queue and the thread takes the next of a bounded pool; when there is none the event is dropped and
// counted. The writer also reads the blocks that are being filled, up to what their thread has published, so that a killed
// program loses little. Blocks are used again by the writer alone, after their thread let go of them. Adding never allocates
// with malloc, nor does the writer while it holds a lock that adding takes: a followed call may be one of malloc's own.
//
//   block   RangeBlock, then events
//   event   RangeEvent, then `text_bytes` of text, then up to 7 bytes to the next multiple of 8; the text of a graph's node
//           is the 8 bytes of the node that it was cloned from
//
// Threads: Add from any thread; Drain from the writer.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "capture/buffer_queue.h"
#include "capture/monotonic_clock.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture {

// A domain as NVTX hands it around: the program holds a pointer to it.
struct RangeDomain {
  std::string name;  // never changes
  bool is_nccl = false;
};

enum class RangeEventKind : uint8_t { kPush, kPop, kStart, kEnd, kMark, kCall, kGraphNode };

struct RangeEvent {
  uint64_t time_ns = 0;
  uint64_t id = 0;                      // of a start or end, or a node; of a call, when it ended
  uint64_t payload = 0;                 // as payload_kind says
  const RangeDomain* domain = nullptr;  // of a call, its library
  uint32_t category = 0;                // of a call, bytes of its name in the text
  uint32_t color = 0;
  uint32_t text_bytes = 0;
  RangeEventKind kind = RangeEventKind::kPush;
  wire::PayloadKind payload_kind = wire::PayloadKind::kNone;
  bool outermost = false;  // a push in a thread that has no range open
};

// Ranges that the calling thread has pushed and not popped.
struct OpenRanges {
  int nvtx = 0;
  int program = 0;  // of warpsight/recorder.h
  bool none() const { return nvtx == 0 && program == 0; }
};
OpenRanges& OpenRangesOfThread();

// An event of now and of this thread, without a category or colour.
inline RangeEvent EventNow(RangeEventKind kind, const RangeDomain* domain, uint64_t id) {
  RangeEvent event;
  event.time_ns = MonotonicNs();
  event.id = id;
  event.domain = domain;
  event.kind = kind;
  event.outermost = kind == RangeEventKind::kPush && OpenRangesOfThread().none();
  return event;
}

struct RangeBlock {
  std::atomic<uint32_t> used;  // bytes of events published by the thread
  uint32_t read;               // bytes taken by the writer, which alone uses this
  uint32_t thread;
  std::atomic<uint32_t> left;  // 1 = its thread is done with it
};

class RangeLog;

// The block that a thread fills, and of which log: a thread outlives a log, and a forked child has none. All zero at first.
struct RangeSlot {
  RangeLog* log = nullptr;
  RangeBlock* block = nullptr;
  pid_t process = 0;
};

class RangeLog {
 public:
  static constexpr size_t kBlockBytes = 64 << 10;

  explicit RangeLog(size_t most_blocks) : pool_(kBlockBytes, most_blocks) {
    filling_.reserve(most_blocks);
    draining_.reserve(most_blocks);
  }

  // Copies the event and its text, which is cut to what a block holds.
  void Add(RangeEvent event, std::string_view text);
  // The same into a slot of the calling thread's that the caller keeps, and gives back with LeaveSlot when the thread ends.
  void AddTo(RangeSlot& slot, RangeEvent event, std::string_view text);
  static void LeaveSlot(RangeSlot& slot);

  // Encodes what has been published since the last call. `after_each` as for ActivityReader.
  void Drain(wire::ChunkEncoder& encoder, const std::function<void(uint64_t newest_ns)>& after_each);
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  uint64_t cut_texts() const { return cut_texts_.load(std::memory_order_relaxed); }

 private:
  RangeBlock* NextBlock(RangeSlot& slot);
  void Encode(RangeBlock& block, wire::ChunkEncoder& encoder, const std::function<void(uint64_t)>& after_each);

  BufferPool pool_;
  std::mutex mutex_;
  std::vector<RangeBlock*> filling_;   // blocks that are not back in the pool, in the order in which they were begun
  std::vector<RangeBlock*> draining_;  // of the writer: those of them that it reads
  std::atomic<uint64_t> dropped_{0};
  std::atomic<uint64_t> cut_texts_{0};
};

}  // namespace warpsight::capture
