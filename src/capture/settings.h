// Settings: what the recording process was asked to do, as `warpsight record` tells it to the library it injects.
//
// They travel in one environment variable, "key=value;key=value;folder=PATH"; the folder stands last, since a path may hold
// any character; in other texts ';' and '%' are written as %3B and %25. Unknown keys are left aside, so that a newer program
// can talk to an older library. The only place that reads the environment.
//
// Armed, the process looks a few times a second for FOLDER/PROCESS.trigger, a text of the same kind: "duration_ns" says how
// long, or within what time `steps`; "folder" where that capture goes. While it runs the text is called PROCESS.capturing.
// When it is written whole, PROCESS.done appears beside it, with a TriggerAnswer. Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpsight::capture {

inline constexpr const char* kSettingsVariable = "WARPSIGHT_CAPTURE";

enum class CaptureRange : uint8_t {
  kAll,
  kProfilerApi,  // between cudaProfilerStart and cudaProfilerStop
  kProgram,      // between start and stop of warpsight/recorder.h
  kNvtx,         // between the begin and the end of `nvtx_range`
};

struct Settings {
  bool cuda = true;
  bool nvtx = true;
  // Calls of libraries that `record` preloads followers for (calls/).
  bool cublas = false;
  bool cudnn = false;
  bool nccl = false;
  bool osrt = false;
  bool follows_libraries() const { return cublas || cudnn || nccl; }
  uint64_t osrt_threshold_ns = 1000;       // OS calls that take less are left out
  bool from_start = false;                 // a session from the start of the process, without CUDA or NVTX
  bool armed = false;                      // record nothing before a trigger
  bool whole_graphs = false;               // one record a graph launch instead of one a node
  bool cuda_events = false;                // when streams reach events (cudaEventRecord), by the GPU's clock
  uint64_t max_bytes = uint64_t{2} << 30;  // of one process's file
  uint64_t ring_ns = 0;                    // 0 = keep all; else the last so many
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;  // 0 = to the end
  CaptureRange range = CaptureRange::kAll;
  std::string nvtx_range;           // RANGE@DOMAIN: range_pattern.h
  uint64_t most_windows = 0;        // ranges that are recorded, those after them are counted; 0 = all
  bool open_end = false;            // record on when the range ends
  uint64_t steps = 0;               // of a trigger: so many steps, within `duration_ns`; 0 = by time alone
  std::string step_range;           // of a trigger: what a step is; empty = to be found out
  uint32_t buffer_bytes = 1 << 20;  // of one of CUPTI's buffers
  uint32_t pool_buffers = 256;      // most buffers that CUPTI may hold
  std::string cupti_path;           // empty = look for it
  uint32_t nvml_hz = 0;             // samples a second of clocks, power, ...; 0 = none
  std::string nvml_path;            // empty = the system's
  uint32_t sample_hz = 0;           // CPU samples of each thread a second of its processor time; 0 = none
  bool python_sampling = false;     // with the Python functions of those in an interpreter
  uint32_t sample_stacks = 4096;    // room for samples that the writer has not fetched
  bool thread_switches = false;     // when threads get and lose their processors
  uint32_t switch_pages = 16;       // of the ring of one thread, a power of two
  std::string folder;               // where the file is written; empty = the process is not to be recorded
};

// What a text says; the defaults for what it does not.
Settings ParseSettings(std::string_view text);
std::string FormatSettings(const Settings& settings);

// What a process says of a triggered capture that it has written.
struct TriggerAnswer {
  uint64_t steps = 0;
  std::string step;  // the range that was taken for a step
  std::string seen;  // the outermost ranges that began meanwhile, when none of them could be
};
TriggerAnswer ParseAnswer(std::string_view text);
std::string FormatAnswer(const TriggerAnswer& answer);

// Those of this process; without a folder when the variable is not set.
Settings SettingsOfProcess();

}  // namespace warpsight::capture
