#include "capture/sampling/guest_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace warpsight::capture::sampling {
namespace {

constexpr int kLeastNumber = 64;

}  // namespace

bool HasRoomForFiles(size_t used, uint64_t part) {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || used < limit.rlim_cur / part);
}

int AwayFromTheProgram(int file) {
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kLeastNumber);
  if (moved < 0) return file;
  close(file);
  return moved;
}

bool IsPerfEvent(int file) {
  char path[64];
  char target[64] = {};
  std::snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  const ssize_t size = readlink(path, target, sizeof(target) - 1);
  return size > 0 && std::strcmp(target, "anon_inode:[perf_event]") == 0;
}

void ClosePerfEvents(std::span<std::atomic<int>> files) {
  for (std::atomic<int>& one : files) {
    const int file = one.exchange(-1, std::memory_order_acq_rel);
    if (file >= 0 && IsPerfEvent(file)) close(file);
  }
}

}  // namespace warpsight::capture::sampling
