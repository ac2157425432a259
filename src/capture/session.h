// Session: the recording of one process, from the first sign of CUDA or NVTX to its end.
//
// Place in the flow: injection.cc makes one -> CUPTI's buffers and the threads' range blocks -> the writer thread -> file.
// The writer does all the work: decoding, packing, compressing, writing; the program's threads only hand over what they
// filled. A session never throws, prints to stdout, waits for the disk or changes what the program does; when something
// can't be had (no CUPTI, no file) the rest goes on and the file says what is missing. Threads: Range calls from any thread;
// the others from the thread that the entry points run on.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "capture/buffer_queue.h"
#include "capture/chunk_file.h"
#include "capture/cupti/activity_reader.h"
#include "capture/cupti/cupti_library.h"
#include "capture/range_log.h"
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
  // Ends the session of this process in order, if there is one.
  static void Finish();

  // CUDA has been initialised: starts CUPTI. Once.
  void StartCuda();

  // NVTX. Events between are dropped while the session is paused (delay, capture range).
  void AddRange(const RangeEvent& event, std::string_view text) {
    if (recording_.load(std::memory_order_relaxed)) ranges_.Add(event, text);
  }
  void AddName(const wire::NameRecord& name);

  // warpsight/recorder.h.
  void PrepareProgramRange();
  void StartProgramRange();
  void StopProgramRange();

 private:
  struct FullBuffer {
    uint8_t* bytes = nullptr;
    size_t valid_bytes = 0;
  };

  explicit Session(Settings settings);
  bool Open();
  bool OpenFile(const std::string& folder);
  void LoadCupti();
  void FollowTrigger();
  void EndTriggered();
  void Run();
  void WriteFirstRecords();
  void DrainAll(std::chrono::milliseconds wait);
  void AfterRecord(uint64_t newest_ns);
  void TakeChunk();
  void WriteLastChunk();
  void AddThreadNames();
  void Stop();
  void EnableActivities();
  void EnableLocked();
  void ChooseCalls();
  void DisableActivities();
  void FlushCupti();
  void NoteProblem(std::string text);
  void FollowSchedule();

  static void OnBufferRequested(uint8_t** buffer, size_t* bytes, size_t* most_records);
  static void OnBufferCompleted(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid_bytes);
  static void OnCallback(void* user, uint32_t domain, uint32_t callback, const void* info);

  static std::atomic<Session*> running_;

  Settings settings_;
  uint32_t process_;
  uint32_t number_;
  uint64_t started_ns_;
  BufferPool pool_;
  BufferQueue<FullBuffer> queue_;
  RangeLog ranges_;
  std::unique_ptr<ChunkFile> file_;  // null while armed
  wire::ChunkEncoder encoder_;
  uint64_t newest_ns_ = 0;
  uint64_t chunk_began_ns_ = 0;
  std::mutex cupti_mutex_;  // of the next two, while they are made, and of what is switched on and off
  cupti::CuptiLibrary cupti_;
  std::unique_ptr<cupti::ActivityReader> reader_;  // null: CUPTI is not there
  std::atomic<bool> cuda_seen_{false};             // the program has initialised CUDA
  std::atomic<bool> recording_{false};
  std::atomic<bool> began_{false};  // the delay is over; once true it stays so, whatever stops the recording
  bool ended_ = false;              // the duration is over
  uint64_t capture_until_ns_ = 0;   // of a triggered capture
  std::string triggered_folder_;
  std::set<uint64_t> named_threads_;
  std::atomic<bool> stopping_{false};
  std::thread writer_;
  std::mutex facts_mutex_;  // of the three below, which program threads add to
  std::vector<std::pair<wire::NameRecord, std::string>> names_;
  std::map<std::string, uint64_t> problems_;
  std::atomic<uint64_t> buffers_refused_{0};
  std::atomic<uint64_t> cupti_dropped_{0};
  struct RecordCounts {
    uint64_t all = 0;
    uint64_t kernels = 0;
  };
  RecordCounts kept_;
  RecordCounts dropped_;
};

}  // namespace warpsight::capture
