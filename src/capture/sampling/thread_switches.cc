#include "capture/sampling/thread_switches.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "capture/monotonic_clock.h"
#include "capture/sampling/guest_files.h"

namespace warpsight::capture::sampling {
namespace {

// ThreadTriggers takes another part.
constexpr uint64_t kPartForSwitches = 8;
constexpr uint64_t kFormatLost = 1 << 4;  // PERF_FORMAT_LOST, of Linux 6.0

// What a user may lock for perf's rings before his limit of locked memory counts, which is the program's own.
size_t LockableBytes() {
  size_t kilobytes = 516;  // the kernel's default
  const int file = open("/proc/sys/kernel/perf_event_mlock_kb", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    char text[32] = {};
    if (read(file, text, sizeof(text) - 1) > 0) kilobytes = std::strtoul(text, nullptr, 10);
    close(file);
  }
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return kilobytes * 1024 * static_cast<size_t>(processors < 1 ? 1 : processors);
}

// Threads of the recorder have names of their own; the first thread is the program's, whatever its name.
bool IsOurs(pid_t thread) {
  if (thread == getpid()) return false;
  if (thread == static_cast<pid_t>(syscall(SYS_gettid))) return true;
  char path[64];
  char name[32] = {};
  std::snprintf(path, sizeof(path), "/proc/self/task/%d/comm", static_cast<int>(thread));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = read(file, name, sizeof(name) - 1);
  close(file);
  constexpr const char* kOurs[] = {"warpsight\n", "warpsight-nvml\n", "warpsight-py\n"};
  for (const char* ours : kOurs) {
    if (got > 0 && std::strcmp(name, ours) == 0) return true;
  }
  return false;
}

// As its status says: sleeping, whether a signal ends it or not.
bool IsWaiting(pid_t thread) {
  char path[64];
  char text[512] = {};
  std::snprintf(path, sizeof(path), "/proc/self/task/%d/stat", static_cast<int>(thread));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = read(file, text, sizeof(text) - 1);
  close(file);
  // The state stands behind the name, which may hold any character.
  const char* const name_end = got > 0 ? std::strrchr(text, ')') : nullptr;
  return name_end != nullptr && name_end[1] == ' ' && (name_end[2] == 'S' || name_end[2] == 'D');
}

int OpenEvent(pid_t thread, bool tells_lost) {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  attributes.read_format = tells_lost ? kFormatLost : 0;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.context_switch = 1;
  attributes.sample_id_all = 1;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

ThreadSwitches::ThreadSwitches(const Settings& settings, const std::atomic<bool>& recording, Note note)
    : wanted_(settings.thread_switches), pages_(settings.switch_pages), recording_(recording), note_(std::move(note)) {
  for (std::atomic<int>& file : files_) file.store(-1, std::memory_order_relaxed);
  if (wanted_) most_ring_bytes_ = LockableBytes();
}

void ThreadSwitches::FollowAndDrain(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  if (!wanted_) return;
  if (!recording_ || refused_) return EndAll(encoder, after_each);
  Follow(encoder, after_each);
  for (auto& [thread, one] : threads_) Drain(thread, one, encoder, after_each);
}

void ThreadSwitches::Stop(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  if (!wanted_) return;
  refused_ = true;
  EndAll(encoder, after_each);
}

void ThreadSwitches::ForgetInChild() { ClosePerfEvents(files_); }

void ThreadSwitches::Follow(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  ++turn_;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] < '0' || task->d_name[0] > '9') continue;
    const auto thread = static_cast<pid_t>(std::strtol(task->d_name, nullptr, 10));
    const auto [found, added] = threads_.try_emplace(thread);
    found->second.seen = turn_;
    if (added && !refused_ && !IsOurs(thread)) Begin(thread, found->second, encoder, after_each);
  }
  closedir(tasks);
  for (auto at = threads_.begin(); at != threads_.end();) {
    if (at->second.seen == turn_) {
      ++at;
      continue;
    }
    End(at->first, at->second, at->second.newest_ns, encoder, after_each);
    at = threads_.erase(at);
  }
}

