// SampleRing: samples on their way from the sampling thread to the writer.
//
// Of a fixed size, allocated once; what has no room is dropped and counted. Threads: one puts, one takes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/gpu_counter_names.h"

namespace warpsight::capture::nvml {

// No initial values: the ring's memory is touched as it is used.
struct Sample {
  uint64_t time_ns;
  int64_t value;
  uint32_t device;  // by the process's number
  GpuCounter counter;
};

class SampleRing {
 public:
  explicit SampleRing(size_t room) : room_(room), samples_(std::make_unique_for_overwrite<Sample[]>(room)) {}

  void Put(const Sample& sample) {
    const uint64_t put = put_.load(std::memory_order_relaxed);
    if (put - taken_.load(std::memory_order_acquire) == room_) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    samples_[put % room_] = sample;
    put_.store(put + 1, std::memory_order_release);
  }

  // Calls `take(sample)` for all that are there.
  template <typename Take>
  void TakeAll(const Take& take) {
    const uint64_t put = put_.load(std::memory_order_acquire);
    for (uint64_t at = taken_.load(std::memory_order_relaxed); at < put; ++at) {
      take(samples_[at % room_]);
      taken_.store(at + 1, std::memory_order_release);
    }
  }

  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  size_t room_;
  std::unique_ptr<Sample[]> samples_;
  std::atomic<uint64_t> put_{0};
  std::atomic<uint64_t> taken_{0};
  std::atomic<uint64_t> dropped_{0};
};

}  // namespace warpsight::capture::nvml
