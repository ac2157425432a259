// The functions of the C library that are followed: those that wait (for a lock, a thread, a file, a clock, another
// process). Left out on purpose: what allocates or maps memory, what starts or replaces a process, and what threads call
// all the time without waiting.
//
// X(name, type, number of parameters, symbol version or null): some names have two versions in the C library, of which the
// newer is meant. Functions that take "..." are declared with the one argument that they may have.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "calls/signature.h"

namespace warpsight::calls::os {

using P = void*;
using C = const void*;

#define WARPSIGHT_OS_LIST(X)                                       \
  X(pthread_cond_wait, int(P, P), 2, "GLIBC_2.3.2")                \
  X(pthread_cond_timedwait, int(P, P, C), 3, "GLIBC_2.3.2")        \
  X(pthread_cond_clockwait, int(P, P, int, C), 4, nullptr)         \
  X(pthread_mutex_timedlock, int(P, C), 2, nullptr)                \
  X(pthread_join, int(unsigned long, P), 2, nullptr)               \
  X(pthread_barrier_wait, int(P), 1, nullptr)                      \
  X(sem_wait, int(P), 1, nullptr)                                  \
  X(sem_timedwait, int(P, C), 2, nullptr)                          \
  X(sem_clockwait, int(P, int, C), 3, nullptr)                     \
  X(sleep, unsigned(unsigned), 1, nullptr)                         \
  X(usleep, int(unsigned), 1, nullptr)                             \
  X(nanosleep, int(C, P), 2, nullptr)                              \
  X(clock_nanosleep, int(int, int, C, P), 4, "GLIBC_2.17")         \
  X(poll, int(P, unsigned long, int), 3, nullptr)                  \
  X(__poll_chk, int(P, unsigned long, int, size_t), 4, nullptr)    \
  X(ppoll, int(P, unsigned long, C, C), 4, nullptr)                \
  X(select, int(int, P, P, P, P), 5, nullptr)                      \
  X(pselect, int(int, P, P, P, C, C), 6, nullptr)                  \
  X(epoll_wait, int(int, P, int, int), 4, nullptr)                 \
  X(epoll_pwait, int(int, P, int, int, C), 5, nullptr)             \
  X(open, int(C, int, unsigned), 3, nullptr)                       \
  X(open64, int(C, int, unsigned), 3, nullptr)                     \
  X(openat, int(int, C, int, unsigned), 4, nullptr)                \
  X(openat64, int(int, C, int, unsigned), 4, nullptr)              \
  X(ioctl, int(int, unsigned long, P), 3, nullptr)                 \
  X(read, ssize_t(int, P, size_t), 3, nullptr)                     \
  X(__read_chk, ssize_t(int, P, size_t, size_t), 4, nullptr)       \
  X(pread64, ssize_t(int, P, size_t, int64_t), 4, nullptr)         \
  X(readv, ssize_t(int, C, int), 3, nullptr)                       \
  X(write, ssize_t(int, C, size_t), 3, nullptr)                    \
  X(pwrite64, ssize_t(int, C, size_t, int64_t), 4, nullptr)        \
  X(writev, ssize_t(int, C, int), 3, nullptr)                      \
  X(fread, size_t(P, size_t, size_t, P), 4, nullptr)               \
  X(fwrite, size_t(C, size_t, size_t, P), 4, nullptr)              \
  X(fsync, int(int), 1, nullptr)                                   \
  X(fdatasync, int(int), 1, nullptr)                               \
  X(connect, int(int, C, unsigned), 3, nullptr)                    \
  X(accept, int(int, P, P), 3, nullptr)                            \
  X(accept4, int(int, P, P, int), 4, nullptr)                      \
  X(recv, ssize_t(int, P, size_t, int), 4, nullptr)                \
  X(recvfrom, ssize_t(int, P, size_t, int, P, P), 6, nullptr)      \
  X(recvmsg, ssize_t(int, P, int), 3, nullptr)                     \
  X(send, ssize_t(int, C, size_t, int), 4, nullptr)                \
  X(sendto, ssize_t(int, C, size_t, int, C, unsigned), 6, nullptr) \
  X(sendmsg, ssize_t(int, C, int), 3, nullptr)                     \
  X(wait, int(P), 1, nullptr)                                      \
  X(waitpid, int(int, P, int), 3, nullptr)                         \
  X(wait4, int(int, P, int, P), 4, nullptr)                        \
  X(waitid, int(int, unsigned, P, int), 4, nullptr)

// Locks, which are nearly always free: tried first, so that only a wait is timed.
// X(name, the function that tries)
#define WARPSIGHT_LOCK_LIST(X)                       \
  X(pthread_mutex_lock, pthread_mutex_trylock)       \
  X(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock) \
  X(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)

}  // namespace warpsight::calls::os
