// CuptiControl: CUPTI's side of a session: loading it, switching its activities on and off, its buffers.
//
// Place in the flow: Session -> this -> CUPTI's callbacks -> buffers -> Drain on the writer thread. CUPTI gives its
// callbacks no room for a pointer of ours, so there is one control a process that they reach. Nothing is called here from a
// callback that waits for a lock which is held while CUPTI is called. Errors: what CUPTI refuses is a problem in words, and
// the rest goes on. Threads: safe; Drain and Counts from the writer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "capture/buffer_queue.h"
#include "capture/cupti/activity_reader.h"
#include "capture/cupti/cupti_library.h"
#include "capture/cupti/other_client.h"
#include "capture/settings.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture::cupti {

// Numbers since the process began.
struct CuptiCounts {
  uint64_t dropped = 0;          // records that CUPTI dropped
  uint64_t buffers_refused = 0;  // that it asked for when all were in use
  uint64_t unread_buffers = 0;   // whose records could not be walked to their end
  uint64_t unknown_records = 0;
  uint64_t without_time = 0;
};

class CuptiControl {
 public:
  using NoteProblem = std::function<void(std::string text)>;
  // A node of a graph has come up on the calling thread; `original`: the node that it was cloned from, 0 = none.
  using OnGraphNode = void (*)(uint64_t node, uint64_t original) noexcept;

  CuptiControl(const Settings& settings, NoteProblem note, OnGraphNode on_graph_node);

  // Loads CUPTI and gives it our clock and buffers. Once; false when there is no CUPTI for us.
  bool Load();
  bool loaded() const { return loaded_.load(std::memory_order_acquire); }
  uint32_t version() const { return loaded() ? cupti_.version : 0; }
  // Calls of cudaProfilerStart and cudaProfilerStop are handed to `on_range` with true and false. False when they can't be.
  bool FollowProfilerApi(std::function<void(bool start)> on_range);

  // Looks for other clients of CUPTI in the process, and takes CUPTI back from one that is done. Often, from the writer.
  void FollowOtherClient();
  // Notes what other clients held CUPTI for since this was asked last.
  void NoteOtherClients();
  static void ForgetInChild();

  void Enable();
  void Disable();
  // Enable or Disable for callers inside of CUPTI: false when another thread is about it.
  bool TrySwitch(bool on);
  // All that CUPTI holds, to our buffers; work that is not finished loses its times.
  void Flush();
  // What is finished, with the rest left for later.
  void FlushFinished();
  void Wake() { queue_.Wake(); }

  // Encodes the records of all full buffers, after waiting up to `wait` for one.
  void Drain(std::chrono::milliseconds wait, wire::ChunkEncoder& encoder,
             const std::function<void(uint64_t newest_ns)>& after_each);
  CuptiCounts Counts();
  // Those seen so far, and whether work was recorded on them.
  void ForEachDevice(const std::function<void(const wire::DeviceRecord& device, bool has_work)>& visit) const;
  // Devices seen so far.
  void AddDevices(wire::ChunkEncoder& encoder);

 private:
  struct FullBuffer {
    uint8_t* bytes = nullptr;
    size_t valid_bytes = 0;
  };

  // CUPTI in another client's hands.
  struct Lent {
    bool now = false;
    std::string to;
    uint64_t missed_since_ns = 0;  // we would be recording; 0 = we would not, or CUPTI is ours
    uint64_t missed_ns = 0;        // before that

    void Miss(uint64_t now_ns) { missed_since_ns = now_ns; }
    void MissNoMore(uint64_t now_ns) {
      if (missed_since_ns != 0) missed_ns += now_ns - missed_since_ns;
      missed_since_ns = 0;
    }
  };

  bool LoadLocked();
  bool RegisterLocked();
  void SwitchOnLocked();
  void SwitchOffLocked();
  int SubscribeLocked();
  // False when we are not the subscriber.
  bool UnsubscribeLocked();
  void SwitchEventsLocked(bool on);
  void FollowGraphNodesLocked(bool on);
  void OnResource(uint32_t callback, const uint8_t* info) const;
  // The client's thread.
  void Lend(const std::string& to);
  void GiveSubscription(const std::string& to);
  void EnableLocked();
  void DisableLocked();
  // Leaves out the calls that tell nothing, or takes them in again.
  void ChooseCalls(bool leave_out);
  void AskForDrops(void* context, uint32_t stream);

  static void OnBufferRequested(uint8_t** buffer, size_t* bytes, size_t* most_records);
  static void OnBufferCompleted(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid_bytes);
  static void OnCallback(void* user, uint32_t domain, uint32_t callback, const void* info);

  static std::atomic<CuptiControl*> current_;

  const Settings& settings_;
  NoteProblem note_;
  const OnGraphNode on_graph_node_;
  BufferPool pool_;
  BufferQueue<FullBuffer> queue_;
  std::mutex mutex_;  // while CUPTI is loaded and switched; never taken by its buffer callbacks
  CuptiLibrary cupti_;
  std::unique_ptr<ActivityReader> reader_;
  bool tried_ = false;
  std::atomic<bool> loaded_{false};
  std::function<void(bool start)> on_range_;
  void* subscriber_ = nullptr;
  bool wanted_ = false;  // activities are to be on as soon as CUPTI is ours
  Lent lent_;
  OtherClient other_;
  std::atomic<uint64_t> buffers_refused_{0};
  std::atomic<uint64_t> dropped_{0};
};

}  // namespace warpsight::capture::cupti
