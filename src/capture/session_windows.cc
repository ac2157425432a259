// When a session records by what the program does: calls of cudaProfilerStart, starts of warpsight/recorder.h, NVTX ranges.
// Each such stretch is a window; FOLDER/PROCESS-SESSION.windows lists them, for those who want a file for each.
//
// Recording is switched on the thread of the program that begins the window, so that what comes next is in it.
#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include "capture/monotonic_clock.h"
#include "capture/process_facts.h"
#include "capture/session.h"

namespace warpsight::capture {

bool Session::BeginWindow() {
  if (stopping_ || recording_) return false;
  const uint64_t most = settings_.most_windows;
  // Again once it is ours: another thread may have had the last one in between.
  const bool had_enough = most != 0 && windows_ >= most;
  if (!had_enough && recording_.exchange(true)) return false;
  if (had_enough || (most != 0 && windows_ >= most)) {
    if (!had_enough) recording_ = false;
    ++windows_ignored_;
    return false;
  }
  ++windows_;
  const std::lock_guard lock(facts_mutex_);
  window_lines_ += "begin " + std::to_string(MonotonicNs()) + "\n";
  return true;
}

bool Session::EndWindow() {
  if (settings_.open_end || !recording_.exchange(false)) return false;
  ++windows_ended_;
  const std::lock_guard lock(facts_mutex_);
  window_lines_ += "end " + std::to_string(MonotonicNs()) + "\n";
  return true;
}

// Inside of CUPTI: nothing here may wait.
void Session::OnProfilerApi(bool start) {
  if (settings_.armed || !(start ? BeginWindow() : EndWindow())) return;
  if (!cupti_.TrySwitch(start)) NoteProblem("a call of cudaProfilerStart or Stop came while CUPTI was being switched");
}

void Session::PrepareProgramRange() {
  if (range_ == CaptureRange::kProgram && !settings_.armed) LoadCupti();
}

void Session::StartProgramRange() {
  if (range_ == CaptureRange::kProgram && !settings_.armed && BeginWindow()) EnableCupti();
}

void Session::StopProgramRange() {
  if (range_ == CaptureRange::kProgram && !settings_.armed && EndWindow()) SwitchOff();
}

void Session::FollowRange(RangeFollower& follower, RangeEvent event, std::string_view text) noexcept {
  try {
    // The last end of all may be the sign for the writer to switch off: it is recorded all the same.
    const bool was_recording = recording_.load(std::memory_order_relaxed);
    const RangeFollower::Turn turn = follower.Take(event, text);
    if (turn == RangeFollower::Turn::kBegin && BeginWindow()) {
      EnableCupti();
      event.time_ns = MonotonicNs();  // switching took its time
    }
    if (was_recording || recording_.load(std::memory_order_relaxed)) ranges_.Add(event, text);
    if (turn == RangeFollower::Turn::kEnd && EndWindow()) SwitchOff();
  } catch (const std::exception&) {
    return;
  }
}

// The lines that have come up since the last call.
void Session::WriteWindows() {
  std::string lines;
  {
    const std::lock_guard lock(facts_mutex_);
    lines.swap(window_lines_);
  }
  if (stopping_ && windows_ignored_ > 0) lines += "ignored " + std::to_string(windows_ignored_.exchange(0)) + "\n";
  if (lines.empty() || settings_.armed || folder_.empty()) return;
  const std::string path = folder_ + "/" + std::to_string(process_) + "-" + std::to_string(number_) + kWindowsEnding;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size()))
    NoteProblem("the list of recorded ranges could not be written");
  close(file);
}

}  // namespace warpsight::capture
