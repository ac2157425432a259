// Session: the recording of one process, from the first sign of CUDA or NVTX to its end.
//
// Place in the flow: injection.cc makes one -> CUPTI's buffers and the threads' range blocks -> the writer thread -> file.
// The writer does all the work: decoding, packing, compressing, writing; the program's threads only hand over what they
// filled. A session never throws, prints to stdout, waits for the disk or changes what the program does; when something
// can't be had (no CUPTI, no file) the rest goes on and the file says what is missing. Threads: AddRange, AddName and the
// program's range from any thread; what is marked so, from the writer.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/chunk_file.h"
#include "capture/cupti/cupti_control.h"
#include "capture/nvml/nvml_sampler.h"
#include "capture/range_follower.h"
#include "capture/range_log.h"
#include "capture/sampling/cpu_sampler.h"
#include "capture/sampling/thread_switches.h"
#include "capture/settings.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture {

class Session {
 public:
  // The session of this process: made on the first call, null where the process is not to be recorded or no file can be
  // made. The one global of the library, since CUPTI and NVTX give callbacks no room for a pointer of ours.
  static Session* Current();
  // What is recorded by other means once the session is there; null otherwise. Cheap.
  static Session* IfRunning() { return running_.load(std::memory_order_acquire); }
  // In a child that was forked: it starts anew, on memory that is its parent's picture.
  static void ForgetInChild();
  // Ends the session of this process in order, if there is one. May be called again.
  static void Finish();
  // Around a fork: no lock that a child needs is held by a thread that the child does not have.
  static void LockForFork();
  static void UnlockAfterFork();

  // CUDA has been initialised: starts CUPTI. Once.
  void StartCuda();

  // NVTX. Events between are dropped while the session is paused (delay, capture range).
  void AddRange(const RangeEvent& event, std::string_view text) {
    if (RangeFollower* follower = follower_.load(std::memory_order_acquire)) return FollowRange(*follower, event, text);
    if (recording_.load(std::memory_order_relaxed)) ranges_.Add(event, text);
  }
  // Whether a range that begins now is looked at: kept, or perhaps what the recording waits for.
  bool follows_ranges() const {
    return recording_.load(std::memory_order_relaxed) || follower_.load(std::memory_order_relaxed) != nullptr;
  }
  void AddName(const wire::NameRecord& name);
  // A call of a followed library (call_follower.h), as an event of kind kCall.
  void AddCall(RangeSlot& slot, const RangeEvent& event, std::string_view text) {
    if (recording_.load(std::memory_order_relaxed)) ranges_.AddTo(slot, event, text);
  }

  // A node of a graph has come up on this thread.
  static void AddGraphNode(uint64_t node, uint64_t original) noexcept;

  // An NVTX event came with a payload that only a schema describes.
  void CountLeftOutPayload() {
    if (recording_.load(std::memory_order_relaxed)) left_out_payloads_.fetch_add(1, std::memory_order_relaxed);
  }

  // warpsight/recorder.h.
  void PrepareProgramRange();
  void StartProgramRange();
  void StopProgramRange();
  // The program makes steps of its own.
  void NoteProgramSteps() { program_steps_.store(true, std::memory_order_relaxed); }

 private:
  // What of the process's numbers was there before a capture began.
  struct Losses {
    cupti::CuptiCounts cupti;
    uint64_t dropped_ranges = 0;
    uint64_t dropped_samples = 0;
    uint64_t dropped_cpu_samples = 0;
    uint64_t dropped_thread_switches = 0;
    uint64_t cut_texts = 0;
    uint64_t left_out_payloads = 0;
  };

  explicit Session(Settings settings);
  bool Open();
  void Stop();
  void NoteProblem(const std::string& text);
  void NoteFact(const std::string& text);
  bool LoadCupti();
  void EnableCupti();
  void SwitchOn();
  void SwitchOff();
  void OnProfilerApi(bool start);
  // On any thread: whether recording begins, or ends, with this range of the program.
  bool BeginWindow();
  bool EndWindow();
  void FollowRange(RangeFollower& follower, RangeEvent event, std::string_view text) noexcept;

  // On the writer thread.
  void Run();
  bool OpenFile(const std::string& folder);
  void FollowSchedule();
  void FollowTrigger();
  void BeginTriggered();
  void BeginSteps(const Settings& asked);
  void Settle();
  void CloseFile();
  std::string AnswerOfTrigger();
  void WriteWindows();
  nvml::NvmlSampler::UsedDevices DevicesWithWork() const;
  void DrainAll(std::chrono::milliseconds wait);
  void DrainNames();
  void AfterRecord(uint64_t newest_ns);
  void TakeChunk();
  void WriteFirstRecords();
  void AddFacts();
  void WriteLastChunk();
  void AddProcess();
  void AddNames();
  void AddCounts();
  Losses LossesNow();

  static std::atomic<Session*> running_;

  Settings settings_;
  std::atomic<CaptureRange> range_;  // settings_.range, or all when that can't be followed
  uint32_t process_;
  uint32_t number_;
  uint64_t started_ns_;
  RangeLog ranges_;
  cupti::CuptiControl cupti_;
  nvml::NvmlSampler sampler_;
  std::atomic<bool> cuda_seen_{false};  // the program has initialised CUDA
  std::atomic<bool> recording_{false};
  sampling::CpuSampler cpu_sampler_;
  sampling::ThreadSwitches thread_switches_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<RangeFollower*> follower_{nullptr};  // while ranges decide; none is ever freed
  std::atomic<bool> program_steps_{false};
  std::atomic<uint64_t> left_out_payloads_{0};
  std::atomic<uint64_t> windows_{0};  // ranges of the program that were recorded
  std::atomic<uint64_t> windows_ended_{0};
  std::atomic<uint64_t> windows_ignored_{0};  // that came when there had been enough
  std::thread writer_;

  std::mutex facts_mutex_;    // of the four below
  std::string window_lines_;  // not yet written
  std::vector<std::pair<wire::NameRecord, std::string>> new_names_;
  std::map<std::string, uint64_t> said_;  // "problem: ...", and "note: ..." for what nobody has to be told of at once
  uint64_t dropped_names_ = 0;

  // Of the writer.
  std::unique_ptr<ChunkFile> file_;  // null while armed, and when the duration is over
  wire::ChunkEncoder encoder_;
  uint64_t newest_ns_ = 0;
  uint64_t chunk_began_ns_ = 0;
  bool began_ = false;             // the delay is over
  uint64_t capture_until_ns_ = 0;  // of a triggered capture
  uint64_t settle_until_ns_ = 0;   // the capture is over, its work is not; 0 = it is not over
  uint64_t quiet_since_ns_ = 0;    // then: when a record came last
  uint64_t records_ = 0;
  uint64_t quiet_records_ = 0;  // at that time
  std::string folder_;          // of the file that is open
  // By kind, number and domain; domains live as long as the process.
  std::map<std::tuple<wire::NameKind, uint64_t, std::string_view>, std::string> names_;
  Losses losses_before_;
};

}  // namespace warpsight::capture
