#include "calls/follower.h"

#include <errno.h>
#include <pthread.h>

namespace warpsight::calls {

__thread ThreadState this_thread __attribute__((tls_model("initial-exec")));
std::atomic<const CallRecorder*> current_recorder{nullptr};

namespace {

pthread_key_t end_of_thread;
bool has_end_of_thread = false;

// Early: keys with small numbers need no memory.
__attribute__((constructor)) void MakeKey() {
  has_end_of_thread = pthread_key_create(&end_of_thread, [](void* value) {
                        auto* const state = static_cast<ThreadState*>(value);
                        state->end_is_followed = false;
                        if (const CallRecorder* recorder = current_recorder.load(std::memory_order_acquire)) {
                          state->busy = true;
                          recorder->leave(&state->slot);
                          state->busy = false;
                        }
                      }) == 0;
}

void Attach(const CallRecorder* recorder) {
  if (recorder != nullptr && recorder->version != kCallInterface) return;
  current_recorder.store(recorder, std::memory_order_release);
}
void IgnoreThread() { this_thread.ignored = true; }
bool IsInside(Library library) { return this_thread.depth[static_cast<uint32_t>(library)] > 0; }

constexpr CallFollower kFollower = {kCallInterface, Attach, IgnoreThread, IsInside};

}  // namespace

void Record(const CallRecorder& recorder, const FollowedCall& call) {
  ThreadState& state = this_thread;
  if (state.busy || state.ignored) return;
  const int error = errno;
  state.busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (!state.end_is_followed && has_end_of_thread) state.end_is_followed = pthread_setspecific(end_of_thread, &state) == 0;
  recorder.add(&state.slot, &call);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.busy = false;
  errno = error;
}

}  // namespace warpsight::calls

// Each library's own name of it, so that the recorder finds both.
extern "C" __attribute__((visibility("default"))) const warpsight::calls::CallFollower* WARPSIGHT_FOLLOWER_FUNCTION() {
  return &warpsight::calls::kFollower;
}