void ThreadSwitches::Begin(pid_t thread, Followed& one, wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  size_t place = 0;
  while (place < kMostFiles && files_[place].load(std::memory_order_relaxed) >= 0) ++place;
  if (place == kMostFiles || !HasRoomForFiles(threads_.size(), kPartForSwitches))
    return NoteSome("the recorder takes no more of the program's descriptors");
  int opened = OpenEvent(thread, true);
  if (opened < 0 && errno == EINVAL) opened = OpenEvent(thread, false);
  if (opened < 0) return NoteRefusal(errno);
  const int file = AwayFromTheProgram(opened);
  if (!MapRing(file, one) || ioctl(file, PERF_EVENT_IOC_ENABLE, 0) != 0) {
    ring_bytes_ -= one.ring.bytes();
    one.ring.Unmap();
    close(file);
    return NoteSome("perf's rings have no more room in locked memory (kernel.perf_event_mlock_kb)");
  }
  files_[place].store(file, std::memory_order_release);
  one.file = place;
  // A wait in which the thread was found is known from now on, unless it has ended meanwhile.
  const uint64_t now = MonotonicNs();
  if (!IsWaiting(thread) || !one.ring.empty()) return;
  one.newest_ns = now;
  encoder.Add(wire::ThreadSwitchRecord{static_cast<uint32_t>(thread), now, wire::ThreadState::kWaiting});
  after_each(now);
}

// Large rings while they take no more than a quarter of what there is; then those of one page.
bool ThreadSwitches::MapRing(int file, Followed& one) {
  for (const size_t pages : {pages_, size_t{1}}) {
    const size_t most = pages > 1 ? most_ring_bytes_ / 4 : most_ring_bytes_;
    if (ring_bytes_ + SwitchRing::BytesOf(pages) > most || !one.ring.Map(file, pages)) continue;
    ring_bytes_ += one.ring.bytes();
    return true;
  }
  return false;
}

void ThreadSwitches::NoteRefusal(int error) {
  if (error == ESRCH) return;  // the thread has just ended
  if (error == EMFILE || error == ENFILE) return NoteSome("the program has no descriptor left");
  refused_ = true;
  note_(std::string("switches of threads are not recorded: the system does not allow perf_event_open (") + strerror(error) +
        "); kernel.perf_event_paranoid is to be 2 or less, and a container must not forbid it");
}

void ThreadSwitches::NoteSome(const char* why) {
  if (!std::exchange(said_some_, true)) note_(std::string("switches of some threads are not recorded: ") + why);
}

void ThreadSwitches::Drain(pid_t thread, Followed& one, wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  const auto put = [&](wire::ThreadState state) {
    encoder.Add(wire::ThreadSwitchRecord{static_cast<uint32_t>(thread), one.newest_ns, state});
    after_each(one.newest_ns);
  };
  one.ring.TakeAll(
      [&](uint64_t time_ns, wire::ThreadState state) {
        one.newest_ns = time_ns;
        put(state);
      },
      [&](uint64_t records) {
        one.lost += records;
        dropped_ += records;
        if (one.newest_ns != 0) put(wire::ThreadState::kUnknown);
      });
}

// The thread's state is known until `until_ns`, unless its last records were lost.
void ThreadSwitches::End(pid_t thread, Followed& one, uint64_t until_ns, wire::ChunkEncoder& encoder,
                         const AfterEach& after_each) {
  if (one.file == kMostFiles) return;
  const int file = files_[one.file].exchange(-1, std::memory_order_acq_rel);
  one.file = kMostFiles;
  const bool is_there = file >= 0 && IsPerfEvent(file);
  if (is_there) ioctl(file, PERF_EVENT_IOC_DISABLE, 0);  // a forked child may hold it open
  Drain(thread, one, encoder, after_each);
  // What was lost at the end no record tells of.
  uint64_t counts[2] = {};
  if (is_there && read(file, counts, sizeof(counts)) != sizeof(counts)) counts[1] = 0;
  const bool lost = counts[1] > one.lost;
  if (lost) dropped_ += counts[1] - one.lost;
  if (one.newest_ns != 0) {
    const uint64_t time_ns = lost ? one.newest_ns : std::max(until_ns, one.newest_ns);
    encoder.Add(wire::ThreadSwitchRecord{static_cast<uint32_t>(thread), time_ns, wire::ThreadState::kUnknown});
    after_each(time_ns);
  }
  if (is_there) close(file);
  ring_bytes_ -= one.ring.bytes();
  one.ring.Unmap();
}

void ThreadSwitches::EndAll(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  const uint64_t now = MonotonicNs();
  for (auto& [thread, one] : threads_) End(thread, one, now, encoder, after_each);
  threads_.clear();
}

}  // namespace warpsight::capture::sampling
