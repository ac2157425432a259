#include "capture/nvml/nvml_sampler.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "capture/call_follower.h"
#include "capture/monotonic_clock.h"

namespace warpsight::capture::nvml {
namespace {

constexpr size_t kRoom = 1 << 14;  // samples that the writer, who comes ten times a second, may be behind
constexpr auto kLongestAnswer = std::chrono::seconds(1);
constexpr auto kLongestForkWait = std::chrono::milliseconds(100);
constexpr int kNiceness = 10;

}  // namespace

NvmlSampler::NvmlSampler(uint32_t hz, std::string path, Note note)
    : hz_(hz), path_(std::move(path)), note_(std::move(note)), ring_(hz == 0 ? 1 : kRoom) {}

void NvmlSampler::Follow(bool on, const UsedDevices& used) {
  {
    const std::lock_guard lock(mutex_);
    used_ = used;
    if (stopping_) return;
    if (on_ != on) changed_.notify_one();
    on_ = on;
  }
  if (!on || used.bits == 0 || thread_.joinable() || failed_) return;
  try {
    // Signals are blocked in it as they are in the writer.
    thread_ = std::thread([this] { Run(); });
    pthread_setname_np(thread_.native_handle(), "warpsight-nvml");
  } catch (const std::exception&) {
    failed_ = true;
    note_("GPU clocks and power are not sampled: no thread could be made");
  }
}

void NvmlSampler::Drain(wire::ChunkEncoder& encoder, const std::function<void(uint64_t newest_ns)>& after_each) {
  ring_.TakeAll([&](const Sample& sample) {
    const GpuCounterName name = NameOf(sample.counter);
    encoder.Add(wire::CounterRecord{name.name, name.unit, sample.device, false, sample.time_ns, sample.value});
    after_each(sample.time_ns);
  });
}

void NvmlSampler::Stop() {
  if (!thread_.joinable()) return;
  bool ended = false;
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    ended = changed_.wait_for(lock, kLongestAnswer, [this] { return ended_; });
  }
  if (ended) {
    thread_.join();
  } else {
    thread_.detach();  // the session is never freed
  }
}

void NvmlSampler::LockForFork() { locked_for_fork_ = asking_.try_lock_for(kLongestForkWait); }

void NvmlSampler::UnlockAfterFork() {
  if (std::exchange(locked_for_fork_, false)) asking_.unlock();
}

void NvmlSampler::Run() {
  IgnoreCallsOfThisThread();
  try {
    SampleUntilStopped();
  } catch (const std::exception&) {
    // No memory for the words of a note: what was sampled stays, and no more is.
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void NvmlSampler::SampleUntilStopped() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNiceness);
  {
    const std::lock_guard asking(asking_);
    nvml_ = NvmlLibrary::Load(path_);
  }
  if (!nvml_.loaded()) note_("GPU clocks and power are not sampled: " + nvml_.missing);
  const auto period = std::chrono::nanoseconds(1'000'000'000 / hz_);
  auto next = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_ && nvml_.loaded()) {
    if (!on_) {
      changed_.wait(lock, [this] { return on_ || stopping_; });
      next = std::chrono::steady_clock::now();
      continue;
    }
    lock.unlock();
    Turn();
    // Turns that were missed are not made up for.
    next = std::max(next + period, std::chrono::steady_clock::now());
    lock.lock();
    changed_.wait_until(lock, next, [this] { return stopping_; });
  }
}

// A device stays one that is used: what is known is not asked again.
void NvmlSampler::FindDevices() {
  UsedDevices used;
  {
    const std::lock_guard lock(mutex_);
    used = used_;
  }
  for (uint32_t number = 0; number < kMostDevices; ++number) {
    const uint64_t bit = uint64_t{1} << number;
    if ((used.bits & ~(found_ | missing_) & bit) == 0) continue;
    const Device handle = HandleOf(used.uuids[number], nvml_);
    if (handle == nullptr) {
      missing_ |= bit;
      note_("GPU clocks and power are not sampled of device " + std::to_string(number) + ": NVML does not know it");
      continue;
    }
    readings_[number] = DeviceReadings(nvml_, handle, number);
    found_ |= bit;
  }
}

void NvmlSampler::Turn() {
  const std::lock_guard asking(asking_);
  FindDevices();
  for (size_t number = 0; number < readings_.size(); ++number) {
    if ((found_ >> number & 1) != 0) readings_[number].Read(MonotonicNs(), ring_);
  }
  // One slow question a turn, the devices in turn.
  for (size_t i = 0; i < readings_.size(); ++i) {
    const size_t number = (pcie_turn_ + i) % readings_.size();
    if ((found_ >> number & 1) == 0 || !readings_[number].ReadPcie(&MonotonicNs, ring_)) continue;
    pcie_turn_ = number + 1;
    return;
  }
}

}  // namespace warpsight::capture::nvml
