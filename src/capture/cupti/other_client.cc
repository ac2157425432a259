#include "capture/cupti/other_client.h"

#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <vector>

#include "capture/cupti/cupti_abi.h"
#include "capture/monotonic_clock.h"

namespace warpsight::capture::cupti {
namespace {

constexpr const char* kCupti = "cupti";  // in the file names of its library
// After its last call.
constexpr uint64_t kAfterCollectingNs = 300'000'000;
constexpr uint64_t kWithoutCollectingNs = 10'000'000'000;

// "torch.profiler (libtorch_cpu.so)", by the library that an address lies in.
std::string NameOfCaller(void* caller) {
  Dl_info info = {};
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return "another tool";
  const std::string_view path = info.dli_fname;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.starts_with("libtorch") || file.starts_with("libkineto")) return "torch.profiler (" + std::string(file) + ")";
  return std::string(file);
}

// The clock of a CUPTI that was given none.
uint64_t RealtimeNs() { return ClockNs(CLOCK_REALTIME); }

template <typename Function>
ReplacedImport Import(const char* name, Function* meant, Function* ours) {
  return {name, reinterpret_cast<void*>(meant), reinterpret_cast<void*>(ours)};
}

}  // namespace

std::atomic<OtherClient*> OtherClient::watching_{nullptr};
CuptiLibrary OtherClient::cupti_;

void OtherClient::Watch(const std::string& path) {
  const std::unique_lock watching(watch_mutex_, std::try_to_lock);
  if (!watching.owns_lock()) return;
  const LoadCounts now = CountLoads();
  const bool is_new = !(now == libraries_seen_);
  if (is_new) {
    libraries_ = LoadedLibraries(libraries_);
    libraries_seen_ = now;
  }
  if (cupti_.GetVersion == nullptr) {
    const auto is_cupti = [](const LoadedCode& part) { return part.path.find(kCupti) != std::string::npos; };
    if (!is_new || std::none_of(libraries_.begin(), libraries_.end(), is_cupti)) return;
    CuptiLibrary found = CuptiLibrary::IfLoaded(path);
    if (!found.loaded()) return;
    cupti_ = std::move(found);
  }
  watching_.store(this, std::memory_order_release);
  std::vector<ReplacedImport> imports = {
      Import("cuptiActivityRegisterCallbacks", cupti_.ActivityRegisterCallbacks, &OtherClient::RegisterCallbacks),
      Import("cuptiActivityRegisterTimestampCallback", cupti_.ActivityRegisterTimestampCallback,
             &OtherClient::RegisterClock),
      Import("cuptiActivityEnable", cupti_.ActivityEnable, &OtherClient::Enable),
      Import("cuptiActivityEnableAndDump", cupti_.ActivityEnableAndDump, &OtherClient::EnableAndDump),
      Import("cuptiActivityEnableContext", cupti_.ActivityEnableContext, &OtherClient::EnableContext),
      Import("cuptiActivityDisable", cupti_.ActivityDisable, &OtherClient::Disable),
      Import("cuptiActivityDisableContext", cupti_.ActivityDisableContext, &OtherClient::DisableContext),
      Import("cuptiActivityFlushAll", cupti_.ActivityFlushAll, &OtherClient::FlushAll),
      Import("cuptiSubscribe", cupti_.Subscribe, &OtherClient::Subscribe),
      Import("cuptiFinalize", cupti_.Finalize, &OtherClient::Finalize)};
  std::erase_if(imports, [](const ReplacedImport& import) { return import.meant == nullptr; });
  if (is_new) slots_.Find(libraries_, imports);
  slots_.Replace(imports);
}

bool OtherClient::TakeBack(uint64_t now_ns) {
  if (!claimed()) return false;
  const std::lock_guard lock(mutex_);
  const uint64_t quiet = collected_ ? kAfterCollectingNs : kWithoutCollectingNs;
  if (!enabled_.empty() || now_ns < called_ns_ + quiet) return false;
  claimed_.store(false, std::memory_order_release);
  return true;
}

