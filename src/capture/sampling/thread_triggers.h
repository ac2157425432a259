// ThreadTriggers: has the kernel send a signal to each thread of the process after every so many ns of its own processor
// time.
//
// Place in the flow: CpuSampler (on the writer) -> this -> the kernel -> sample_signal. Where the kernel allows it the
// trigger is perf's task clock of the thread, counted in user mode alone: the signal then never comes inside of a system
// call, so that none ends early (EINTR), and the frequency is exact. Else it is a timer on the thread's processor clock,
// which the kernel looks at with each of its ticks only (250 a second is usual). Neither survives exec; a forked child
// closes what it inherits. Threads are found by looking through /proc/self/task; those that block the signal are left alone.
// The recorder's own block all signals. Errors: a thread that can't be triggered is counted. Threads: one, but for
// CloseInChild.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

namespace warpsight::capture::sampling {

class ThreadTriggers {
 public:
  ThreadTriggers(int signal, uint32_t hz) : signal_(signal), period_ns_(1'000'000'000 / (hz == 0 ? 1 : hz)) {
    for (std::atomic<int>& file : files_) file.store(-1, std::memory_order_relaxed);
  }

  // Triggers the threads that have come up, and forgets those that are gone.
  void Follow();
  void DisarmAll();
  bool armed() const { return !threads_.empty(); }
  bool used_perf() const { return used_perf_; }
  bool used_timers() const { return used_timers_; }
  // Threads that could not be triggered.
  uint64_t failed() const { return failed_; }
  // In a forked child, whose parent's events are open in it as well.
  void CloseInChild();

 private:
  // More descriptors are not taken from the program: further threads get timers.
  static constexpr size_t kMostFiles = 512;
  struct Trigger {
    size_t file = kMostFiles;  // index into files_
    timer_t timer = {};
    bool has_timer = false;
    bool is_blocked = false;
    uint64_t seen = 0;  // the last turn in which the thread was there
  };
  void Arm(pid_t thread, Trigger& trigger);
  bool ArmPerf(pid_t thread, Trigger& trigger);
  bool ArmTimer(pid_t thread, Trigger& trigger);
  void Disarm(Trigger& trigger);

  int signal_;
  uint64_t period_ns_;
  std::map<pid_t, Trigger> threads_;
  std::array<std::atomic<int>, kMostFiles> files_;  // -1 = free
  uint64_t turn_ = 0;
  uint64_t failed_ = 0;
  bool may_use_perf_ = true;
  bool used_perf_ = false;
  bool used_timers_ = false;
};

}  // namespace warpsight::capture::sampling
