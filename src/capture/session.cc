#include "capture/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/followed_calls.h"
#include "capture/monotonic_clock.h"

namespace warpsight::capture {
namespace {

using cupti::ActivityKind;

constexpr auto kTick = std::chrono::milliseconds(100);
// A chunk that is not full goes out after this, so that a killed program loses little.
constexpr uint64_t kLongestChunkNs = 1'000'000'000;
constexpr uint32_t kFlushPeriodMs = 500;
constexpr size_t kRangeBlocks = 1024;  // of 64 KiB

// What `warpsight trigger` leaves for an armed process, and what it waits for (settings.h tells the text).
constexpr const char* kTriggerEnding = ".trigger";
constexpr const char* kDoneEnding = ".done";

constexpr ActivityKind kActivities[] = {ActivityKind::kDevice,     ActivityKind::kConcurrentKernel, ActivityKind::kMemcpy,
                                        ActivityKind::kPeerMemcpy, ActivityKind::kMemset,           ActivityKind::kRuntime,
                                        ActivityKind::kDriver,     ActivityKind::kSynchronization,  ActivityKind::kOverhead};

std::string CommandOfProcess() {
  std::string command;
  char bytes[4096];
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return command;
  const ssize_t got = read(file, bytes, sizeof(bytes));
  close(file);
  if (got > 0) command.assign(bytes, static_cast<size_t>(got));
  while (!command.empty() && command.back() == '\0') command.pop_back();
  for (char& c : command) c = c == '\0' ? ' ' : c;
  return command;
}

std::string HostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

// Calls `visit(number, name)` for every function of a domain. CUPTI numbers them from 1, with gaps.
template <typename Visit>
void ForEachCall(const cupti::CuptiLibrary& cupti, cupti::CallbackDomain domain, const Visit& visit) {
  constexpr uint32_t kMost = 4096;
  constexpr int kLongestGap = 64;
  int gap = 0;
  for (uint32_t number = 1; number < kMost && gap < kLongestGap; ++number) {
    const char* name = nullptr;
    const bool named =
        cupti.GetCallbackName(static_cast<uint32_t>(domain), number, &name) == cupti::kSuccess && name != nullptr;
    gap = named ? 0 : gap + 1;
    if (named) visit(number, std::string_view(name));
  }
}

std::mutex& MakingMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::atomic<Session*> Session::running_{nullptr};

Session::Session(Settings settings)
    : settings_(std::move(settings)),
      process_(static_cast<uint32_t>(getpid())),
      number_(static_cast<uint32_t>(MonotonicNs() / 1'000'000)),
      started_ns_(MonotonicNs()),
      pool_(settings_.buffer_bytes, settings_.pool_buffers),
      ranges_(kRangeBlocks) {}

Session* Session::Current() {
  if (Session* running = IfRunning()) return running;
  const std::lock_guard lock(MakingMutex());
  if (Session* running = IfRunning()) return running;
  try {
    Settings settings = SettingsOfProcess();
    if (settings.folder.empty()) return nullptr;
    // Never freed: callbacks may come until the very end of the process.
    auto* session = new Session(std::move(settings));
    if (!session->Open()) {
      std::fprintf(stderr, "warpsight: nothing is recorded of process %d: the capture file can't be made in %s (%s)\n",
                   static_cast<int>(getpid()), session->settings_.folder.c_str(), strerror(errno));
      delete session;
      return nullptr;
    }
    running_.store(session, std::memory_order_release);
    return session;
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The parent's writer thread does not exist here and its locks may be held for ever: nothing of it is touched again.
void Session::ForgetInChild() { running_.store(nullptr, std::memory_order_release); }

bool Session::OpenFile(const std::string& folder) {
  auto file = std::make_unique<ChunkFile>(process_, number_, settings_.max_bytes, settings_.ring_ns);
  if (!file->Open(folder)) return false;
  file_ = std::move(file);
  kept_ = dropped_ = {};
  newest_ns_ = 0;
  chunk_began_ns_ = MonotonicNs();
  encoder_.Begin(chunk_began_ns_);
  return true;
}

bool Session::Open() {
  if (!settings_.armed) {
    if (!OpenFile(settings_.folder)) return false;
    recording_ = began_ = settings_.delay_ns == 0 && settings_.range == CaptureRange::kAll;
  }
  // The program's signals are for its own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    writer_ = std::thread([this] { Run(); });
    pthread_setname_np(writer_.native_handle(), "warpsight");
  } catch (const std::exception&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

void Session::NoteProblem(std::string text) {
  const std::lock_guard lock(facts_mutex_);
  ++problems_[std::move(text)];
}

void Session::AddName(const wire::NameRecord& name) {
  const std::lock_guard lock(facts_mutex_);
  names_.emplace_back(name, std::string(name.name));
}

void Session::StartCuda() {
  if (cuda_seen_.exchange(true) || !settings_.cuda) return;
  // Armed, nothing of CUPTI is touched before the first trigger: loaded alone it slows every call down.
  if (!settings_.armed && (settings_.range != CaptureRange::kProgram || recording_)) LoadCupti();
}

void Session::LoadCupti() {
  const std::lock_guard lock(cupti_mutex_);
  if (reader_ != nullptr) return;
  cupti_ = cupti::CuptiLibrary::Load(settings_.cupti_path);
  if (!cupti_.loaded()) return NoteProblem("no GPU work is recorded: " + cupti_.missing);
  reader_ = std::make_unique<cupti::ActivityReader>(cupti_);
  if (cupti_.SetThreadIdType != nullptr) cupti_.SetThreadIdType(cupti::kThreadIdSystem);
  if (cupti_.ActivityRegisterTimestampCallback == nullptr ||
      cupti_.ActivityRegisterTimestampCallback(&MonotonicNs) != cupti::kSuccess)
    NoteProblem("CUPTI did not take our clock: its times are not those of NVTX ranges");
  if (const int result = cupti_.ActivityRegisterCallbacks(OnBufferRequested, OnBufferCompleted); result != cupti::kSuccess)
    return NoteProblem("no GPU work is recorded: CUPTI refused us its buffers (" + cupti_.ErrorText(result) + ")");
  if (cupti_.ActivityFlushPeriod != nullptr) cupti_.ActivityFlushPeriod(kFlushPeriodMs);
  if (settings_.range == CaptureRange::kProfilerApi) {
    void* subscriber = nullptr;
    int result = cupti_.Subscribe == nullptr ? -1 : cupti_.Subscribe(&subscriber, OnCallback, nullptr);
    if (result == cupti::kSuccess && cupti_.EnableCallback != nullptr) {
      for (const uint32_t callback : {cupti::kDriverProfilerStart, cupti::kDriverProfilerStop})
        result |= cupti_.EnableCallback(1, subscriber, static_cast<uint32_t>(cupti::CallbackDomain::kDriver), callback);
    }
    if (result != cupti::kSuccess) {
      NoteProblem("cudaProfilerStart can't be followed (" + cupti_.ErrorText(result) + "): all is recorded");
      settings_.range = CaptureRange::kAll;
      if (settings_.delay_ns == 0) recording_ = began_ = true;
    }
  }
  if (recording_ && !settings_.armed) EnableLocked();
}

void Session::EnableActivities() {
  const std::lock_guard lock(cupti_mutex_);
  EnableLocked();
}

void Session::EnableLocked() {
  if (reader_ == nullptr) return;
  // Devices are recorded as they appear: those that are there already only so.
  if (cupti_.ActivityEnableAndDump != nullptr) cupti_.ActivityEnableAndDump(static_cast<uint32_t>(ActivityKind::kDevice));
  for (const ActivityKind kind : kActivities) {
    if (const int result = cupti_.ActivityEnable(static_cast<uint32_t>(kind)); result != cupti::kSuccess)
      NoteProblem("CUPTI does not record activity kind " + std::to_string(static_cast<uint32_t>(kind)) + " (" +
                  cupti_.ErrorText(result) + ")");
  }
  if (settings_.whole_graphs) cupti_.ActivityEnable(static_cast<uint32_t>(ActivityKind::kGraphTrace));
  ChooseCalls();
}

void Session::ChooseCalls() {
  if (cupti_.ActivityEnableRuntimeApi != nullptr) {
    ForEachCall(cupti_, cupti::CallbackDomain::kRuntime, [this](uint32_t number, std::string_view name) {
      if (!cupti::IsRuntimeCallFollowed(name)) cupti_.ActivityEnableRuntimeApi(number, 0);
    });
  }
  // Enabling single calls of the driver enables all of them (seen with CUPTI 13.0): so all are, and the others taken back.
  cupti_.ActivityEnable(static_cast<uint32_t>(ActivityKind::kDriver));
  if (cupti_.ActivityEnableDriverApi == nullptr) return;
  ForEachCall(cupti_, cupti::CallbackDomain::kDriver, [this](uint32_t number, std::string_view name) {
    if (!cupti::IsDriverCallFollowed(name)) cupti_.ActivityEnableDriverApi(number, 0);
  });
}

void Session::DisableActivities() {
  const std::lock_guard lock(cupti_mutex_);
  if (reader_ == nullptr) return;
  for (const ActivityKind kind : kActivities) cupti_.ActivityDisable(static_cast<uint32_t>(kind));
  cupti_.ActivityDisable(static_cast<uint32_t>(ActivityKind::kDriver));
  if (settings_.whole_graphs) cupti_.ActivityDisable(static_cast<uint32_t>(ActivityKind::kGraphTrace));
}

// All that CUPTI holds, to our buffers.
void Session::FlushCupti() {
  const std::lock_guard lock(cupti_mutex_);
  if (reader_ != nullptr) cupti_.ActivityFlushAll(cupti::kFlushForced);
}

void Session::OnBufferRequested(uint8_t** buffer, size_t* bytes, size_t* most_records) {
  *buffer = nullptr;
  *bytes = 0;
  *most_records = 0;
  Session* session = IfRunning();
  if (session == nullptr) return;
  *buffer = session->pool_.Take();
  if (*buffer == nullptr) {
    session->buffers_refused_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  *bytes = session->pool_.buffer_bytes();
}

void Session::OnBufferCompleted(void* context, uint32_t stream, uint8_t* buffer, size_t /*bytes*/, size_t valid_bytes) {
  Session* session = IfRunning();
  if (session == nullptr || buffer == nullptr) return;
  size_t dropped = 0;
  if (session->cupti_.ActivityGetNumDroppedRecords(context, stream, &dropped) == cupti::kSuccess && dropped > 0)
    session->cupti_dropped_.fetch_add(dropped, std::memory_order_relaxed);
  session->queue_.Push({buffer, valid_bytes});
}

void Session::OnCallback(void* /*user*/, uint32_t domain, uint32_t callback, const void* info) {
  Session* session = IfRunning();
  if (session == nullptr || domain != static_cast<uint32_t>(cupti::CallbackDomain::kDriver)) return;
  const uint32_t site = cupti::Field<uint32_t>(static_cast<const uint8_t*>(info), 0);
  if (callback == cupti::kDriverProfilerStart && site == cupti::kCallbackExit && !session->recording_.exchange(true))
    session->EnableActivities();
  if (callback == cupti::kDriverProfilerStop && site == cupti::kCallbackEnter && session->recording_.exchange(false))
    session->DisableActivities();
}

// CUPTI that is loaded with nothing switched on slows calls down: it is loaded in the step before the first recorded one.
void Session::PrepareProgramRange() {
  if (settings_.range == CaptureRange::kProgram && cuda_seen_ && settings_.cuda) LoadCupti();
}

void Session::StartProgramRange() {
  if (settings_.range != CaptureRange::kProgram || settings_.armed) return;
  PrepareProgramRange();
  if (!recording_.exchange(true)) EnableActivities();
}

void Session::StopProgramRange() {
  if (settings_.range == CaptureRange::kProgram && !settings_.armed && recording_.exchange(false)) DisableActivities();
}

// Armed: begins a capture when a trigger has been left in the folder, and ends it when its time is over.
void Session::FollowTrigger() {
  if (file_ != nullptr) {
    if (MonotonicNs() >= capture_until_ns_) EndTriggered();
    return;
  }
  const std::string path = settings_.folder + "/" + std::to_string(process_) + kTriggerEnding;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096] = {};
  const ssize_t got = read(file, text, sizeof(text) - 1);
  close(file);
  unlink(path.c_str());
  const Settings asked = ParseSettings({text, got > 0 ? static_cast<size_t>(got) : 0});
  ++number_;
  if (asked.folder.empty() || !OpenFile(asked.folder)) return;
  triggered_folder_ = asked.folder;
  capture_until_ns_ = MonotonicNs() + asked.duration_ns;
  WriteFirstRecords();
  if (cuda_seen_ && settings_.cuda) LoadCupti();
  recording_ = true;
  EnableActivities();
}

void Session::EndTriggered() {
  recording_ = false;
  DisableActivities();
  FlushCupti();
  DrainAll(std::chrono::milliseconds(0));
  WriteLastChunk();
  file_.reset();
  const std::string done = triggered_folder_ + "/" + std::to_string(process_) + kDoneEnding;
  const int file = open(done.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file >= 0) close(file);
}

// Delay and duration, by the writer's ticks.
void Session::FollowSchedule() {
  if (settings_.armed) return FollowTrigger();
  if (settings_.range != CaptureRange::kAll || ended_) return;
  const uint64_t since = MonotonicNs() - started_ns_;
  if (!began_ && since >= settings_.delay_ns) {
    began_ = true;
    recording_ = true;
    EnableActivities();
  }
  if (recording_ && settings_.duration_ns != 0 && since >= settings_.delay_ns + settings_.duration_ns) {
    recording_ = false;
    ended_ = true;
    DisableActivities();
  }
}

void Session::WriteFirstRecords() {
  const std::string command = CommandOfProcess();
  const std::string host = HostName();
  wire::ProcessRecord process;
  process.process = process_;
  process.parent = static_cast<uint32_t>(getppid());
  process.command = command;
  process.host = host;
  encoder_.Add(process);
  encoder_.Add(ReadClocks());
}

void Session::Run() {
  try {
    if (file_ != nullptr) WriteFirstRecords();
    while (!stopping_.load(std::memory_order_acquire)) {
      FollowSchedule();
      DrainAll(kTick);
      if (!encoder_.empty() && MonotonicNs() - chunk_began_ns_ >= kLongestChunkNs) TakeChunk();
    }
    DrainAll(std::chrono::milliseconds(0));
    if (file_ != nullptr) WriteLastChunk();
  } catch (const std::exception&) {
    // No memory: the file keeps what it has.
    recording_ = false;
  }
}

void Session::DrainAll(std::chrono::milliseconds wait) {
  const std::function<void(uint64_t)> after = [this](uint64_t newest_ns) { AfterRecord(newest_ns); };
  for (const FullBuffer& buffer : queue_.TakeAll(wait)) {
    reader_->Read(buffer.bytes, buffer.valid_bytes, encoder_, after);
    pool_.Give(buffer.bytes);
  }
  ranges_.Drain(encoder_, after);
  std::vector<std::pair<wire::NameRecord, std::string>> names;
  {
    const std::lock_guard lock(facts_mutex_);
    names.swap(names_);
  }
  for (auto& [name, text] : names) {
    name.name = text;
    if (name.kind == wire::NameKind::kThread) named_threads_.insert(name.number);
    encoder_.Add(name);
  }
}

void Session::AfterRecord(uint64_t newest_ns) {
  newest_ns_ = std::max(newest_ns_, newest_ns);
  if (encoder_.full()) TakeChunk();
}

void Session::TakeChunk() {
  if (file_ == nullptr) return encoder_.Begin(MonotonicNs());  // what came after the end of a triggered capture
  RecordCounts& counts = file_->Write(encoder_, newest_ns_) ? kept_ : dropped_;
  counts.all += encoder_.records();
  counts.kernels += encoder_.kernels();
  chunk_began_ns_ = MonotonicNs();
  encoder_.Begin(newest_ns_ == 0 ? chunk_began_ns_ : newest_ns_);
}

// As the system knows them: "python3", "pt_autograd_0".
void Session::AddThreadNames() {
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* task = readdir(tasks)) {
    char name[64] = {};
    const std::string path = std::string("/proc/self/task/") + task->d_name + "/comm";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    const ssize_t got = read(file, name, sizeof(name) - 1);
    close(file);
    const std::string_view text(name, got > 0 ? static_cast<size_t>(got) - 1 : 0);  // ends with a line end
    const uint64_t number = std::strtoull(task->d_name, nullptr, 10);
    if (named_threads_.count(number) == 0) encoder_.Add(wire::NameRecord{wire::NameKind::kThread, number, text});
  }
  closedir(tasks);
}

// What the file holds and what it does not, in a chunk for which there is always room.
void Session::WriteLastChunk() {
  if (!encoder_.empty()) TakeChunk();
  encoder_.Begin(MonotonicNs());
  encoder_.Add(ReadClocks());
  AddThreadNames();
  wire::ProcessRecord process;
  const std::string command = CommandOfProcess();
  process.process = process_;
  process.parent = static_cast<uint32_t>(getppid());
  process.command = command;
  process.cupti_version = cupti_.version;
  encoder_.Add(process);
  const auto count = [this](std::string_view cause, uint64_t number) {
    if (number > 0) encoder_.Add(wire::CountRecord{cause, number});
  };
  count("records_kept", kept_.all);
  count("kernels_kept", kept_.kernels);
  count("dropped_no_room", dropped_.all);
  count("kernels_among_dropped", dropped_.kernels);
  count("dropped_by_cupti", cupti_dropped_);
  count("dropped_ranges_no_memory", ranges_.dropped());
  count("buffers_refused", buffers_refused_);
  count("ring_chunks_aged", file_->chunks_aged());
  count("texts_cut", encoder_.cut_texts());
  const std::lock_guard cupti_lock(cupti_mutex_);
  if (reader_ != nullptr) {
    count("unknown_activity_records", reader_->unknown_records());
    // Once more: the chunk that held them may be one of those that were dropped.
    for (const auto& [device, name] : reader_->devices()) {
      wire::DeviceRecord again = device;
      again.name = name;
      encoder_.Add(again);
    }
  }
  const std::lock_guard lock(facts_mutex_);
  for (const auto& [problem, times] : problems_) count("problem: " + problem, times);
  encoder_.AddFinish();
  file_->Finish(encoder_);
}

void Session::Stop() {
  if (process_ != static_cast<uint32_t>(getpid())) return;
  recording_ = false;
  FlushCupti();
  stopping_.store(true, std::memory_order_release);
  queue_.Wake();
  if (writer_.joinable()) writer_.join();
}

void Session::Finish() {
  Session* session = running_.load(std::memory_order_acquire);
  if (session == nullptr) return;
  try {
    session->Stop();
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace warpsight::capture
