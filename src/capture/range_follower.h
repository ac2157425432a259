// RangeFollower: tells from the program's ranges when a recording begins and ends.
//
// Place in the flow: Session::AddRange -> this, on the thread of the program that made the event -> the session is switched.
// There is a follower while ranges decide (--capture-range=nvtx, a trigger that counts steps) and none else, so that events
// cost nothing more at other times. A range belongs to the thread that pushed it; one that was started belongs to its id.
// Ranges inside of an open one, of any thread, change nothing. Followers are never freed: a thread may be in one.
//
// Errors: none; without memory an event is not seen. Threads: safe, but for Answer, which is the writer's.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "capture/range_log.h"
#include "capture/range_pattern.h"
#include "capture/settings.h"

namespace warpsight::capture {

class RangeFollower {
 public:
  // What is to be done at an event: recording begins before it, ends after it.
  enum class Turn : uint8_t { kNone, kBegin, kEnd };

  // Every range of the pattern is a recording of its own.
  explicit RangeFollower(RangePattern pattern) : pattern_(std::move(pattern)) {}
  // `steps` ranges of one thread are one recording, and then it is over. Numbers at the end of a name are left aside. Empty
  // `written`: ProfilerStep#N, or the outermost range that comes a second time.
  RangeFollower(uint64_t steps, std::string_view written);

  // An event of this thread; `text` of a push or start.
  Turn Take(const RangeEvent& event, std::string_view text);

  // The steps are done, or no further one is wanted.
  bool over() const { return over_.load(std::memory_order_acquire); }
  void GiveUp() { over_.store(true, std::memory_order_release); }
  TriggerAnswer Answer();

 private:
  bool IsMeant(const RangeEvent& event, std::string_view text);
  bool IsRepeated(std::string_view text);
  Turn Open(const RangeEvent& event, std::string_view text);
  Turn Close();

  std::optional<RangePattern> pattern_;  // what is meant, when that was said
  uint64_t steps_ = 0;                   // 0 = each range by itself
  std::atomic<bool> over_{false};
  std::atomic<bool> open_{false};     // a range is open
  std::atomic<uint64_t> open_id_{0};  // of one that was started
  std::atomic<uint64_t> opened_{0};   // ranges so far
  std::atomic<uint64_t> done_{0};     // of them ended
  std::atomic<int64_t> thread_{0};    // whose pushed steps are counted

  std::mutex mutex_;                         // of the two below
  std::string step_;                         // constant from the first counted range on
  std::set<std::string, std::less<>> seen_;  // outermost ranges that began once
};

}  // namespace warpsight::capture
