// A profiler of its own in the recorded program, as torch.profiler is one: a library that imports CUPTI's functions,
// switches kernels on, makes launches and collects its records. Prints what it got, which must be the same with and without
// us.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "capture/cupti/cupti_abi.h"

#define WARPSIGHT_FAKE extern "C" __attribute__((visibility("default")))

using Requested = void (*)(uint8_t**, size_t*, size_t*);
using Completed = void (*)(void*, uint32_t, uint8_t*, size_t, size_t);
extern "C" {
int cuptiActivityRegisterCallbacks(Requested, Completed);
int cuptiActivityRegisterTimestampCallback(uint64_t (*)());
int cuptiActivityEnable(uint32_t);
int cuptiActivityDisable(uint32_t);
int cuptiActivityFlushAll(uint32_t);
int cuptiActivityGetNextRecord(uint8_t*, size_t, uint8_t**);
int cuptiSubscribe(void**, void (*)(void*, uint32_t, uint32_t, const void*), void*);
}

namespace {

using warpsight::capture::cupti::ActivityKind;
using warpsight::capture::cupti::Field;
using warpsight::capture::cupti::KernelFields;

constexpr size_t kBytes = 64 << 10;
constexpr auto kKernels = static_cast<uint32_t>(ActivityKind::kConcurrentKernel);

std::set<uint8_t*> buffers;
int kernels = 0;
int foreign = 0;
int wrong_clock = 0;

void Request(uint8_t** buffer, size_t* bytes, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::malloc(kBytes));
  *bytes = kBytes;
  *most_records = 0;
  buffers.insert(*buffer);
}

void Complete(void* /*context*/, uint32_t /*stream*/, uint8_t* buffer, size_t /*bytes*/, size_t valid) {
  if (buffers.erase(buffer) == 0) {
    ++foreign;
    return;
  }
  uint8_t* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == 0) {
    if (Field<uint32_t>(record, 0) != kKernels) continue;
    ++kernels;
    // Its own clock stands still at 77 s.
    if (Field<uint64_t>(record, KernelFields::kStart) != 77'000'005'000) ++wrong_clock;
  }
  std::free(buffer);
}

}  // namespace

// Profiles what `work` does.
WARPSIGHT_FAKE void ProfileWithCupti(void (*work)()) {
  static bool registered = false;
  if (!registered) cuptiActivityRegisterCallbacks(Request, Complete);
  if (!registered) cuptiActivityRegisterTimestampCallback([]() -> uint64_t { return 77'000'000'000; });
  registered = true;
  void* subscriber = nullptr;
  cuptiSubscribe(
      &subscriber, [](void*, uint32_t, uint32_t, const void*) {}, nullptr);
  cuptiActivityEnable(kKernels);
  work();
  cuptiActivityDisable(kKernels);
  cuptiActivityFlushAll(1);
  std::printf("client: %d kernels, %d of a wrong time, %d buffers of others, %zu kept\n", kernels, wrong_clock, foreign,
              buffers.size());
}
