// ThreadSwitches: when the kernel gives the process's threads a processor, and when it takes it away.
//
// Place in the flow: Session's writer -> this -> the kernel; its records -> the encoder. Every thread has an event of perf
// that counts nothing but writes each switch of the thread into a ring of its own, in memory that the kernel shares with us;
// the writer empties the rings in its turns. The program's threads do nothing for it: no signal, no system call. Threads are
// found by looking through /proc/self/task, so that what a thread did before it was found is not known; the recorder's own
// are left out. Taken from the program: a part of its descriptors, away from its own numbers, and of the memory that the
// system lets a user lock for perf. exec closes the events; a forked child has no rings and closes the descriptors. Errors:
// a note, once each; what found no room in a ring is counted. Units: ns of CLOCK_MONOTONIC. Threads: the writer's, but for
// ForgetInChild.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "capture/sampling/switch_ring.h"
#include "capture/settings.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture::sampling {

class ThreadSwitches {
 public:
  using Note = std::function<void(std::string text)>;
  using AfterEach = std::function<void(uint64_t newest_ns)>;

  // `recording`: whether switches are taken now. It outlives this.
  ThreadSwitches(const Settings& settings, const std::atomic<bool>& recording, Note note);

  // Follows the threads that have come up, or none while nothing is recorded, and encodes what has happened. `after_each` as
  // for ActivityReader.
  void FollowAndDrain(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  // Encodes the rest; nothing is followed from then on.
  void Stop(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void ForgetInChild();
  // Switches for which a ring had no room.
  uint64_t dropped() const { return dropped_; }

 private:
  static constexpr size_t kMostFiles = 512;
  struct Followed {
    size_t file = kMostFiles;  // index into files_; kMostFiles = the thread can't be followed
    SwitchRing ring;
    uint64_t newest_ns = 0;  // time of the last record
    uint64_t lost = 0;       // that its records have told of
    uint64_t seen = 0;       // the last turn in which the thread was there
  };
  void Follow(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void Begin(pid_t thread, Followed& one, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  bool MapRing(int file, Followed& one);
  void NoteRefusal(int error);
  void NoteSome(const char* why);
  void Drain(pid_t thread, Followed& one, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void End(pid_t thread, Followed& one, uint64_t until_ns, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void EndAll(wire::ChunkEncoder& encoder, const AfterEach& after_each);

  const bool wanted_;
  const size_t pages_;  // of a ring
  const std::atomic<bool>& recording_;
  const Note note_;
  std::map<pid_t, Followed> threads_;
  std::array<std::atomic<int>, kMostFiles> files_;  // -1 = free
  size_t ring_bytes_ = 0;
  size_t most_ring_bytes_ = 0;
  uint64_t turn_ = 0;
  uint64_t dropped_ = 0;
  bool refused_ = false;  // the system lets nobody follow threads, or the session ends
  bool said_some_ = false;
};

}  // namespace warpsight::capture::sampling
