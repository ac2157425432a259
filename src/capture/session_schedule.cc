// When a session records by the clock or by a trigger, and what it writes around the records: files, the first and the last
// chunk. All on the writer thread.
#include <fcntl.h>
#include <unistd.h>

#include "capture/monotonic_clock.h"
#include "capture/process_facts.h"
#include "capture/session.h"

namespace warpsight::capture {

bool Session::OpenFile(const std::string& folder) {
  auto file = std::make_unique<ChunkFile>(process_, number_, settings_.max_bytes, settings_.ring_ns);
  if (!file->Open(folder)) return false;
  file_ = std::move(file);
  folder_ = folder;
  losses_before_ = LossesNow();
  newest_ns_ = 0;
  chunk_began_ns_ = MonotonicNs();
  encoder_.Begin(chunk_began_ns_);
  return true;
}

// Delay and duration, by the writer's ticks; ranges, which the program's threads begin and end.
void Session::FollowSchedule() {
  if (settle_until_ns_ != 0) return Settle();
  if (settings_.armed) return FollowTrigger();
  if (file_ == nullptr) return;
  if (range_ != CaptureRange::kAll) {
    if (settings_.most_windows != 0 && windows_ended_ >= settings_.most_windows) Settle();
    return;
  }
  const uint64_t since = MonotonicNs() - started_ns_;
  if (!began_ && since >= settings_.delay_ns) {
    began_ = true;
    SwitchOn();
  }
  if (began_ && settings_.duration_ns != 0 && since >= settings_.delay_ns + settings_.duration_ns) Settle();
}

// Armed: begins a capture when a trigger has been left in the folder, and ends it when its time or its steps are over.
void Session::FollowTrigger() {
  if (file_ == nullptr) return BeginTriggered();
  RangeFollower* const follower = follower_;
  if (MonotonicNs() < capture_until_ns_ && (follower == nullptr || !follower->over())) return;
  if (follower != nullptr) follower->GiveUp();
  Settle();
}

void Session::BeginTriggered() {
  const std::string left = MarkPath(settings_.folder, process_, kTriggerMark);
  const std::string taken = MarkPath(settings_.folder, process_, kCapturingMark);
  // In one step, so that a second trigger finds one or the other.
  if (rename(left.c_str(), taken.c_str()) != 0) return;
  const Settings asked = ParseSettings(TextOfOwnFile(taken));
  ++number_;
  if (asked.folder.empty() || !OpenFile(asked.folder)) {
    unlink(taken.c_str());
    return;
  }
  WriteFirstRecords();
  if (asked.steps != 0) {
    BeginSteps(asked);
  } else {
    SwitchOn();
  }
  capture_until_ns_ = MonotonicNs() + asked.duration_ns;
}

// CUPTI is loaded now, so that the first step does not pay for it.
void Session::BeginSteps(const Settings& asked) {
  LoadCupti();
  const bool by_profiler = asked.step_range.empty() && program_steps_;
  follower_ = new RangeFollower(asked.steps, by_profiler ? "ProfilerStep" : asked.step_range);
}

// The capture is over: nothing new is recorded, and work that the GPU has not finished gets time to end, until no record has
// come for a while.
void Session::Settle() {
  constexpr uint64_t kLongestNs = 2'000'000'000;
  constexpr uint64_t kQuietNs = 200'000'000;
  const uint64_t now = MonotonicNs();
  if (settle_until_ns_ == 0) settle_until_ns_ = now + kLongestNs;
  if (recording_ || quiet_since_ns_ == 0) SwitchOff();
  if (quiet_since_ns_ == 0 || records_ != quiet_records_) {
    quiet_since_ns_ = now;
    quiet_records_ = records_;
  }
  cupti_.FlushFinished();
  if (now >= settle_until_ns_ || now - quiet_since_ns_ >= kQuietNs) CloseFile();
}

// What CUPTI still holds, the last chunk, and the mark that the capture is whole.
void Session::CloseFile() {
  if (file_ == nullptr) return;
  if (!stopping_) {
    SwitchOff();
    cupti_.Flush();
    DrainAll(std::chrono::milliseconds(0));
  }
  cpu_sampler_.Finish(encoder_, [this](uint64_t newest_ns) { AfterRecord(newest_ns); });
  WriteLastChunk();
  file_.reset();
  WriteWindows();
  const std::string answer = AnswerOfTrigger();
  settle_until_ns_ = quiet_since_ns_ = 0;
  if (settings_.armed) {
    follower_ = nullptr;
    unlink(MarkPath(settings_.folder, process_, kCapturingMark).c_str());
  }
  LeaveMark(folder_, process_, kDoneMark, answer);
}

std::string Session::AnswerOfTrigger() {
  RangeFollower* const follower = settings_.armed ? follower_.load() : nullptr;
  return follower == nullptr ? std::string() : FormatAnswer(follower->Answer());
}

Session::Losses Session::LossesNow() {
  return {cupti_.Counts(),
          ranges_.dropped(),
          sampler_.dropped(),
          cpu_sampler_.dropped(),
          thread_switches_.dropped(),
          ranges_.cut_texts() + encoder_.cut_texts(),
          left_out_payloads_.load(std::memory_order_relaxed)};
}

void Session::AddProcess() {
  wire::ProcessRecord process;
  const std::string command = CommandOfProcess();
  const std::string host = HostName();
  process.process = process_;
  process.parent = static_cast<uint32_t>(getppid());
  process.command = command;
  process.host = host;
  const std::string rank = RankOfProcess();
  process.rank = rank;
  process.cupti_version = cupti_.version();
  encoder_.Add(process);
}

void Session::WriteFirstRecords() {
  file_->Begin();
  AddProcess();
  encoder_.Add(ReadClocks());
}

// What a chunk of a ring needs when those before it are gone and no last one comes.
void Session::AddFacts() {
  AddProcess();
  encoder_.Add(ReadClocks());
  cupti_.AddDevices(encoder_);
  constexpr size_t kFewNames = 1000;
  if (names_.size() < kFewNames) AddNames();
  // That chunks are missing before it is no loss; how many records were in them the last chunk tells.
  encoder_.Add(wire::CountRecord{"ring_records_aged", 0});
}

void Session::AddNames() {
  for (const auto& [thread, name] : NamesOfThreads()) names_.try_emplace({wire::NameKind::kThread, thread, {}}, name);
  for (const auto& [key, name] : names_) {
    // The last chunk has to be one: a program that names a million things has named enough.
    if (encoder_.bytes().size() > wire::kMaxChunkBytes / 2) break;
    const auto& [kind, number, domain] = key;
    encoder_.Add(wire::NameRecord{kind, number, name, domain});
  }
}

void Session::AddCounts() {
  const auto count = [this](std::string_view cause, uint64_t number) {
    if (number > 0) encoder_.Add(wire::CountRecord{cause, number});
  };
  const Losses now = LossesNow();
  const Losses& before = losses_before_;
  count("records_kept", file_->kept().records);
  count("kernels_kept", file_->kept().kernels);
  count("dropped_no_room", file_->refused().records);
  count("kernels_among_dropped", file_->refused().kernels);
  count("ring_records_aged", file_->aged().records);
  count("dropped_by_cupti", now.cupti.dropped - before.cupti.dropped);
  count("buffers_refused", now.cupti.buffers_refused - before.cupti.buffers_refused);
  count("dropped_unread_buffers", now.cupti.unread_buffers - before.cupti.unread_buffers);
  count("dropped_without_time", now.cupti.without_time - before.cupti.without_time);
  count("unknown_activity_records", now.cupti.unknown_records - before.cupti.unknown_records);
  count("dropped_ranges_no_memory", now.dropped_ranges - before.dropped_ranges);
  count("dropped_counter_samples", now.dropped_samples - before.dropped_samples);
  count("dropped_cpu_samples", now.dropped_cpu_samples - before.dropped_cpu_samples);
  count("dropped_thread_switches", now.dropped_thread_switches - before.dropped_thread_switches);
  count("texts_cut", now.cut_texts - before.cut_texts);
  count("payloads_left_out", now.left_out_payloads - before.left_out_payloads);
  const std::lock_guard lock(facts_mutex_);
  count("dropped_names", dropped_names_);
  for (const auto& [text, times] : said_) count(text, times);
}

// What the file holds and what it does not, in a chunk for which there is always room.
void Session::WriteLastChunk() {
  if (!encoder_.empty()) TakeChunk();
  encoder_.Begin(MonotonicNs());
  encoder_.Add(ReadClocks());
  AddProcess();
  // Once more: the chunk that held them may be one of those that were dropped.
  cupti_.AddDevices(encoder_);
  AddNames();
  cupti_.NoteOtherClients();
  AddCounts();
  encoder_.AddFinish();
  file_->Finish(encoder_);
}

}  // namespace warpsight::capture
