// Functions that stand in front of those of the C library (os_list.h).
//
// They may be called at any time: before this library's constructors, inside of another allocator's lock, in a signal
// handler, by a thread that is being cancelled. So nothing here allocates, takes a lock, or runs when a frame is unwound;
// the C library's functions are found when the process starts, or by the first call that comes earlier. Without a recorder
// a call is two loads and a jump. A call that was shorter than the threshold leaves nothing.
#include "calls/os/os_list.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "calls/call_text.h"
#include "calls/follower.h"

namespace warpsight::calls::os {
namespace {

class OsFunction {
 public:
  constexpr OsFunction(const char* name, const char* version) : name_(name), version_(version) {}
  const char* name() const { return name_; }
  void* Get() {
    void* const function = function_.load(std::memory_order_relaxed);
    return function != nullptr ? function : Find();
  }
  void* Find() {
    const int error = errno;
    void* function = version_ == nullptr ? nullptr : dlvsym(RTLD_NEXT, name_, version_);
    // Another architecture's version has another name; there is but one then.
    if (function == nullptr) function = dlsym(RTLD_NEXT, name_);
    function_.store(function, std::memory_order_relaxed);
    errno = error;
    return function;
  }

 private:
  const char* name_;
  const char* version_;
  std::atomic<void*> function_{nullptr};
};

// The recorder, when it wants calls of the calling thread.
const CallRecorder* RecorderOfThread() {
  const CallRecorder* recorder = RecorderFor(Library::kOsRuntime);
  if (recorder == nullptr || this_thread.busy || this_thread.ignored) return nullptr;
  return recorder;
}

void RecordWait(const CallRecorder& recorder, const char* name, uint64_t start_ns) {
  const uint64_t end_ns = NowNs();
  if (end_ns - start_ns < recorder.os_threshold_ns) return;
  const auto bytes = static_cast<uint32_t>(strlen(name));
  Record(recorder, {Library::kOsRuntime, name, bytes, bytes, start_ns, end_ns});
}

template <typename Result, typename... Parameters>
inline Result FollowOsCall(OsFunction& next, Parameters... parameters) {
  const auto function = reinterpret_cast<Result (*)(Parameters...)>(next.Get());
  if (function == nullptr) {
    errno = ENOSYS;
    return static_cast<Result>(-1);
  }
  const CallRecorder* recorder = RecorderOfThread();
  if (recorder == nullptr) return function(parameters...);
  const uint64_t start_ns = NowNs();
  const Result result = function(parameters...);
  RecordWait(*recorder, next.name(), start_ns);
  return result;
}

using Lock = int (*)(void*);

inline int FollowLock(OsFunction& next, OsFunction& try_first, void* lock) {
  const auto function = reinterpret_cast<Lock>(next.Get());
  const CallRecorder* recorder = RecorderOfThread();
  if (recorder == nullptr) return function(lock);
  const auto attempt = reinterpret_cast<Lock>(try_first.Get());
  // Any other answer is the lock's own: taken, broken, its owner dead.
  if (const int answer = attempt(lock); answer != EBUSY) return answer;
  const uint64_t start_ns = NowNs();
  const int answer = function(lock);
  RecordWait(*recorder, next.name(), start_ns);
  return answer;
}

}  // namespace

// The names as the linker sees them are the C library's; ours in C++, so that its headers are not in the way.
#define WARPSIGHT_OS_CALL(name, Type, count, version)                                                       \
  static_assert(Signature<Type>::kCount == count);                                                          \
  static constinit OsFunction next_##name(#name, version);                                                  \
  ResultOf<Type> follow_##name(WARPSIGHT_PARAMETERS_##count(Type)) __asm__(#name);                          \
  __attribute__((visibility("default"))) ResultOf<Type> follow_##name(WARPSIGHT_PARAMETERS_##count(Type)) { \
    return FollowOsCall<ResultOf<Type>>(next_##name, WARPSIGHT_ARGUMENTS_##count);                          \
  }
WARPSIGHT_OS_LIST(WARPSIGHT_OS_CALL)

#define WARPSIGHT_LOCK_CALL(name, try_name)                              \
  static constinit OsFunction next_##name(#name, nullptr);               \
  static constinit OsFunction next_##try_name(#try_name, nullptr);       \
  int follow_##name(void* lock) __asm__(#name);                          \
  __attribute__((visibility("default"))) int follow_##name(void* lock) { \
    return FollowLock(next_##name, next_##try_name, lock);               \
  }
WARPSIGHT_LOCK_LIST(WARPSIGHT_LOCK_CALL)

// Finds all of them while nothing else runs.
__attribute__((constructor(101))) static void FindAll() {
#define WARPSIGHT_FIND_CALL(name, Type, count, version) next_##name.Find();
  WARPSIGHT_OS_LIST(WARPSIGHT_FIND_CALL)
#define WARPSIGHT_FIND_LOCK(name, try_name) \
  next_##name.Find();                       \
  next_##try_name.Find();
  WARPSIGHT_LOCK_LIST(WARPSIGHT_FIND_LOCK)
  dlerror();  // what this C library does not have is not for the program to read
}

}  // namespace warpsight::calls::os
