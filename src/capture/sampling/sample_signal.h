// SampleSignal: the signal that samples a thread, and its handler, which leaves the thread's stack in the ring.
//
// Place in the flow: ThreadTriggers -> the kernel -> this, in the sampled thread -> StackRing. The signal is SIGURG: what is
// not handled it does nothing to a process, so that one which comes late, after exec, or after the program has set all
// signals back, ends nothing; and it is a program's own far less often than SIGPROF. A program that handles it itself keeps
// it. The handler blocks all signals while it runs, neither allocates, locks nor prints, and keeps errno. Errors: false.
// Threads: Take, IsOurs and Leave from the writer.
#pragma once

#include <signal.h>

#include <atomic>

#include "capture/sampling/stack_ring.h"

namespace warpsight::capture::sampling {

class PythonStacks;

// What the handler works with. It outlives the process's last signal.
struct SampleTarget {
  StackRing* ring = nullptr;
  PythonStacks* python = nullptr;
  const std::atomic<bool>* recording = nullptr;  // false: nothing is sampled now
};

class SampleSignal {
 public:
  static constexpr int kSignal = SIGURG;

  // Puts our handler in place. False where the program has one of its own.
  static bool Take(const SampleTarget& target);
  // Whether it is still in place.
  static bool IsOurs();
  // Nothing is sampled any more, and the signal is as it was, unless the program has taken it. Safe in a forked child.
  static void Leave();
};

}  // namespace warpsight::capture::sampling
