#include "capture/sampling/thread_triggers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/sampling/guest_files.h"

namespace warpsight::capture::sampling {
namespace {

// A thread that blocks the signal is asked again after so many turns.
constexpr uint64_t kTurnsBetweenQuestions = 50;
// The program's own descriptors come first: no more than this part of what it may have.
constexpr uint64_t kPartOfDescriptors = 4;

// Whether the thread blocks the signal, as the line SigBlk of its status says. A thread that is gone blocks all.
bool Blocks(pid_t thread, int signal) {
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/self/task/%d/status", static_cast<int>(thread));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  char text[4096];
  const ssize_t got = read(file, text, sizeof(text) - 1);
  close(file);
  text[got > 0 ? got : 0] = '\0';
  constexpr const char* kLine = "\nSigBlk:";
  const char* const line = std::strstr(text, kLine);
  if (line == nullptr) return true;
  const unsigned long long blocked = std::strtoull(line + std::strlen(kLine), nullptr, 16);
  return (blocked >> (signal - 1) & 1) != 0;
}

}  // namespace

void ThreadTriggers::Follow() {
  ++turn_;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] < '0' || task->d_name[0] > '9') continue;
    const auto thread = static_cast<pid_t>(std::strtol(task->d_name, nullptr, 10));
    const auto [found, added] = threads_.try_emplace(thread);
    Trigger& trigger = found->second;
    const bool ask_again = trigger.is_blocked && turn_ % kTurnsBetweenQuestions == 0;
    trigger.seen = turn_;
    if (added || ask_again) Arm(thread, trigger);
  }
  closedir(tasks);
  for (auto at = threads_.begin(); at != threads_.end();) {
    if (at->second.seen == turn_) {
      ++at;
      continue;
    }
    Disarm(at->second);
    at = threads_.erase(at);
  }
}

void ThreadTriggers::Arm(pid_t thread, Trigger& trigger) {
  trigger.is_blocked = Blocks(thread, signal_);
  if (trigger.is_blocked) return;
  if (!ArmPerf(thread, trigger) && !ArmTimer(thread, trigger)) ++failed_;
}

bool ThreadTriggers::ArmPerf(pid_t thread, Trigger& trigger) {
  if (!may_use_perf_) return false;
  size_t place = 0;
  while (place < kMostFiles && files_[place].load(std::memory_order_relaxed) >= 0) ++place;
  if (place == kMostFiles || !HasRoomForFiles(threads_.size(), kPartOfDescriptors)) return false;
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = period_ns_;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const auto opened = static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (opened < 0) {
    may_use_perf_ = errno == ESRCH || errno == EMFILE || errno == ENFILE;  // else it is not allowed, or there is none
    return false;
  }
  const int file = AwayFromTheProgram(opened);
  f_owner_ex owner = {};
  owner.type = F_OWNER_TID;
  owner.pid = thread;
  const int flags = fcntl(file, F_GETFL);
  if (fcntl(file, F_SETOWN_EX, &owner) != 0 || fcntl(file, F_SETSIG, signal_) != 0 ||
      fcntl(file, F_SETFL, flags | O_ASYNC) != 0 || ioctl(file, PERF_EVENT_IOC_ENABLE, 0) != 0) {
    close(file);
    return false;
  }
  files_[place].store(file, std::memory_order_release);
  trigger.file = place;
  used_perf_ = true;
  return true;
}

bool ThreadTriggers::ArmTimer(pid_t thread, Trigger& trigger) {
  // The clock of another thread: as the kernel numbers them (pthread_getcpuclockid asks for a pthread_t).
  constexpr int kThreadCpuClock = 6;
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | kThreadCpuClock);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_;
#ifdef sigev_notify_thread_id
  event.sigev_notify_thread_id = thread;
#else
  event._sigev_un._tid = thread;
#endif
  if (timer_create(clock, &event, &trigger.timer) != 0) return false;
  itimerspec period = {};
  period.it_interval = {static_cast<time_t>(period_ns_ / 1'000'000'000), static_cast<long>(period_ns_ % 1'000'000'000)};
  period.it_value = period.it_interval;
  if (timer_settime(trigger.timer, 0, &period, nullptr) != 0) {
    timer_delete(trigger.timer);
    return false;
  }
  trigger.has_timer = true;
  used_timers_ = true;
  return true;
}

void ThreadTriggers::Disarm(Trigger& trigger) {
  if (trigger.has_timer) timer_delete(trigger.timer);
  trigger.has_timer = false;
  if (trigger.file == kMostFiles) return;
  const int file = files_[trigger.file].exchange(-1, std::memory_order_acq_rel);
  trigger.file = kMostFiles;
  if (file < 0 || !IsPerfEvent(file)) return;
  // A forked child may hold it open.
  ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
  close(file);
}

void ThreadTriggers::DisarmAll() {
  for (auto& [thread, trigger] : threads_) Disarm(trigger);
  threads_.clear();
}

void ThreadTriggers::CloseInChild() { ClosePerfEvents(files_); }

}  // namespace warpsight::capture::sampling
