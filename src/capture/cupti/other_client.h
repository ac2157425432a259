// OtherClient: another user of CUPTI in the recorded process, torch.profiler above all, which must find it as without us.
//
// CUPTI has one pair of buffer callbacks a process: who registers last gets the buffers, also those that were handed out
// before, and two recorders spoil each other's records without a word. So the recorder stands in front of the functions of
// CUPTI that another library imports (import_slots.h). When one switches an activity on, all of ours is taken out of CUPTI
// first (`on_claim`) and its callbacks and clock are registered; when it has switched everything off and collected its
// records, CUPTI may be taken back (TakeBack). Clients that look CUPTI's functions up by themselves are not seen.
// Errors: none; what can't be watched is not. Threads: safe; the client calls on its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/cupti/cupti_library.h"
#include "capture/cupti/import_slots.h"
#include "capture/loaded_libraries.h"

namespace warpsight::capture::cupti {

class OtherClient {
 public:
  // Both are called on the client's thread, before it is let through. `on_claim(who)`: it switches an activity on;
  // `on_subscribe(who)`: it wants to be the subscriber of callbacks, of which there is one.
  using OnCall = std::function<void(const std::string& who)>;
  OtherClient(OnCall on_claim, OnCall on_subscribe)
      : on_claim_(std::move(on_claim)), on_subscribe_(std::move(on_subscribe)) {}

  // Looks for clients among the libraries that are loaded now. Cheap when none has been loaded since the last time, and asks
  // for none of the loader's locks for long. `path`:
  // of a CUPTI that may have another name than NVIDIA's.
  void Watch(const std::string& path);
  // Calls are passed on and nothing else, for good: this is a child that was forked.
  static void Forget() { watching_.store(nullptr, std::memory_order_release); }

  // Whether CUPTI is the client's.
  bool claimed() const { return claimed_.load(std::memory_order_acquire); }
  // True, and CUPTI is ours again, when everything that the client switched on is off and its records have been collected
  // (or it let seconds pass).
  bool TakeBack(uint64_t now_ns);

 private:
  static int RegisterCallbacks(BufferRequested requested, BufferCompleted completed);
  static int RegisterClock(uint64_t (*clock)());
  static int Enable(uint32_t kind);
  static int EnableAndDump(uint32_t kind);
  static int EnableContext(void* context, uint32_t kind);
  static int Disable(uint32_t kind);
  static int DisableContext(void* context, uint32_t kind);
  static int FlushAll(uint32_t flag);
  static int Subscribe(void** subscriber, Callback callback, void* user);
  static int Finalize();

  // Our subscription is to end: the client wants one, or takes every client out of CUPTI.
  static void TellSubscription(void* caller);
  static void Claim(void* context, uint32_t kind, void* caller);
  // Also where nobody watches any more: calls are passed on then.
  static bool IsClaimed();
  static void Release(void* context, uint32_t kind);

  static std::atomic<OtherClient*> watching_;
  static CuptiLibrary cupti_;  // that the client uses; set before the first import is replaced

  const OnCall on_claim_;
  const OnCall on_subscribe_;
  std::mutex watch_mutex_;
  LoadCounts libraries_seen_;
  std::vector<LoadedCode> libraries_;
  ImportSlots slots_{"cupti"};  // by a part of the file name
  std::atomic<bool> claimed_{false};

  std::mutex mutex_;  // of all below; held while CUPTI changes hands
  BufferRequested requested_ = nullptr;
  BufferCompleted completed_ = nullptr;
  uint64_t (*clock_)() = nullptr;
  std::set<std::pair<void*, uint32_t>> enabled_;  // context (null = all) and kind
  bool collected_ = false;                        // since something was switched off last
  uint64_t called_ns_ = 0;                        // last
};

}  // namespace warpsight::capture::cupti
