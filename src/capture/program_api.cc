// What the recorded program itself may ask for: warpsight/recorder.h, the one header that both sides share.
#include <warpsight/recorder.h>

#include <exception>

#include "capture/session.h"

namespace warpsight::capture {
namespace {

// Apart from NVTX's default domain, so that a push of one is never ended by a pop of the other.
const RangeDomain kProgramDomain = {"warpsight"};

void AddProgramRange(RangeEventKind kind, std::string_view text) {
  Session* session = Session::IfRunning();
  if (session == nullptr) return;
  const RangeEvent event = EventNow(kind, &kProgramDomain, 0);
  if (text.starts_with("ProfilerStep#")) session->NoteProgramSteps();
  session->AddRange(event, text);
}

// No exception leaves for the program.
void Ask(void (Session::*what)()) {
  Session* session = Session::IfRunning();
  if (session == nullptr) return;
  try {
    (session->*what)();
  } catch (const std::exception&) {
    return;
  }
}
void Prepare() { Ask(&Session::PrepareProgramRange); }
void Start() { Ask(&Session::StartProgramRange); }
void Stop() { Ask(&Session::StopProgramRange); }
void PushRange(const char* text) {
  AddProgramRange(RangeEventKind::kPush, text == nullptr ? "" : text);
  ++OpenRangesOfThread().program;
}
void PopRange() {
  AddProgramRange(RangeEventKind::kPop, {});
  if (int& depth = OpenRangesOfThread().program; depth > 0) --depth;
}

int IsRecording() {
  const Session* session = Session::IfRunning();
  return session != nullptr && session->follows_ranges() ? 1 : 0;
}

constexpr WarpsightRecorderFunctions kFunctions = {
    WARPSIGHT_RECORDER_VERSION, Prepare, Start, Stop, PushRange, PopRange, IsRecording};

}  // namespace
}  // namespace warpsight::capture

extern "C" __attribute__((visibility("default"))) const WarpsightRecorderFunctions* WarpsightRecorder(unsigned version) {
  return version <= WARPSIGHT_RECORDER_VERSION ? &warpsight::capture::kFunctions : nullptr;
}
