#include "capture/cupti/cupti_control.h"

#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/followed_calls.h"
#include "capture/monotonic_clock.h"

namespace warpsight::capture::cupti {
namespace {

constexpr uint32_t kFlushPeriodMs = 500;

// Calls before the work that they launch, so that what is launched meanwhile has its call; switched off the other way round.
constexpr ActivityKind kActivities[] = {
    ActivityKind::kDevice,           ActivityKind::kRuntime,         ActivityKind::kDriver,
    ActivityKind::kConcurrentKernel, ActivityKind::kMemcpy,          ActivityKind::kPeerMemcpy,
    ActivityKind::kMemset,           ActivityKind::kSynchronization, ActivityKind::kOverhead};

// Calls `visit(number, name)` for every function of a domain. CUPTI numbers them from 1, with gaps.
template <typename Visit>
void ForEachCall(const CuptiLibrary& cupti, CallbackDomain domain, const Visit& visit) {
  constexpr uint32_t kMost = 4096;
  constexpr int kLongestGap = 64;
  int gap = 0;
  for (uint32_t number = 1; number < kMost && gap < kLongestGap; ++number) {
    const char* name = nullptr;
    const bool named = cupti.GetCallbackName(static_cast<uint32_t>(domain), number, &name) == kSuccess && name != nullptr;
    gap = named ? 0 : gap + 1;
    if (named) visit(number, std::string_view(name));
  }
}

}  // namespace

std::atomic<CuptiControl*> CuptiControl::current_{nullptr};

CuptiControl::CuptiControl(const Settings& settings, NoteProblem note, OnGraphNode on_graph_node)
    : settings_(settings),
      note_(std::move(note)),
      on_graph_node_(on_graph_node),
      pool_(settings.buffer_bytes, settings.pool_buffers),
      other_([this](const std::string& who) { Lend(who); }, [this](const std::string& who) { GiveSubscription(who); }) {}

void CuptiControl::ForgetInChild() { OtherClient::Forget(); }

bool CuptiControl::Load() {
  const std::lock_guard lock(mutex_);
  if (!tried_) {
    tried_ = true;
    loaded_.store(LoadLocked(), std::memory_order_release);
  }
  return loaded();
}

bool CuptiControl::LoadLocked() {
  cupti_ = CuptiLibrary::Load(settings_.cupti_path);
  if (!cupti_.loaded()) {
    note_("no GPU work is recorded: " + cupti_.missing);
    return false;
  }
  reader_ = std::make_unique<ActivityReader>(cupti_);
  current_.store(this, std::memory_order_release);
  return lent_.now || RegisterLocked();
}

bool CuptiControl::RegisterLocked() {
  if (cupti_.SetThreadIdType != nullptr) cupti_.SetThreadIdType(kThreadIdSystem);
  if (cupti_.ActivityRegisterTimestampCallback == nullptr ||
      cupti_.ActivityRegisterTimestampCallback(&MonotonicNs) != kSuccess)
    note_("CUPTI did not take our clock: its times are not those of NVTX ranges");
  if (const int result = cupti_.ActivityRegisterCallbacks(OnBufferRequested, OnBufferCompleted); result != kSuccess) {
    // Another tool has them: switching activities on would fill its buffers.
    current_.store(nullptr, std::memory_order_release);
    note_("no GPU work is recorded: CUPTI refused us its buffers (" + cupti_.ErrorText(result) + ")");
    return false;
  }
  if (cupti_.ActivityFlushPeriod != nullptr) cupti_.ActivityFlushPeriod(kFlushPeriodMs);
  return true;
}

bool CuptiControl::FollowProfilerApi(std::function<void(bool start)> on_range) {
  const std::lock_guard lock(mutex_);
  if (!loaded()) return false;
  on_range_ = std::move(on_range);
  int result = SubscribeLocked();
  for (const uint32_t callback : {kDriverProfilerStart, kDriverProfilerStop}) {
    if (result == kSuccess)
      result = cupti_.EnableCallback(1, subscriber_, static_cast<uint32_t>(CallbackDomain::kDriver), callback);
  }
  if (result == kSuccess) return true;
  note_("cudaProfilerStart can't be followed (" + cupti_.ErrorText(result) + "): all is recorded");
  return false;
}

// There is one subscriber a process.
int CuptiControl::SubscribeLocked() {
  if (subscriber_ != nullptr) return kSuccess;
  if (cupti_.Subscribe == nullptr) return -1;
  const int result = cupti_.Subscribe(&subscriber_, OnCallback, nullptr);
  if (result != kSuccess) subscriber_ = nullptr;
  return result;
}

bool CuptiControl::UnsubscribeLocked() {
  if (subscriber_ == nullptr || cupti_.Unsubscribe == nullptr) return false;
  cupti_.Unsubscribe(std::exchange(subscriber_, nullptr));
  return true;
}

// Where that can't be had, replays are told by the order of their kernels.
void CuptiControl::FollowGraphNodesLocked(bool on) {
  if (settings_.whole_graphs || cupti_.GetGraphNodeId == nullptr || (on && SubscribeLocked() != kSuccess)) return;
  if (subscriber_ == nullptr) return;
  for (const uint32_t callback : {kGraphNodeCreated, kGraphNodeCloned})
    cupti_.EnableCallback(on ? 1 : 0, subscriber_, static_cast<uint32_t>(CallbackDomain::kResource), callback);
}

void CuptiControl::Enable() {
  const std::lock_guard lock(mutex_);
  EnableLocked();
}

void CuptiControl::Disable() {
  const std::lock_guard lock(mutex_);
  DisableLocked();
}

bool CuptiControl::TrySwitch(bool on) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (on) {
    EnableLocked();
  } else {
    DisableLocked();
  }
  return true;
}

