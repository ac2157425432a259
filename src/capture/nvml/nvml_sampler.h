// NvmlSampler: clocks, power, temperature, memory and links of the GPUs that the process uses, sampled while it is recorded.
//
// Place in the flow: Session's writer -> this thread -> SampleRing -> Drain on the writer. The thread is one of its own with
// a low priority; it is begun when it is first wanted, sleeps between samples, allocates nothing once it samples, and asks
// questions that change nothing. Slow ones (PCIe blocks for 20 ms) are asked once a second, one a turn. The thread begins,
// and a device is sampled, from the first work that is recorded on it: nothing of NVIDIA's is asked while the program makes
// its first context. Without NVML a note says so and nothing else happens. Threads: Follow, Drain and Stop from the writer;
// the fork functions from any.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "capture/nvml/device_readings.h"
#include "capture/nvml/nvml_library.h"
#include "capture/nvml/sample_ring.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture::nvml {

class NvmlSampler {
 public:
  using Note = std::function<void(std::string text)>;

  // `hz`: samples a second, 0 = none. `path`: of NVML, empty = the system's.
  NvmlSampler(uint32_t hz, std::string path, Note note);

  static constexpr uint32_t kMostDevices = 64;
  // By the process's own numbers for them (CUDA_VISIBLE_DEVICES reorders).
  struct UsedDevices {
    uint64_t bits = 0;
    std::array<Uuid, kMostDevices> uuids = {};
  };

  // Whether samples are wanted now, and on which devices work has been seen.
  void Follow(bool on, const UsedDevices& used);
  // Encodes what was sampled. `after_each` as for ActivityReader.
  void Drain(wire::ChunkEncoder& encoder, const std::function<void(uint64_t newest_ns)>& after_each);
  // Ends the thread, or leaves it behind when NVML does not answer for a second.
  void Stop();
  uint64_t dropped() const { return ring_.dropped(); }

  // Around a fork: NVML is not in the middle of an answer, since a child may want to use it.
  void LockForFork();
  void UnlockAfterFork();

 private:
  void Run();
  void SampleUntilStopped();
  void Turn();
  void FindDevices();

  const uint32_t hz_;
  const std::string path_;
  const Note note_;
  SampleRing ring_;
  std::thread thread_;
  bool failed_ = false;  // no thread could be made

  std::mutex mutex_;  // of the four below
  UsedDevices used_;
  std::condition_variable changed_;
  bool on_ = false;
  bool stopping_ = false;
  bool ended_ = false;

  std::timed_mutex asking_;  // held while NVML is asked
  bool locked_for_fork_ = false;

  // Of the thread.
  NvmlLibrary nvml_;
  std::array<DeviceReadings, kMostDevices> readings_;
  uint64_t found_ = 0;    // bits of the devices that are sampled
  uint64_t missing_ = 0;  // and of those that NVML does not know
  size_t pcie_turn_ = 0;
};

}  // namespace warpsight::capture::nvml
