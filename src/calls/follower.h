// The preloaded libraries' common part: whether calls are followed now, what is known of the calling thread, and handing a
// call that has returned to the recorder.
//
// Each preloaded library has its own copy. Guest manners: nothing throws, prints, allocates or changes errno; a call that
// comes while the thread is in the recorder already (a lock of the recorder's own, a signal handler) goes through
// unrecorded. Threads: safe; also in signal handlers, and before constructors have run.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

#include "calls/call_recorder.h"

namespace warpsight::calls {

struct ThreadState {
  CallSlot slot;
  uint8_t depth[kLibraries];  // of followed calls: of nested ones in one library only the outermost is recorded
  bool busy;                  // in the recorder
  bool ignored;               // the recorder's own thread
  bool end_is_followed;
};

// Never allocated on first use, as other thread storage is.
extern __thread ThreadState this_thread __attribute__((tls_model("initial-exec")));
extern std::atomic<const CallRecorder*> current_recorder;

// The recorder, when it wants calls of `library` now; null otherwise. One load where there is no recorder.
inline const CallRecorder* RecorderFor(Library library) {
  const CallRecorder* recorder = current_recorder.load(std::memory_order_acquire);
  if (recorder == nullptr || (recorder->libraries & BitOf(library)) == 0) return nullptr;
  return recorder->recording->load(std::memory_order_relaxed) ? recorder : nullptr;
}

inline uint64_t NowNs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void Record(const CallRecorder& recorder, const FollowedCall& call);

}  // namespace warpsight::calls