void CuptiControl::EnableLocked() {
  if (lent_.now && !wanted_) lent_.Miss(MonotonicNs());
  wanted_ = true;
  if (loaded() && !lent_.now) SwitchOnLocked();
}

void CuptiControl::DisableLocked() {
  lent_.MissNoMore(MonotonicNs());
  wanted_ = false;
  if (loaded() && !lent_.now) SwitchOffLocked();
}

void CuptiControl::SwitchOnLocked() {
  // Devices are recorded as they appear: those that are there already only so.
  if (cupti_.ActivityEnableAndDump != nullptr) cupti_.ActivityEnableAndDump(static_cast<uint32_t>(ActivityKind::kDevice));
  for (const ActivityKind kind : kActivities) {
    if (const int result = cupti_.ActivityEnable(static_cast<uint32_t>(kind)); result != kSuccess)
      note_("CUPTI does not record activity kind " + std::to_string(static_cast<uint32_t>(kind)) + " (" +
            cupti_.ErrorText(result) + ")");
  }
  if (settings_.whole_graphs) cupti_.ActivityEnable(static_cast<uint32_t>(ActivityKind::kGraphTrace));
  if (settings_.cuda_events) SwitchEventsLocked(true);
  FollowGraphNodesLocked(true);
  ChooseCalls(true);
}

// An event without the GPU's time says no more than its call.
void CuptiControl::SwitchEventsLocked(bool on) {
  constexpr auto kEvents = static_cast<uint32_t>(ActivityKind::kCudaEvent);
  if (!on) {
    cupti_.ActivityDisable(kEvents);
    if (cupti_.ActivityEnableCudaEventDeviceTimestamps != nullptr) cupti_.ActivityEnableCudaEventDeviceTimestamps(0);
    return;
  }
  if (cupti_.ActivityEnableCudaEventDeviceTimestamps == nullptr)
    return note_("CUDA events are not recorded: that takes CUPTI 12.8 or later, which tells when a stream reaches them");
  int result = cupti_.ActivityEnableCudaEventDeviceTimestamps(1);
  if (result == kSuccess) result = cupti_.ActivityEnable(kEvents);
  if (result != kSuccess) note_("CUDA events are not recorded (" + cupti_.ErrorText(result) + ")");
}

