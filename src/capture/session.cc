#include "capture/session.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

#include "capture/call_follower.h"
#include "capture/monotonic_clock.h"
#include "capture/process_facts.h"
#include "capture/sampling/unwind_table.h"
#include "capture/signal_mask.h"

namespace warpsight::capture {
namespace {

constexpr auto kTick = std::chrono::milliseconds(100);
// With CPU samples and switches of threads: a thread is followed from this long after its begin at the latest.
constexpr auto kSamplingTick = std::chrono::milliseconds(20);
// A chunk that is not full goes out after this, so that a killed program loses little.
constexpr uint64_t kLongestChunkNs = 1'000'000'000;
constexpr size_t kRangeBlocks = 1024;  // of 64 KiB
constexpr size_t kMostNames = 1 << 16;

std::mutex& MakingMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::atomic<Session*> Session::running_{nullptr};

Session::Session(Settings settings)
    : settings_(std::move(settings)),
      range_(settings_.range),
      process_(static_cast<uint32_t>(getpid())),
      number_(static_cast<uint32_t>(MonotonicNs() / 1'000'000)),
      started_ns_(MonotonicNs()),
      ranges_(kRangeBlocks),
      cupti_(
          settings_, [this](const std::string& text) { NoteProblem(text); }, &Session::AddGraphNode),
      sampler_(settings_.nvml_hz, settings_.nvml_path, [this](const std::string& text) { NoteFact(text); }),
      cpu_sampler_(settings_, recording_, [this](const std::string& text) { NoteFact(text); }),
      thread_switches_(settings_, recording_, [this](const std::string& text) { NoteFact(text); }) {}

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
      const int error = errno;
      std::string shown = session->settings_.folder;
      for (char& c : shown) c = c < ' ' || c > '~' ? '?' : c;  // no terminal is to obey a name
      std::fprintf(stderr, "warpsight: nothing is recorded of process %d: the capture file can't be made in %s (%s)\n",
                   static_cast<int>(getpid()), shown.c_str(), strerror(error));
      delete session;
      return nullptr;
    }
    running_.store(session, std::memory_order_release);
    FollowCalls(session->settings_, session->recording_);
    return session;
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The parent's writer thread does not exist here and its locks may be held for ever: nothing of it is touched again, but for
// what makes the kernel sample and follow the parent's threads.
void Session::ForgetInChild() {
  Session* const parents = running_.exchange(nullptr);
  cupti::CuptiControl::ForgetInChild();
  if (parents != nullptr) {
    parents->cpu_sampler_.ForgetInChild();
    parents->thread_switches_.ForgetInChild();
  }
  ForgetCalls();
}
void Session::LockForFork() {
  MakingMutex().lock();
  if (Session* session = IfRunning()) session->sampler_.LockForFork();
}
void Session::UnlockAfterFork() {
  if (Session* session = IfRunning()) session->sampler_.UnlockAfterFork();
  MakingMutex().unlock();
}

bool Session::Open() {
  if (settings_.armed) {
    // Of a program that this one has replaced (exec).
    unlink(MarkPath(settings_.folder, process_, kCapturingMark).c_str());
    LeaveMark(settings_.folder, process_, kSessionMark);
  } else {
    if (!OpenFile(settings_.folder)) return false;
    began_ = settings_.delay_ns == 0 && range_ == CaptureRange::kAll;
    recording_ = began_;
    const std::optional<RangePattern> pattern = ParseRangePattern(settings_.nvtx_range);
    if (range_ == CaptureRange::kNvtx && pattern) follower_ = new RangeFollower(*pattern);
  }
  // The program's signals are for its own threads.
  const sigset_t all = AllButFaults();
  sigset_t before;
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

void Session::NoteProblem(const std::string& text) {
  const std::lock_guard lock(facts_mutex_);
  ++said_["problem: " + text];
}

void Session::NoteFact(const std::string& text) {
  const std::lock_guard lock(facts_mutex_);
  ++said_["note: " + text];
}

void Session::AddName(const wire::NameRecord& name) {
  try {
    const std::lock_guard lock(facts_mutex_);
    if (new_names_.size() < kMostNames) {
      new_names_.emplace_back(name, std::string(name.name.substr(0, wire::kMaxTextBytes)));
    } else {
      ++dropped_names_;
    }
  } catch (const std::exception&) {
    return;
  }
}

void Session::AddGraphNode(uint64_t node, uint64_t original) noexcept {
  Session* const session = IfRunning();
  if (session == nullptr || !session->recording_.load(std::memory_order_relaxed)) return;
  const std::string_view text(reinterpret_cast<const char*>(&original), original == 0 ? 0 : sizeof(original));
  session->ranges_.Add(EventNow(RangeEventKind::kGraphNode, nullptr, node), text);
}

bool Session::LoadCupti() {
  if (!settings_.cuda || !cuda_seen_) return false;
  const bool first = !cupti_.loaded();
  if (!cupti_.Load()) return false;
  // CUPTI's own work at the exit comes after ours when ours is asked for last.
  if (first) std::atexit(&Session::Finish);
  return true;
}

void Session::StartCuda() {
  if (cuda_seen_.exchange(true) || !settings_.cuda) return;
  sampling::PrepareCodeObjects();
  cupti_.FollowOtherClient();
  // Armed, or before the program says that a step is near, nothing of CUPTI is touched: loaded alone it slows every call.
  if (settings_.armed || (range_ == CaptureRange::kProgram && !recording_)) return;
  const bool loaded = LoadCupti();
  if (range_ == CaptureRange::kProfilerApi &&
      (!loaded || !cupti_.FollowProfilerApi([this](bool start) { OnProfilerApi(start); }))) {
    range_ = CaptureRange::kAll;
    BeginWindow();
  }
  if (recording_) EnableCupti();
}

void Session::EnableCupti() {
  if (LoadCupti()) cupti_.Enable();
}

void Session::SwitchOn() {
  recording_ = true;
  EnableCupti();
}

void Session::SwitchOff() {
  recording_ = false;
  cupti_.Disable();
}

void Session::Run() {
  IgnoreCallsOfThisThread();
  try {
    if (file_ != nullptr) WriteFirstRecords();
    while (!stopping_.load(std::memory_order_acquire)) {
      FollowSchedule();
      if (settings_.cuda && cuda_seen_) cupti_.FollowOtherClient();
      DrainAll(settings_.sample_hz == 0 && !settings_.thread_switches ? kTick : kSamplingTick);
      WriteWindows();
      if (!encoder_.empty() && MonotonicNs() - chunk_began_ns_ >= kLongestChunkNs) TakeChunk();
    }
    sampler_.Stop();
    cpu_sampler_.Stop();
    DrainAll(std::chrono::milliseconds(0));
    thread_switches_.Stop(encoder_, [this](uint64_t newest_ns) { AfterRecord(newest_ns); });
    CloseFile();
    WriteWindows();
  } catch (const std::exception&) {
    // No memory: the file keeps what it has.
    recording_ = false;
  }
}

nvml::NvmlSampler::UsedDevices Session::DevicesWithWork() const {
  nvml::NvmlSampler::UsedDevices used;
  cupti_.ForEachDevice([&](const wire::DeviceRecord& device, bool has_work) {
    if (!has_work || device.id >= nvml::NvmlSampler::kMostDevices) return;
    used.bits |= uint64_t{1} << device.id;
    used.uuids[device.id] = device.uuid;
  });
  return used;
}

void Session::DrainAll(std::chrono::milliseconds wait) {
  const std::function<void(uint64_t)> after = [this](uint64_t newest_ns) { AfterRecord(newest_ns); };
  if (settings_.nvml_hz != 0) sampler_.Follow(recording_, DevicesWithWork());
  cupti_.Drain(wait, encoder_, after);
  sampler_.Drain(encoder_, after);
  ranges_.Drain(encoder_, after);
  cpu_sampler_.Follow();
  cpu_sampler_.Drain(encoder_, after);
  thread_switches_.FollowAndDrain(encoder_, after);
  DrainNames();
}

// Names go out at once, for programs that are killed, and again with the last chunk, for rings.
void Session::DrainNames() {
  std::vector<std::pair<wire::NameRecord, std::string>> names;
  {
    const std::lock_guard lock(facts_mutex_);
    names.swap(new_names_);
  }
  for (auto& [name, text] : names) {
    name.name = text;
    encoder_.Add(name);
    AfterRecord(0);
    if (names_.size() < kMostNames) names_[{name.kind, name.number, name.domain}] = std::move(text);
  }
}

void Session::AfterRecord(uint64_t newest_ns) {
  newest_ns_ = std::max(newest_ns_, newest_ns);
  ++records_;
  if (encoder_.full()) TakeChunk();
}

void Session::TakeChunk() {
  // Of a ring any chunk may come to be the first.
  if (file_ != nullptr && settings_.ring_ns != 0) AddFacts();
  if (file_ != nullptr) file_->Write(encoder_, newest_ns_);
  chunk_began_ns_ = MonotonicNs();
  encoder_.Begin(newest_ns_ == 0 ? chunk_began_ns_ : newest_ns_);
}

void Session::Stop() {
  if (process_ != static_cast<uint32_t>(getpid()) || stopped_.exchange(true)) return;
  recording_ = false;
  cupti_.Flush();
  stopping_.store(true, std::memory_order_release);
  cupti_.Wake();
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
