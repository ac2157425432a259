// When a session records, and what it writes around the records: files, triggers, delay and duration, the first and the last
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

// Delay and duration, by the writer's ticks.
void Session::FollowSchedule() {
  if (settings_.armed) return FollowTrigger();
  if (range_ != CaptureRange::kAll || file_ == nullptr) return;
  const uint64_t since = MonotonicNs() - started_ns_;
  if (!began_ && since >= settings_.delay_ns) {
    began_ = true;
    SwitchOn();
  }
  if (began_ && settings_.duration_ns != 0 && since >= settings_.delay_ns + settings_.duration_ns) CloseFile();
}

// Armed: begins a capture when a trigger has been left in the folder, and ends it when its time is over.
void Session::FollowTrigger() {
  if (file_ == nullptr) return BeginTriggered();
  if (MonotonicNs() >= capture_until_ns_) CloseFile();
}

void Session::BeginTriggered() {
  const std::string path = MarkPath(settings_.folder, process_, kTriggerMark);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096] = {};
  const ssize_t got = read(file, text, sizeof(text) - 1);
  close(file);
  unlink(path.c_str());
  const Settings asked = ParseSettings({text, got > 0 ? static_cast<size_t>(got) : 0});
  ++number_;
  if (asked.folder.empty() || !OpenFile(asked.folder)) return;
  capture_until_ns_ = MonotonicNs() + asked.duration_ns;
  WriteFirstRecords();
  SwitchOn();
}

// The capture is over: what CUPTI still holds, the last chunk, and the mark that it is whole.
void Session::CloseFile() {
  if (file_ == nullptr) return;
  if (!stopping_) {
    SwitchOff();
    cupti_.Flush();
    DrainAll(std::chrono::milliseconds(0));
  }
  WriteLastChunk();
  file_.reset();
  LeaveMark(folder_, process_, kDoneMark);
}

Session::Losses Session::LossesNow() {
  return {cupti_.Counts(), ranges_.dropped(), sampler_.dropped(), ranges_.cut_texts() + encoder_.cut_texts()};
}

void Session::AddProcess() {
  wire::ProcessRecord process;
  const std::string command = CommandOfProcess();
  const std::string host = HostName();
  process.process = process_;
  process.parent = static_cast<uint32_t>(getppid());
  process.command = command;
  process.host = host;
  process.cupti_version = cupti_.version();
  encoder_.Add(process);
}

void Session::WriteFirstRecords() {
  AddProcess();
  encoder_.Add(ReadClocks());
}

void Session::AddNames() {
  for (const auto& [thread, name] : NamesOfThreads()) names_.try_emplace({wire::NameKind::kThread, thread}, name);
  for (const auto& [key, name] : names_) {
    // The last chunk has to be one: a program that names a million things has named enough.
    if (encoder_.bytes().size() > wire::kMaxChunkBytes / 2) break;
    encoder_.Add(wire::NameRecord{key.first, key.second, name});
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
  count("texts_cut", now.cut_texts - before.cut_texts);
  const std::lock_guard lock(facts_mutex_);
  count("dropped_names", dropped_names_);
  for (const auto& [problem, times] : problems_) count("problem: " + problem, times);
  for (const auto& [fact, times] : facts_) count("note: " + fact, times);
}

// What the file holds and what it does not, in a chunk for which there is always room.
void Session::WriteLastChunk() {
  if (!encoder_.empty()) TakeChunk();
  file_->WriteRing();
  encoder_.Begin(MonotonicNs());
  encoder_.Add(ReadClocks());
  AddProcess();
  // Once more: the chunk that held them may be one of those that were dropped.
  cupti_.AddDevices(encoder_);
  AddNames();
  AddCounts();
  encoder_.AddFinish();
  file_->Finish(encoder_);
}

}  // namespace warpsight::capture
