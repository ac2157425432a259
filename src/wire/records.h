// The records of a capture, as the encoder takes them and the decoder gives them.
//
// Texts are borrowed: from the caller, and from the chunk that is decoded. Times are ns on CLOCK_MONOTONIC; numbers of
// kinds (copies, memory, synchronisations) are CUPTI's. Threads: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpsight::wire {

struct Place {
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t graph = 0;  // 0 = launched by itself
};

struct Span {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint32_t correlation = 0;
};

struct KernelRecord {
  std::string_view name;  // as CUPTI gives it: mangled
  std::array<int32_t, 3> grid = {};
  std::array<int32_t, 3> block = {};
  std::array<uint32_t, 3> cluster = {};  // 0 = none, or not told
  uint32_t registers_per_thread = 0;
  int32_t static_shared_bytes = 0;
  int32_t dynamic_shared_bytes = 0;
  uint32_t launch_type = 0;  // 0 regular, 1 and 2 cooperative
  Place place;
  uint64_t graph_node = 0;
  Span span;
};

struct CopyRecord {
  uint32_t kind = 0;
  uint32_t source_memory = 0;
  uint32_t target_memory = 0;
  uint32_t flags = 0;  // 1 = asynchronous
  Place place;
  uint64_t graph_node = 0;
  uint64_t bytes = 0;
  Span span;
};

struct SetRecord {
  uint32_t value = 0;
  uint32_t memory = 0;
  Place place;
  uint64_t graph_node = 0;
  uint64_t bytes = 0;
  Span span;
};

struct CallRecord {
  std::string_view name;
  uint32_t thread = 0;
  uint32_t result = 0;  // 0 = success
  Span span;
};

struct SyncRecord {
  uint32_t type = 0;
  Place place;  // stream ~0 = all streams of the context
  uint32_t event = 0;
  Span span;
};

// A stream reached an event that cudaEventRecord had put in it.
struct CudaEventRecord {
  Place place;
  uint32_t event = 0;  // of the context; a program may record one again and again
  Span span;           // a moment: it ends where it starts, and the end is not written
};

struct OverheadRecord {
  uint32_t kind = 0;
  uint32_t thread = 0;  // 0 = of no thread
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
};

// A node of a CUDA graph when it came up: made by the call that its thread is in, or cloned from the node of another graph
// (of the one that is instantiated).
struct GraphNodeRecord {
  uint32_t thread = 0;
  uint64_t time_ns = 0;
  uint64_t node = 0;      // as in the records of its kernels
  uint64_t original = 0;  // that it was cloned from; 0 = it was made
};

// A graph launched and recorded as one (--graphs=graph).
struct GraphRecord {
  Place place;
  Span span;
};

// A call of a library that stands between the program and CUDA, or of the C library.
struct LibraryCallRecord {
  std::string_view library;  // "cuBLAS", "OS runtime"
  std::string_view name;
  std::string_view sizes;  // "m=4096 n=1 k=2048 tn f16"; empty = none
  uint32_t thread = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
};

// What a program gave to an NVTX event besides its text.
enum class PayloadKind : uint8_t {
  kNone = 0,
  kUnsigned = 1,
  kSigned = 2,  // two's complement
  kDouble = 3,  // its bits
  kFloat = 4,   // its 32 bits
};

// NVTX.
struct RangeText {
  uint32_t thread = 0;
  std::string_view domain;  // empty = the default domain
  std::string_view text;
  uint32_t category = 0;
  uint32_t color = 0;  // ARGB, 0 = none
  PayloadKind payload_kind = PayloadKind::kNone;
  uint64_t payload = 0;  // as payload_kind says
};

enum class NameKind : uint8_t {
  kThread = 1,
  kProcess = 2,
  kStream = 3,
  kDevice = 4,
  kContext = 5,
  kEvent = 6,
  kCategory = 7,       // of NVTX's default domain
  kDomainCategory = 8  // of another: categories are numbered anew in each
};
inline constexpr NameKind kLastNameKind = NameKind::kDomainCategory;

struct NameRecord {
  NameKind kind = NameKind::kThread;
  uint64_t number = 0;
  std::string_view name;
  std::string_view domain = {};  // of a kDomainCategory
};

struct ProcessRecord {
  uint32_t process = 0;
  uint32_t parent = 0;
  std::string_view command;
  std::string_view host;
  uint32_t cupti_version = 0;  // 0 = there was no CUPTI
  uint32_t driver_version = 0;
  std::string_view rank;  // "rank=1 ranks=8" of a process of a distributed run; empty = not told
};

struct DeviceRecord {
  uint32_t id = 0;
  std::string_view name;
  uint64_t memory_bytes = 0;
  uint64_t memory_bandwidth_kb_per_s = 0;
  uint32_t sm_count = 0;
  uint32_t compute_major = 0;
  uint32_t compute_minor = 0;
  uint32_t l2_bytes = 0;
  uint32_t clock_khz = 0;
  // Which device it is: processes may number the same one differently (CUDA_VISIBLE_DEVICES). All 0 = not told.
  std::array<uint8_t, 16> uuid = {};
};

struct ClockRecord {
  uint64_t monotonic_ns = 0;
  uint64_t realtime_ns = 0;
  uint64_t error_ns = 0;
};

// A sample of a counter: a clock, a power, a rate.
struct CounterRecord {
  std::string_view name;  // "SM clock"
  std::string_view unit;  // "MHz"; empty = none
  uint32_t device = 0;
  bool is_double = false;
  uint64_t time_ns = 0;
  int64_t value = 0;  // when is_double the bits of a double
};

enum class FrameKind : uint8_t {
  kNative = 0,  // the function's name as the linker knows it
  kPython = 1,  // "forward (model.py:12)"
};

// One function of a stack. Frames are a tree: each names the one that called it, and a stack is named by its innermost.
struct FrameRecord {
  uint32_t parent = 0;        // number of a frame in the chunk, 0 = none
  std::string_view function;  // "libfoo.so+0x1234" where it has no name
  std::string_view module;    // "libfoo.so"; empty = not known
  FrameKind kind = FrameKind::kNative;
};

// What a thread was executing at some moment of its processor time.
struct SampleRecord {
  uint32_t thread = 0;
  uint64_t time_ns = 0;
  uint32_t stack = 0;  // number of the innermost frame in the chunk, 0 = not known
};

// What the scheduler of the operating system did with a thread.
enum class ThreadState : uint8_t {
  kOn,         // it got a processor
  kWaiting,    // it lost its processor to wait
  kPreempted,  // it lost its processor though it could have run on
  kUnknown,    // what came next was not recorded
};
inline constexpr uint8_t kLastThreadState = static_cast<uint8_t>(ThreadState::kUnknown);

// From `time_ns` on the thread is in `state`.
struct ThreadSwitchRecord {
  uint32_t thread = 0;
  uint64_t time_ns = 0;
  ThreadState state = ThreadState::kOn;
};

// How often something happened: "kernels_kept", "dropped_by_cupti".
struct CountRecord {
  std::string_view cause;
  uint64_t count = 0;
};

}  // namespace warpsight::wire