// All calls are on: those that tell nothing are taken back. Switching single calls of the driver on would switch on all of
// them (seen with CUPTI 13.0).
void CuptiControl::ChooseCalls(bool leave_out) {
  const uint8_t enable = leave_out ? 0 : 1;
  if (cupti_.ActivityEnableRuntimeApi != nullptr) {
    ForEachCall(cupti_, CallbackDomain::kRuntime, [&](uint32_t number, std::string_view name) {
      if (!IsRuntimeCallFollowed(name)) cupti_.ActivityEnableRuntimeApi(number, enable);
    });
  }
  if (cupti_.ActivityEnableDriverApi != nullptr) {
    ForEachCall(cupti_, CallbackDomain::kDriver, [&](uint32_t number, std::string_view name) {
      if (!IsDriverCallFollowed(name)) cupti_.ActivityEnableDriverApi(number, enable);
    });
  }
}

// Everything of ours leaves CUPTI: what it holds comes to our buffers, since the next ones are the client's. Work that runs
// at this moment loses its times.
void CuptiControl::Lend(const std::string& to) {
  {
    const std::lock_guard lock(mutex_);
    lent_.now = true;
    lent_.to = to;
    if (wanted_) lent_.Miss(MonotonicNs());
    if (!loaded()) return;
    ChooseCalls(false);
    SwitchOffLocked();
    // The client may want to be the subscriber without our seeing it.
    if (!on_range_) UnsubscribeLocked();
  }
  // Not under the lock, as in Flush.
  cupti_.ActivityFlushAll(kFlushForced);
  AskForDrops(nullptr, 0);
}

void CuptiControl::GiveSubscription(const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (UnsubscribeLocked() && on_range_)
    note_(to + " subscribed to CUPTI's callbacks, which one can have: cudaProfilerStart is not followed from then on");
}

void CuptiControl::FollowOtherClient() {
  other_.Watch(settings_.cupti_path);
  const uint64_t now = MonotonicNs();
  if (!other_.TakeBack(now)) return;
  const std::lock_guard lock(mutex_);
  lent_.MissNoMore(now);
  lent_.now = false;
  if (loaded() && RegisterLocked() && wanted_) SwitchOnLocked();
}

void CuptiControl::NoteOtherClients() {
  const std::lock_guard lock(mutex_);
  const uint64_t now = MonotonicNs();
  const bool missing = lent_.missed_since_ns != 0;
  lent_.MissNoMore(now);
  if (missing) lent_.Miss(now);
  const uint64_t missed_ns = std::exchange(lent_.missed_ns, 0);
  if (missed_ns == 0) return;
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.3f", static_cast<double>(missed_ns) / 1e9);
  note_(lent_.to + " used CUPTI itself for " + seconds +
        " s of the recording: no GPU work and no calls of CUDA are recorded of that time");
}

void CuptiControl::SwitchOffLocked() {
  for (auto kind = std::rbegin(kActivities); kind != std::rend(kActivities); ++kind)
    cupti_.ActivityDisable(static_cast<uint32_t>(*kind));
  if (settings_.whole_graphs) cupti_.ActivityDisable(static_cast<uint32_t>(ActivityKind::kGraphTrace));
  if (settings_.cuda_events) SwitchEventsLocked(false);
  FollowGraphNodesLocked(false);
}

void CuptiControl::Flush() {
  if (!loaded() || other_.claimed()) return;
  // Not under the lock: it waits for CUPTI, and a callback inside of CUPTI may want the lock.
  cupti_.ActivityFlushAll(kFlushForced);
  AskForDrops(nullptr, 0);
}

void CuptiControl::FlushFinished() {
  if (loaded() && !other_.claimed()) cupti_.ActivityFlushAll(0);
}

void CuptiControl::AskForDrops(void* context, uint32_t stream) {
  size_t dropped = 0;
  if (cupti_.ActivityGetNumDroppedRecords(context, stream, &dropped) == kSuccess && dropped > 0)
    dropped_.fetch_add(dropped, std::memory_order_relaxed);
}

