// The profiler for programs that cooperate with `warpsight record`: which steps are recorded, and ranges with names.
//
//   warpsight::Profiler profiler(warpsight::Schedule().Wait(1).Warmup(1).Active(3).Repeat(1));
//   for (...) {
//     { warpsight::Range range("attention"); Attention(); }
//     profiler.Step();
//   }
//
// Run it as `warpsight record --capture-range=program -- ./program`. Steps become ranges "ProfilerStep#N", which every verb
// takes for steps. Without the recorder all of it does nothing. The schedule is that of torch.profiler.schedule.
//
// C++17, headers only, links with nothing but dl. Errors: none; a schedule that makes no sense is taken as one that records
// nothing. Threads: a Profiler belongs to one; ranges belong to the thread that makes them.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "warpsight/recorder.h"

namespace warpsight {

// What is done in a step.
enum class ProfilerAction { kNone, kWarmup, kRecord, kRecordAndSave };

// Which action each step has: `skip_first` steps of nothing, then cycles of `wait` steps of nothing, `warmup` steps that are
// recorded and thrown away, and `active` recorded ones, of which the last hands the cycle over. `repeat` cycles, 0 = for
// ever.
class Schedule {
 public:
  Schedule& SkipFirst(int steps) { return Set(skip_first_, steps); }
  Schedule& Wait(int steps) { return Set(wait_, steps); }
  Schedule& Warmup(int steps) { return Set(warmup_, steps); }
  Schedule& Active(int steps) { return Set(active_, steps); }
  Schedule& Repeat(int cycles) { return Set(repeat_, cycles); }
  // The first cycle has no waiting steps.
  Schedule& SkipFirstWait(bool skip = true) {
    skip_first_wait_ = skip;
    return *this;
  }

  ProfilerAction operator()(long long step) const {
    if (step < skip_first_ || active_ == 0) return ProfilerAction::kNone;
    step -= skip_first_;
    if (skip_first_wait_) step += wait_;
    const long long cycle = static_cast<long long>(wait_) + warmup_ + active_;
    if (repeat_ > 0 && step / cycle >= repeat_) return ProfilerAction::kNone;
    const long long at = step % cycle;
    if (at < wait_) return ProfilerAction::kNone;
    if (at < static_cast<long long>(wait_) + warmup_) return ProfilerAction::kWarmup;
    return at == cycle - 1 ? ProfilerAction::kRecordAndSave : ProfilerAction::kRecord;
  }
  bool records() const { return active_ > 0; }

 private:
  Schedule& Set(int& number, int value) {
    number = value < 0 ? 0 : value;
    return *this;
  }
  int skip_first_ = 0;
  int wait_ = 0;
  int warmup_ = 0;
  int active_ = 0;
  int repeat_ = 0;
  bool skip_first_wait_ = false;
};

// The recorder of this process; null when there is none. Looked for until it is found, since CUDA may load it late.
inline const WarpsightRecorderFunctions* Recorder() {
  static const WarpsightRecorderFunctions* found = nullptr;
  if (found != nullptr) return found;
  void* const library = dlopen(WARPSIGHT_RECORDER_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<WarpsightRecorderFunction>(dlsym(library, WARPSIGHT_RECORDER_FUNCTION));
  constexpr unsigned kNeeded = 1;  // an older recorder will do
  if (function != nullptr) found = function(kNeeded);
  return found;
}

// A range of this thread, from here to the end of the block.
class Range {
 public:
  explicit Range(const char* text) {
    if (const auto* recorder = Recorder()) recorder->push(text);
  }
  ~Range() {
    if (const auto* recorder = Recorder()) recorder->pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

class Profiler {
 public:
  using Handler = std::function<void(Profiler&)>;

  // Step 0 begins here. `on_trace_ready` is called after the last step of every cycle, and at the end of a profiler that
  // ends among recorded steps.
  explicit Profiler(Schedule schedule, Handler on_trace_ready = {})
      : schedule_(schedule), on_trace_ready_(std::move(on_trace_ready)) {
    Enter(schedule_(0));
    Push();
  }
  ~Profiler() {
    Pop();
    Leave();
    const bool recorded = action_ == ProfilerAction::kRecordAndSave || action_ == ProfilerAction::kRecord;
    if (recorded) HandOver();
    if (step_ == 0 && schedule_.records() && !recorded)
      std::fputs("warpsight: Step() was never called, so the schedule never reached a recorded step\n", stderr);
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // The step ends, the next one begins.
  void Step() {
    Pop();
    const ProfilerAction before = action_;
    const ProfilerAction next = schedule_(++step_);
    if (before == ProfilerAction::kRecordAndSave) {
      Leave();
      HandOver();
    }
    Enter(next);
    Push();
  }

  long long step() const { return step_; }
  ProfilerAction action() const { return action_; }
  // Cycles handed over so far.
  int cycles() const { return cycles_; }

 private:
  void Enter(ProfilerAction next) {
    action_ = next;
    const auto* recorder = Recorder();
    if (recorder == nullptr) return;
    if (next == ProfilerAction::kWarmup) recorder->prepare();
    const bool records = next == ProfilerAction::kRecord || next == ProfilerAction::kRecordAndSave;
    if (records && !started_) recorder->start();
    if (!records && started_) recorder->stop();
    started_ = records;
  }
  void Leave() {
    if (const auto* recorder = Recorder(); recorder != nullptr && started_) recorder->stop();
    started_ = false;
  }
  void HandOver() {
    ++cycles_;
    if (on_trace_ready_) on_trace_ready_(*this);
  }
  void Push() {
    pushed_ = Recorder();
    if (pushed_ != nullptr) pushed_->push(("ProfilerStep#" + std::to_string(step_)).c_str());
  }
  void Pop() {
    if (pushed_ != nullptr) pushed_->pop();
    pushed_ = nullptr;
  }

  Schedule schedule_;
  Handler on_trace_ready_;
  long long step_ = 0;
  ProfilerAction action_ = ProfilerAction::kNone;
  int cycles_ = 0;
  bool started_ = false;
  const WarpsightRecorderFunctions* pushed_ = nullptr;
};

}  // namespace warpsight
