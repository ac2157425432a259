#include "capture/call_follower.h"

#include <dlfcn.h>

#include <array>
#include <new>
#include <string_view>

#include "calls/call_recorder.h"
#include "capture/session.h"

namespace warpsight::capture {
namespace {

using calls::BitOf;
using calls::CallFollower;
using calls::CallRecorder;
using calls::CallSlot;
using calls::FollowedCall;
using calls::Library;

// By Library, as the file names them.
const RangeDomain kLibraryNames[calls::kLibraries] = {{"cuBLAS"}, {"cuDNN"}, {"NCCL"}, {"OS runtime"}};

using Followers = std::array<const CallFollower*, std::size(calls::kFollowerFunctions)>;

const Followers& FollowersOfProcess() {
  static const Followers followers = [] {
    Followers found = {};
    for (size_t i = 0; i < found.size(); ++i) {
      const auto ask = reinterpret_cast<calls::CallFollowerFunction>(dlsym(RTLD_DEFAULT, calls::kFollowerFunctions[i]));
      const CallFollower* follower = ask == nullptr ? nullptr : ask();
      if (follower != nullptr && follower->version == calls::kCallInterface) found[i] = follower;
    }
    dlerror();
    return found;
  }();
  return followers;
}

static_assert(sizeof(RangeSlot) <= sizeof(CallSlot) && alignof(RangeSlot) <= alignof(CallSlot));
RangeSlot& SlotOf(CallSlot* slot) { return *std::launder(reinterpret_cast<RangeSlot*>(slot)); }

void AddCall(CallSlot* slot, const FollowedCall* call) {
  Session* session = Session::IfRunning();
  if (session == nullptr) return;
  RangeEvent event;
  event.kind = RangeEventKind::kCall;
  event.time_ns = call->start_ns;
  event.id = call->end_ns;
  event.domain = &kLibraryNames[static_cast<size_t>(call->library)];
  event.category = call->name_bytes;
  session->AddCall(SlotOf(slot), event, {call->text, call->text_bytes});
}

void LeaveSlot(CallSlot* slot) { RangeLog::LeaveSlot(SlotOf(slot)); }

CallRecorder recorder_of_process = {calls::kCallInterface, 0, 0, nullptr, AddCall, LeaveSlot};

}  // namespace

void FollowCalls(const Settings& settings, const std::atomic<bool>& recording) {
  CallRecorder& recorder = recorder_of_process;
  const auto follow = [](bool wanted, Library library) { recorder.libraries |= wanted ? BitOf(library) : 0; };
  follow(settings.cublas, Library::kCublas);
  follow(settings.cudnn, Library::kCudnn);
  follow(settings.nccl, Library::kNccl);
  follow(settings.osrt, Library::kOsRuntime);
  recorder.os_threshold_ns = settings.osrt_threshold_ns;
  recorder.recording = &recording;
  for (const CallFollower* follower : FollowersOfProcess()) {
    if (follower != nullptr) follower->attach(&recorder);
  }
}

void ForgetCalls() {
  for (const CallFollower* follower : FollowersOfProcess()) {
    if (follower != nullptr) follower->attach(nullptr);
  }
}

void IgnoreCallsOfThisThread() {
  for (const CallFollower* follower : FollowersOfProcess()) {
    if (follower != nullptr) follower->ignore_thread();
  }
}

bool IsInsideNcclCall() {
  const CallFollower* follower = FollowersOfProcess()[0];
  return follower != nullptr && follower->is_inside(Library::kNccl);
}

}  // namespace warpsight::capture