// Its callbacks are registered here, whenever it gave them: it need not give them again for every profile that it makes.
void OtherClient::Claim(void* context, uint32_t kind, void* caller) {
  OtherClient* const client = watching_.load(std::memory_order_acquire);
  if (client == nullptr) return;
  try {
    const std::lock_guard lock(client->mutex_);
    client->enabled_.insert({context, kind});
    if (client->claimed_.exchange(true, std::memory_order_acq_rel)) return;
    client->on_claim_(NameOfCaller(caller));
    if (cupti_.ActivityRegisterTimestampCallback != nullptr)
      cupti_.ActivityRegisterTimestampCallback(client->clock_ == nullptr ? &RealtimeNs : client->clock_);
    if (client->requested_ != nullptr) cupti_.ActivityRegisterCallbacks(client->requested_, client->completed_);
  } catch (const std::exception&) {
    return;  // no memory
  }
}

bool OtherClient::IsClaimed() {
  const OtherClient* const client = watching_.load(std::memory_order_acquire);
  return client == nullptr || client->claimed();
}

void OtherClient::Release(void* context, uint32_t kind) {
  OtherClient* const client = watching_.load(std::memory_order_acquire);
  if (client == nullptr) return;
  const std::lock_guard lock(client->mutex_);
  client->enabled_.erase({context, kind});
  client->collected_ = false;
  client->called_ns_ = MonotonicNs();
}

int OtherClient::RegisterCallbacks(BufferRequested requested, BufferCompleted completed) {
  if (OtherClient* const client = watching_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(client->mutex_);
    client->requested_ = requested;
    client->completed_ = completed;
    if (!client->claimed()) return kSuccess;  // ours stay until it switches something on
  }
  return cupti_.ActivityRegisterCallbacks(requested, completed);
}

int OtherClient::RegisterClock(uint64_t (*clock)()) {
  if (OtherClient* const client = watching_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(client->mutex_);
    client->clock_ = clock;
    if (!client->claimed()) return kSuccess;
  }
  return cupti_.ActivityRegisterTimestampCallback(clock);
}

int OtherClient::Enable(uint32_t kind) {
  Claim(nullptr, kind, __builtin_return_address(0));
  return cupti_.ActivityEnable(kind);
}

int OtherClient::EnableAndDump(uint32_t kind) {
  Claim(nullptr, kind, __builtin_return_address(0));
  return cupti_.ActivityEnableAndDump(kind);
}

int OtherClient::EnableContext(void* context, uint32_t kind) {
  Claim(context, kind, __builtin_return_address(0));
  return cupti_.ActivityEnableContext(context, kind);
}

// What is on while CUPTI is ours is ours.
int OtherClient::Disable(uint32_t kind) {
  if (!IsClaimed()) return kSuccess;
  const int result = cupti_.ActivityDisable(kind);
  Release(nullptr, kind);
  return result;
}

int OtherClient::DisableContext(void* context, uint32_t kind) {
  if (!IsClaimed()) return kSuccess;
  const int result = cupti_.ActivityDisableContext(context, kind);
  Release(context, kind);
  return result;
}

int OtherClient::FlushAll(uint32_t flag) {
  const int result = cupti_.ActivityFlushAll(flag);
  if (OtherClient* const client = watching_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(client->mutex_);
    client->collected_ = true;
    client->called_ns_ = MonotonicNs();
  }
  return result;
}

void OtherClient::TellSubscription(void* caller) {
  OtherClient* const client = watching_.load(std::memory_order_acquire);
  if (client == nullptr) return;
  try {
    client->on_subscribe_(NameOfCaller(caller));
  } catch (const std::exception&) {
    return;  // no memory for the name: CUPTI says what it will
  }
}

int OtherClient::Subscribe(void** subscriber, Callback callback, void* user) {
  TellSubscription(__builtin_return_address(0));
  return cupti_.Subscribe(subscriber, callback, user);
}

// Takes every client out of CUPTI, ours too: what is claimed is given back to us in order.
int OtherClient::Finalize() {
  TellSubscription(__builtin_return_address(0));
  Claim(nullptr, 0, __builtin_return_address(0));
  const int result = cupti_.Finalize();
  if (OtherClient* const client = watching_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(client->mutex_);
    client->enabled_.clear();
    client->collected_ = true;
    client->called_ns_ = MonotonicNs();
  }
  return result;
}

}  // namespace warpsight::capture::cupti
