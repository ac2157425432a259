// Entry points of the injected library: what the CUDA driver and NVTX call when they load it.
//
//   InitializeInjection         the driver, in cuInit, of the library that CUDA_INJECTION64_PATH names
//   InitializeInjectionNvtx2    NVTX, before its first event, of the library that NVTX_INJECTION64_PATH names
//   WarpsightStartSession       calls/os/os_start.cc, where OS calls are all that is recorded
//
// Each program, and each copy of NVTX in it, calls them at its own time, in any order, on any thread.
#include <pthread.h>

#include <cstdlib>
#include <exception>
#include <mutex>

#include "capture/nvtx/nvtx_calls.h"
#include "capture/session.h"

namespace warpsight::capture {
namespace {

// Once a process: what a fork inherits is not set up again.
void FollowProcess() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(
        [] {
          Session::LockForFork();
          nvtx::LockForFork();
        },
        [] {
          nvtx::UnlockAfterFork();
          Session::UnlockAfterFork();
        },
        [] {
          nvtx::UnlockAfterFork();
          Session::UnlockAfterFork();
          Session::ForgetInChild();
        });
    std::atexit(&Session::Finish);
  });
}

}  // namespace
}  // namespace warpsight::capture

extern "C" {

__attribute__((visibility("default"))) int InitializeInjection() {
  using namespace warpsight::capture;
  try {
    if (Session* session = Session::Current()) {
      FollowProcess();
      session->StartCuda();
    }
  } catch (const std::exception&) {
    return 0;
  }
  return 1;
}

__attribute__((visibility("default"))) int WarpsightStartSession() {
  using namespace warpsight::capture;
  try {
    if (Session::Current() != nullptr) FollowProcess();
  } catch (const std::exception&) {
    return 0;
  }
  return 1;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void* (*export_table)(uint32_t)) {
  using namespace warpsight::capture;
  try {
    if (Session::Current() == nullptr) return 0;
    FollowProcess();
    return nvtx::TakeOver(export_table) ? 1 : 0;
  } catch (const std::exception&) {
    return 0;
  }
}
}
