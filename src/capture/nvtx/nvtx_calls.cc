#include "capture/nvtx/nvtx_calls.h"

#include <cwchar>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/call_follower.h"
#include "capture/nvtx/nvtx_abi.h"
#include "capture/session.h"

namespace warpsight::capture::nvtx {
namespace {

// What pushes and pops answer when they are not followed: NVTX's own answer without a tool.
constexpr int kNotFollowed = -2;

// NCCL marks each of its functions with a range. Where the call itself is recorded, with its sizes, it stands for both.
constexpr std::string_view kNcclDomain = "NCCL";
bool IsRecordedAsCall(const RangeDomain* domain) { return domain != nullptr && domain->is_nccl && IsInsideNcclCall(); }

// UTF-8 of a wide text, whose characters are code points here; empty when there is no memory for it.
std::string Narrow(const wchar_t* text) try {
  std::string narrow;
  for (; text != nullptr && *text != 0; ++text) {
    const auto c = static_cast<uint32_t>(std::char_traits<wchar_t>::to_int_type(*text));
    if (c < 0x80) {
      narrow += static_cast<char>(c);
    } else if (c < 0x800) {
      narrow += static_cast<char>(0xC0 | c >> 6);
      narrow += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      narrow += static_cast<char>(0xE0 | c >> 12);
      narrow += static_cast<char>(0x80 | (c >> 6 & 0x3F));
      narrow += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      narrow += static_cast<char>(0xF0 | (c >> 18 & 7));
      narrow += static_cast<char>(0x80 | (c >> 12 & 0x3F));
      narrow += static_cast<char>(0x80 | (c >> 6 & 0x3F));
      narrow += static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  return narrow;
} catch (const std::exception&) {
  return {};
}

// Domains and registered texts live until the process ends: the program and blocks not yet written point to them.
struct Kept {
  std::mutex mutex;
  std::vector<std::unique_ptr<RangeDomain>> domains;
  std::vector<std::unique_ptr<std::string>> texts;
};
Kept& KeptOfProcess() {
  static auto* kept = new Kept;
  return *kept;
}

const RangeDomain* MakeDomain(std::string_view name) {
  try {
    Kept& kept = KeptOfProcess();
    const std::lock_guard lock(kept.mutex);
    return kept.domains.emplace_back(std::make_unique<RangeDomain>(RangeDomain{std::string(name), name == kNcclDomain}))
        .get();
  } catch (const std::exception&) {
    return nullptr;
  }
}

const std::string* RegisterText(std::string text) {
  try {
    Kept& kept = KeptOfProcess();
    const std::lock_guard lock(kept.mutex);
    return kept.texts.emplace_back(std::make_unique<std::string>(std::move(text))).get();
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::string_view OrEmpty(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

// Copies the payload of an event. False when it is one of NVTX's extensions: structures that lie elsewhere.
bool TakePayload(const EventAttributes& attributes, RangeEvent& event) {
  using wire::PayloadKind;
  event.payload = attributes.payload;
  switch (static_cast<PayloadType>(attributes.payload_type)) {
    case PayloadType::kNone:
      event.payload = 0;
      return true;
    case PayloadType::kUint32:
      event.payload = static_cast<uint32_t>(attributes.payload);
      event.payload_kind = PayloadKind::kUnsigned;
      return true;
    case PayloadType::kUint64:
      event.payload_kind = PayloadKind::kUnsigned;
      return true;
    case PayloadType::kInt32:
      event.payload = static_cast<uint64_t>(int64_t{static_cast<int32_t>(attributes.payload)});
      event.payload_kind = PayloadKind::kSigned;
      return true;
    case PayloadType::kInt64:
      event.payload_kind = PayloadKind::kSigned;
      return true;
    case PayloadType::kDouble:
      event.payload_kind = PayloadKind::kDouble;
      return true;
    case PayloadType::kFloat:
      event.payload = static_cast<uint32_t>(attributes.payload);
      event.payload_kind = PayloadKind::kFloat;
      return true;
  }
  event.payload = 0;
  return false;
}

// Hands an event to the session.
void AddEvent(RangeEventKind kind, const RangeDomain* domain, const EventAttributes* attributes, uint64_t id) {
  Session* session = Session::IfRunning();
  if (session == nullptr) return;
  RangeEvent event = EventNow(kind, domain, id);
  if (attributes == nullptr) return session->AddRange(event, {});
  event.category = attributes->category;
  event.color = attributes->color_type == 1 ? attributes->color : 0;
  if (!TakePayload(*attributes, event)) session->CountLeftOutPayload();
  switch (attributes->message_type) {
    case 1:
      return session->AddRange(event, OrEmpty(attributes->message.ascii));
    case 2:
      return session->AddRange(event, Narrow(attributes->message.wide));
    case 3: {
      const auto* text = static_cast<const std::string*>(attributes->message.registered);
      return session->AddRange(event, text == nullptr ? std::string_view() : std::string_view(*text));
    }
    default:
      return session->AddRange(event, {});
  }
}

void AddText(RangeEventKind kind, std::string_view text, uint64_t id = 0) {
  Session* session = Session::IfRunning();
  if (session == nullptr) return;
  session->AddRange(EventNow(kind, nullptr, id), text);
}

uint64_t NextRangeId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// Depth of the pushed ranges of this thread, over all domains: NVTX answers pushes and pops with it.
int Push() { return OpenRangesOfThread().nvtx++; }
int Pop() {
  int& depth = OpenRangesOfThread().nvtx;
  return depth > 0 ? --depth : kNotFollowed;
}

void MarkEx(const EventAttributes* attributes) { AddEvent(RangeEventKind::kMark, nullptr, attributes, 0); }
void MarkA(const char* text) { AddText(RangeEventKind::kMark, OrEmpty(text)); }
void MarkW(const wchar_t* text) { AddText(RangeEventKind::kMark, Narrow(text)); }
uint64_t RangeStartEx(const EventAttributes* attributes) {
  const uint64_t id = NextRangeId();
  AddEvent(RangeEventKind::kStart, nullptr, attributes, id);
  return id;
}
uint64_t RangeStartA(const char* text) {
  const uint64_t id = NextRangeId();
  AddText(RangeEventKind::kStart, OrEmpty(text), id);
  return id;
}
uint64_t RangeStartW(const wchar_t* text) {
  const uint64_t id = NextRangeId();
  AddText(RangeEventKind::kStart, Narrow(text), id);
  return id;
}
void RangeEnd(uint64_t id) { AddText(RangeEventKind::kEnd, {}, id); }
int RangePushEx(const EventAttributes* attributes) {
  AddEvent(RangeEventKind::kPush, nullptr, attributes, 0);
  return Push();
}
int RangePushA(const char* text) {
  AddText(RangeEventKind::kPush, OrEmpty(text));
  return Push();
}
int RangePushW(const wchar_t* text) {
  AddText(RangeEventKind::kPush, Narrow(text));
  return Push();
}
int RangePop() {
  AddText(RangeEventKind::kPop, {});
  return Pop();
}
void NameCategoryA(uint32_t category, const char* name) {
  if (Session* session = Session::IfRunning()) session->AddName({wire::NameKind::kCategory, category, OrEmpty(name)});
}
void NameOsThreadA(uint32_t thread, const char* name) {
  if (Session* session = Session::IfRunning()) session->AddName({wire::NameKind::kThread, thread, OrEmpty(name)});
}

void DomainMarkEx(const RangeDomain* domain, const EventAttributes* attributes) {
  AddEvent(RangeEventKind::kMark, domain, attributes, 0);
}
uint64_t DomainRangeStartEx(const RangeDomain* domain, const EventAttributes* attributes) {
  const uint64_t id = NextRangeId();
  AddEvent(RangeEventKind::kStart, domain, attributes, id);
  return id;
}
void DomainRangeEnd(const RangeDomain* domain, uint64_t id) { AddEvent(RangeEventKind::kEnd, domain, nullptr, id); }
int DomainRangePushEx(const RangeDomain* domain, const EventAttributes* attributes) {
  if (!IsRecordedAsCall(domain)) AddEvent(RangeEventKind::kPush, domain, attributes, 0);
  return Push();
}
int DomainRangePop(const RangeDomain* domain) {
  if (!IsRecordedAsCall(domain)) AddEvent(RangeEventKind::kPop, domain, nullptr, 0);
  return Pop();
}
void DomainNameCategoryA(const RangeDomain* domain, uint32_t category, const char* name) {
  if (domain == nullptr) return NameCategoryA(category, name);
  if (Session* session = Session::IfRunning())
    session->AddName({wire::NameKind::kDomainCategory, category, OrEmpty(name), domain->name});
}
const std::string* DomainRegisterStringA(const RangeDomain* /*domain*/, const char* text) {
  return RegisterText(std::string(OrEmpty(text)));
}
const std::string* DomainRegisterStringW(const RangeDomain* /*domain*/, const wchar_t* text) {
  return RegisterText(Narrow(text));
}
const RangeDomain* DomainCreateA(const char* name) { return MakeDomain(OrEmpty(name)); }
const RangeDomain* DomainCreateW(const wchar_t* name) { return MakeDomain(Narrow(name)); }
void DomainDestroy(const RangeDomain* /*domain*/) {}

struct Replacement {
  uint32_t number;
  AnyFunction function;
};

template <typename Number, typename Function>
Replacement Replace(Number number, Function function) {
  return {static_cast<uint32_t>(number), reinterpret_cast<AnyFunction>(function)};
}

template <size_t kCount>
bool TakeOverModule(const CallbacksTable& callbacks, Module module, const Replacement (&replacements)[kCount]) {
  AnyFunction** table = nullptr;
  unsigned int size = 0;
  if (callbacks.GetModuleFunctionTable(static_cast<uint32_t>(module), &table, &size) == 0 || table == nullptr) return false;
  for (const Replacement& replacement : replacements) {
    if (replacement.number < size && table[replacement.number] != nullptr) *table[replacement.number] = replacement.function;
  }
  return true;
}

}  // namespace

void LockForFork() { KeptOfProcess().mutex.lock(); }
void UnlockAfterFork() { KeptOfProcess().mutex.unlock(); }

bool TakeOver(const void* (*export_table)(uint32_t number)) {
  const auto* callbacks = static_cast<const CallbacksTable*>(export_table(kCallbacksTable));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(CallbacksTable)) return false;
  static const Replacement kCore[] = {
      Replace(CoreCall::kMarkEx, MarkEx),
      Replace(CoreCall::kMarkA, MarkA),
      Replace(CoreCall::kMarkW, MarkW),
      Replace(CoreCall::kRangeStartEx, RangeStartEx),
      Replace(CoreCall::kRangeStartA, RangeStartA),
      Replace(CoreCall::kRangeStartW, RangeStartW),
      Replace(CoreCall::kRangeEnd, RangeEnd),
      Replace(CoreCall::kRangePushEx, RangePushEx),
      Replace(CoreCall::kRangePushA, RangePushA),
      Replace(CoreCall::kRangePushW, RangePushW),
      Replace(CoreCall::kRangePop, RangePop),
      Replace(CoreCall::kNameCategoryA, NameCategoryA),
      Replace(CoreCall::kNameOsThreadA, NameOsThreadA),
  };
  static const Replacement kCore2[] = {
      Replace(Core2Call::kDomainMarkEx, DomainMarkEx),
      Replace(Core2Call::kDomainRangeStartEx, DomainRangeStartEx),
      Replace(Core2Call::kDomainRangeEnd, DomainRangeEnd),
      Replace(Core2Call::kDomainRangePushEx, DomainRangePushEx),
      Replace(Core2Call::kDomainRangePop, DomainRangePop),
      Replace(Core2Call::kDomainNameCategoryA, DomainNameCategoryA),
      Replace(Core2Call::kDomainRegisterStringA, DomainRegisterStringA),
      Replace(Core2Call::kDomainRegisterStringW, DomainRegisterStringW),
      Replace(Core2Call::kDomainCreateA, DomainCreateA),
      Replace(Core2Call::kDomainCreateW, DomainCreateW),
      Replace(Core2Call::kDomainDestroy, DomainDestroy),
  };
  const bool core = TakeOverModule(*callbacks, Module::kCore, kCore);
  return TakeOverModule(*callbacks, Module::kCore2, kCore2) || core;
}

}  // namespace warpsight::capture::nvtx
