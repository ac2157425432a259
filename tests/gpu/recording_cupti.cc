// A CUPTI in front of NVIDIA's that keeps what NVIDIA's gives: `warpsight record --cupti librecording_cupti.so` hands it to
// the recorder in its place, and every completed buffer is also written to $WARPSIGHT_KEEP_BUFFERS, with the texts that its
// records point to. tests/record/replaying_cupti.cc gives such a file to the recorder where there is no GPU.
//
// file: for each buffer u32 bytes, u32 texts; the bytes; for each text u32 offset of the pointer in the buffer, u32 length,
// the text; then u32 0xFFFFFFFF and, for each name of a function that the records mention, u32 domain, u32 number, u32
// length, name. Little endian.
//
// build: g++ -std=c++20 -O2 -shared -fPIC -Isrc tests/gpu/recording_cupti.cc -o librecording_cupti.so -ldl
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/cupti_library.h"

namespace {

using namespace warpsight::capture::cupti;

void* Real(const char* name) {
  static void* const library = dlopen("libcupti.so.13", RTLD_NOW);
  static void* const older = library == nullptr ? dlopen("libcupti.so", RTLD_NOW) : nullptr;
  return dlsym(library == nullptr ? older : library, name);
}

std::mutex mutex;
FILE* file = nullptr;
BufferRequested requested = nullptr;
BufferCompleted completed = nullptr;
std::set<std::pair<uint32_t, uint32_t>> functions;

void Put(uint32_t number) { std::fwrite(&number, sizeof(number), 1, file); }
void Put(const std::string& text) {
  Put(static_cast<uint32_t>(text.size()));
  std::fwrite(text.data(), 1, text.size(), file);
}

size_t TextOf(ActivityKind kind) {
  if (kind == ActivityKind::kConcurrentKernel) return KernelFields::kName;
  return kind == ActivityKind::kDevice ? DeviceFields::kName : 0;
}

void Keep(uint8_t* buffer, size_t bytes) {
  const auto next = reinterpret_cast<int (*)(uint8_t*, size_t, uint8_t**)>(Real("cuptiActivityGetNextRecord"));
  std::string texts;
  uint32_t count = 0;
  const auto add = [&](uint32_t number) { texts.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  uint8_t* record = nullptr;
  while (next(buffer, bytes, &record) == kSuccess) {
    const auto kind = Field<ActivityKind>(record, 0);
    if (kind == ActivityKind::kRuntime || kind == ActivityKind::kDriver)
      functions.insert({kind == ActivityKind::kRuntime ? 2 : 1, Field<uint32_t>(record, CallFields::kCallback)});
    const size_t place = TextOf(kind);
    const char* const text = place == 0 ? nullptr : Field<const char*>(record, place);
    if (text == nullptr) continue;
    add(static_cast<uint32_t>(record - buffer + place));
    add(static_cast<uint32_t>(std::strlen(text)));
    texts += text;
    ++count;
  }
  Put(static_cast<uint32_t>(bytes));
  Put(count);
  std::fwrite(buffer, 1, bytes, file);
  std::fwrite(texts.data(), 1, texts.size(), file);
}

void OnCompleted(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid) {
  {
    const std::lock_guard lock(mutex);
    if (file == nullptr) file = std::fopen(std::getenv("WARPSIGHT_KEEP_BUFFERS"), "wb");
    if (file != nullptr && valid > 0) Keep(buffer, valid);
  }
  completed(context, stream, buffer, bytes, valid);
}

// At the end of the process.
struct Names {
  ~Names() {
    const std::lock_guard lock(mutex);
    if (file == nullptr) return;
    Put(0xFFFFFFFF);
    const auto name_of = reinterpret_cast<int (*)(uint32_t, uint32_t, const char**)>(Real("cuptiGetCallbackName"));
    for (const auto& [domain, number] : functions) {
      const char* name = nullptr;
      if (name_of(domain, number, &name) != kSuccess || name == nullptr) continue;
      Put(domain);
      Put(number);
      Put(std::string(name));
    }
    std::fclose(file);
    file = nullptr;
  }
} names;

}  // namespace

#define KEEP extern "C" __attribute__((visibility("default")))
#define PASS(name, parameters, arguments)                                      \
  KEEP int name parameters {                                                   \
    static const auto real = reinterpret_cast<int(*) parameters>(Real(#name)); \
    return real == nullptr ? -1 : real arguments;                              \
  }

KEEP int cuptiActivityRegisterCallbacks(BufferRequested on_request, BufferCompleted on_complete) {
  requested = on_request;
  completed = on_complete;
  return reinterpret_cast<int (*)(BufferRequested, BufferCompleted)>(Real("cuptiActivityRegisterCallbacks"))(requested,
                                                                                                             OnCompleted);
}
PASS(cuptiGetVersion, (uint32_t * version), (version))
PASS(cuptiActivityEnable, (uint32_t kind), (kind))
PASS(cuptiActivityEnableAndDump, (uint32_t kind), (kind))
PASS(cuptiActivityDisable, (uint32_t kind), (kind))
PASS(cuptiActivityFlushAll, (uint32_t flag), (flag))
PASS(cuptiActivityFlushPeriod, (uint32_t period), (period))
PASS(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t bytes, uint8_t** record), (buffer, bytes, record))
PASS(cuptiActivityGetNumDroppedRecords, (void* context, uint32_t stream, size_t* count), (context, stream, count))
PASS(cuptiGetCallbackName, (uint32_t domain, uint32_t number, const char** name), (domain, number, name))
PASS(cuptiGetResultString, (int result, const char** text), (result, text))
PASS(cuptiActivityRegisterTimestampCallback, (uint64_t(*clock)()), (clock))
PASS(cuptiActivityEnableCudaEventDeviceTimestamps, (uint8_t enable), (enable))
PASS(cuptiSetThreadIdType, (uint32_t type), (type))
PASS(cuptiActivityEnableRuntimeApi, (uint32_t number, uint8_t enable), (number, enable))
PASS(cuptiActivityEnableDriverApi, (uint32_t number, uint8_t enable), (number, enable))
PASS(cuptiSubscribe, (void** subscriber, Callback callback, void* user), (subscriber, callback, user))
PASS(cuptiUnsubscribe, (void* subscriber), (subscriber))
PASS(cuptiEnableCallback, (uint32_t enable, void* subscriber, uint32_t domain, uint32_t number),
     (enable, subscriber, domain, number))
PASS(cuptiGetGraphNodeId, (void* node, uint64_t* id), (node, id))
