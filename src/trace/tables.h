// The small tables of a trace: processes, threads, streams, devices, and the facts about the recording itself.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "base/time.h"

namespace warpsight {

// A host thread. Recorders name processes and threads by number or by text, and mix both in one file.
struct Thread {
  int64_t pid = -1;
  int64_t tid = -1;
  std::string process_label;  // as in the file: "545" or "Spans"
  std::string label;          // as in the file: "545" or "PyTorch Profiler"
  std::string name;           // "thread 545 (python3)"; empty when the file names none
  std::string process_name;
  // Rows of this thread in the host table: [first_call, first_frame) is the call layer, [first_frame, end) the frame layer.
  uint32_t first_call = 0;
  uint32_t first_frame = 0;
  uint32_t end = 0;
  // Rows of this thread in the CPU samples: [first_sample, end_sample).
  uint32_t first_sample = 0;
  uint32_t end_sample = 0;
  // Rows of this thread in the switches of threads: [first_switch, end_switch).
  uint32_t first_switch = 0;
  uint32_t end_switch = 0;
};

struct Stream {
  int32_t device = 0;
  int64_t context = -1;
  int64_t stream = 0;
  int64_t process = -1;  // whose stream it is, when the recorder numbers streams per process; -1 = they are the device's
  std::string label;     // "7"; with what tells it apart when the device has several of that number
};

struct Device {
  int32_t id = 0;
  std::string name;  // empty when the file does not say
  int64_t total_memory_bytes = -1;
  int32_t compute_major = -1;
  int32_t compute_minor = -1;
  int32_t sm_count = -1;
  bool has_work = false;
  // Rows of this device in the GPU work table: [first_work, end_work), sorted by start.
  uint32_t first_work = 0;
  uint32_t end_work = 0;
};

// What the file says about the recording.
struct RecordingInfo {
  std::string producer;  // "pytorch-profiler", "chrome-trace", "nsys", ...
  std::string version;   // "schema 1; cupti 130001; ..."
  std::string trace_name;
  std::string file;            // path as given
  std::string container;       // "json", "json.gz", ...
  int64_t file_bytes = 0;      // bytes on disk, -1 when read from a pipe
  int64_t inflated_bytes = 0;  // bytes of text parsed
  Ns clock_base_ns = 0;        // absolute time = clock_base_ns + time in the trace (0 when unknown)
  bool has_clock_base = false;
  bool has_shapes = false;
  bool has_stacks = false;
  bool has_memory_events = false;
  bool ops_are_ranges = false;  // ops came as ranges of NVTX, whose summaries count them
  int32_t rank = -1;            // distributed rank, -1 unknown
  int32_t world_size = -1;
  std::string backend;
  // All other top-level facts of the file, as text, in file order.
  std::vector<std::pair<std::string, std::string>> properties;
};

}  // namespace warpsight
