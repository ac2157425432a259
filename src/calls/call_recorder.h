// The interface between the two sides of call tracing: the preloaded libraries of this folder, which stand in front of
// functions of other libraries (cuBLAS, cuDNN, NCCL, the C library), and the injected library, which records.
//
// A preloaded library exports a function of kFollowerFunctions; the injected library, when it has a session, finds it and
// hands over a CallRecorder. Before that, and where there is no session, calls go through untouched. Both sides are built
// together; `version` guards against a mixture of installations. Plain data and C functions: nothing here throws.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpsight::calls {

inline constexpr uint32_t kCallInterface = 1;

enum class Library : uint32_t { kCublas, kCudnn, kNccl, kOsRuntime };
inline constexpr uint32_t kLibraries = 4;
constexpr uint32_t BitOf(Library library) { return 1u << static_cast<uint32_t>(library); }

// What the recorder remembers of a thread; all zero at first. It lies in the preloaded library's static thread storage,
// since a call may be followed where memory can't be allocated (inside of malloc).
struct CallSlot {
  uint64_t words[4];
};

// One call that has returned. Times are ns on CLOCK_MONOTONIC.
struct FollowedCall {
  Library library;
  const char* text;  // the function's name, then its sizes: "cublasSgemm_v2" "m=64 n=64 k=64 nn f32"
  uint32_t name_bytes;
  uint32_t text_bytes;
  uint64_t start_ns;
  uint64_t end_ns;
};

struct CallRecorder {
  uint32_t version;
  uint32_t libraries;                  // BitOf each that is to be followed
  uint64_t os_threshold_ns;            // calls of the C library that took less are left out
  const std::atomic<bool>* recording;  // false while the session is paused
  // Neither allocates, waits for the disk or throws.
  void (*add)(CallSlot* slot, const FollowedCall* call);
  void (*leave)(CallSlot* slot);  // the thread of the slot ends
};

struct CallFollower {
  uint32_t version;
  void (*attach)(const CallRecorder* recorder);  // null: follow no more
  void (*ignore_thread)();                       // the calling thread is the recorder's own
  bool (*is_inside)(Library library);            // whether the calling thread is in a call that is being followed
};

using CallFollowerFunction = const CallFollower* (*)();
inline constexpr const char* kFollowerFunctions[] = {"WarpsightLibraryCalls", "WarpsightOsCalls"};

// Names of the libraries, beside one another where they were installed.
inline constexpr const char* kLibraryCallsFile = "libwarpsight_calls.so";
inline constexpr const char* kOsCallsFile = "libwarpsight_osrt.so";
inline constexpr const char* kInjectedFile = "libwarpsight_inject.so";

// Where OS calls are all that is recorded nothing else would start a session: this text in the settings says that the
// preloaded library does, by calling kStartFunction of the injected one when the process starts.
inline constexpr const char* kSettingsOfProcess = "WARPSIGHT_CAPTURE";
inline constexpr const char* kFromStart = "from_start=1;";
inline constexpr const char* kStartFunction = "WarpsightStartSession";

}  // namespace warpsight::calls