void CuptiControl::OnBufferRequested(uint8_t** buffer, size_t* bytes, size_t* most_records) {
  *buffer = nullptr;
  *bytes = 0;
  *most_records = 0;
  CuptiControl* control = current_.load(std::memory_order_acquire);
  if (control == nullptr) return;
  *buffer = control->pool_.Take();
  if (*buffer == nullptr) {
    control->buffers_refused_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  *bytes = control->pool_.buffer_bytes();
}

void CuptiControl::OnBufferCompleted(void* context, uint32_t stream, uint8_t* buffer, size_t /*bytes*/, size_t valid_bytes) {
  CuptiControl* control = current_.load(std::memory_order_acquire);
  // A buffer that is not ours was asked for by another tool before we came.
  if (control == nullptr || buffer == nullptr || !control->pool_.Owns(buffer)) return;
  try {
    control->AskForDrops(context, stream);
    control->queue_.Push({buffer, valid_bytes});
  } catch (const std::exception&) {
    control->buffers_refused_.fetch_add(1, std::memory_order_relaxed);
    control->pool_.Give(buffer);
  }
}

void CuptiControl::OnCallback(void* /*user*/, uint32_t domain, uint32_t callback, const void* info) {
  CuptiControl* control = current_.load(std::memory_order_acquire);
  if (control == nullptr) return;
  if (domain == static_cast<uint32_t>(CallbackDomain::kResource))
    return control->OnResource(callback, static_cast<const uint8_t*>(info));
  if (domain != static_cast<uint32_t>(CallbackDomain::kDriver)) return;
  const uint32_t site = Field<uint32_t>(static_cast<const uint8_t*>(info), 0);
  try {
    if (callback == kDriverProfilerStart && site == kCallbackExit) control->on_range_(true);
    if (callback == kDriverProfilerStop && site == kCallbackEnter) control->on_range_(false);
  } catch (const std::exception&) {
    return;
  }
}

// A clone that is made while a graph is instantiated is told of twice: as any node, then with what it was cloned from.
void CuptiControl::OnResource(uint32_t callback, const uint8_t* info) const {
  if (callback != kGraphNodeCreated && callback != kGraphNodeCloned) return;
  const auto* const graph = Field<const uint8_t*>(info, ResourceFields::kDescriptor);
  if (graph == nullptr) return;
  const auto id_at = [&](size_t offset) {
    uint64_t id = 0;
    void* const node = Field<void*>(graph, offset);
    return node != nullptr && cupti_.GetGraphNodeId(node, &id) == kSuccess ? id : 0;
  };
  const uint64_t node = id_at(GraphDataFields::kNode);
  const uint64_t original = callback == kGraphNodeCloned ? id_at(GraphDataFields::kOriginalNode) : 0;
  if (node != 0) on_graph_node_(node, original);
}

void CuptiControl::Drain(std::chrono::milliseconds wait, wire::ChunkEncoder& encoder,
                         const std::function<void(uint64_t newest_ns)>& after_each) {
  for (const FullBuffer& buffer : queue_.TakeAll(wait)) {
    reader_->Read(buffer.bytes, buffer.valid_bytes, encoder, after_each);
    pool_.Give(buffer.bytes);
  }
}

CuptiCounts CuptiControl::Counts() {
  CuptiCounts counts;
  counts.dropped = dropped_.load();
  counts.buffers_refused = buffers_refused_.load();
  if (!loaded()) return counts;
  counts.unread_buffers = reader_->unread_buffers();
  counts.unknown_records = reader_->unknown_records();
  counts.without_time = reader_->records_without_time();
  return counts;
}

void CuptiControl::ForEachDevice(const std::function<void(const wire::DeviceRecord&, bool)>& visit) const {
  if (!loaded()) return;
  const uint64_t with_work = reader_->devices_with_work();
  for (const auto& [device, name] : reader_->devices()) visit(device, device.id < 64 && (with_work >> device.id & 1) != 0);
}

void CuptiControl::AddDevices(wire::ChunkEncoder& encoder) {
  if (!loaded()) return;
  for (const auto& [device, name] : reader_->devices()) {
    wire::DeviceRecord again = device;
    again.name = name;
    encoder.Add(again);
  }
}

}  // namespace warpsight::capture::cupti
