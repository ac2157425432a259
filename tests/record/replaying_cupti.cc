// A CUPTI that gives the recorder the buffers of a real one, byte by byte, as tests/gpu/recording_cupti.cc kept them on a
// machine with a GPU. They are handed over when everything is flushed; their times are moved so that the first is now.
//
// file (KEPT_BUFFERS in the environment): see tests/gpu/recording_cupti.cc
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/cupti/cupti_abi.h"
#include "capture/cupti/cupti_library.h"

namespace {

using namespace warpsight::capture::cupti;

// Sizes of the records of CUPTI 13, with which the buffers were kept (cupti_activity.h).
size_t SizeOf(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kConcurrentKernel:
      return 216;
    case ActivityKind::kMemcpy:
    case ActivityKind::kPeerMemcpy:
      return 96;
    case ActivityKind::kMemset:
      return 88;
    case ActivityKind::kRuntime:
    case ActivityKind::kDriver:
      return 40;
    case ActivityKind::kSynchronization:
    case ActivityKind::kOverhead:
    case ActivityKind::kGraphTrace:
    case ActivityKind::kCudaEvent:
      return 56;
    case ActivityKind::kDevice:
      return 184;
  }
  return 0;
}

// Where a record's first time stands; the second stands 8 bytes behind it, if there are two. 0 = it has none.
size_t TimesOf(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kConcurrentKernel:
      return KernelFields::kStart;
    case ActivityKind::kMemcpy:
    case ActivityKind::kPeerMemcpy:
      return CopyFields::kStart;
    case ActivityKind::kMemset:
      return SetFields::kStart;
    case ActivityKind::kRuntime:
    case ActivityKind::kDriver:
      return CallFields::kStart;
    case ActivityKind::kSynchronization:
      return SyncFields::kStart;
    case ActivityKind::kOverhead:
      return OverheadFields::kStart;
    case ActivityKind::kGraphTrace:
      return GraphFields::kStart;
    case ActivityKind::kCudaEvent:
      return CudaEventFields::kTime;
    case ActivityKind::kDevice:
      return 0;
  }
  return 0;
}

size_t CountOfTimes(ActivityKind kind) {
  if (TimesOf(kind) == 0) return 0;
  return kind == ActivityKind::kCudaEvent ? 1 : 2;
}

struct KeptText {
  uint32_t offset;
  std::string text;
};
struct KeptBuffer {
  std::vector<uint8_t> bytes;
  std::vector<KeptText> texts;
};
struct Kept {
  std::vector<KeptBuffer> buffers;
  std::map<std::pair<uint32_t, uint32_t>, std::string> functions;
};

class Reading {
 public:
  explicit Reading(const char* path) : file_(path, std::ios::binary) {}
  bool more() { return file_.peek() != std::ifstream::traits_type::eof(); }
  uint32_t Number() {
    uint32_t number = 0;
    file_.read(reinterpret_cast<char*>(&number), sizeof(number));
    return number;
  }
  template <typename Bytes>
  Bytes Take(size_t size) {
    Bytes bytes(size, 0);
    file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    return bytes;
  }

 private:
  std::ifstream file_;
};

Kept ReadKept() {
  Kept kept;
  Reading in(std::getenv("KEPT_BUFFERS"));
  while (in.more()) {
    const uint32_t bytes = in.Number();
    if (bytes == 0xFFFFFFFF) break;
    const uint32_t texts = in.Number();
    KeptBuffer& buffer = kept.buffers.emplace_back();
    buffer.bytes = in.Take<std::vector<uint8_t>>(bytes);
    for (uint32_t i = 0; i < texts; ++i) {
      const uint32_t offset = in.Number();
      buffer.texts.push_back({offset, in.Take<std::string>(in.Number())});
    }
  }
  while (in.more()) {
    const uint32_t domain = in.Number();
    const uint32_t number = in.Number();
    kept.functions[{domain, number}] = in.Take<std::string>(in.Number());
  }
  return kept;
}

const Kept& TheKept() {
  static const Kept kept = ReadKept();
  return kept;
}

BufferRequested requested = nullptr;
BufferCompleted completed = nullptr;
uint64_t (*recorders_clock)() = nullptr;
bool given = false;

template <typename Visit>
void ForEachRecord(uint8_t* bytes, size_t size, const Visit& visit) {
  for (size_t at = 0; at < size;) {
    const auto kind = Field<ActivityKind>(bytes + at, 0);
    if (SizeOf(kind) == 0) return;
    visit(bytes + at, kind);
    at += SizeOf(kind);
  }
}

uint64_t FirstTime(const Kept& kept) {
  uint64_t first = ~uint64_t{0};
  for (const KeptBuffer& buffer : kept.buffers) {
    std::vector<uint8_t> bytes = buffer.bytes;
    ForEachRecord(bytes.data(), bytes.size(), [&](const uint8_t* record, ActivityKind kind) {
      const uint64_t time = TimesOf(kind) == 0 ? 0 : Field<uint64_t>(record, TimesOf(kind));
      if (time != 0) first = std::min(first, time);
    });
  }
  return first;
}

void Give(const KeptBuffer& buffer, uint64_t moved_by) {
  uint8_t* to = nullptr;
  size_t room = 0;
  size_t most_records = 0;
  requested(&to, &room, &most_records);
  if (to == nullptr || room < buffer.bytes.size()) return;
  std::memcpy(to, buffer.bytes.data(), buffer.bytes.size());
  for (const KeptText& text : buffer.texts) {
    const char* const place = text.text.c_str();
    std::memcpy(to + text.offset, &place, sizeof(place));
  }
  ForEachRecord(to, buffer.bytes.size(), [&](uint8_t* record, ActivityKind kind) {
    for (size_t i = 0; i < CountOfTimes(kind); ++i) {
      auto time = Field<uint64_t>(record, TimesOf(kind) + 8 * i);
      if (time != 0) time += moved_by;
      std::memcpy(record + TimesOf(kind) + 8 * i, &time, sizeof(time));
    }
  });
  completed(nullptr, 0, to, room, buffer.bytes.size());
}

}  // namespace

#define REPLAYING extern "C" __attribute__((visibility("default")))

REPLAYING int cuptiGetVersion(uint32_t* version) {
  *version = 130001;
  return 0;
}
REPLAYING int cuptiActivityRegisterCallbacks(BufferRequested on_request, BufferCompleted on_complete) {
  requested = on_request;
  completed = on_complete;
  return 0;
}
REPLAYING int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)()) {
  recorders_clock = clock;
  return 0;
}
REPLAYING int cuptiActivityEnable(uint32_t /*kind*/) { return 0; }
REPLAYING int cuptiActivityDisable(uint32_t /*kind*/) { return 0; }
REPLAYING int cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t /*enable*/) { return 0; }
REPLAYING int cuptiActivityFlushAll(uint32_t flag) {
  if (flag != kFlushForced || given || requested == nullptr) return 0;
  given = true;
  const uint64_t moved_by = (recorders_clock == nullptr ? 0 : recorders_clock()) - FirstTime(TheKept());
  for (const KeptBuffer& buffer : TheKept().buffers) Give(buffer, moved_by);
  return 0;
}
REPLAYING int cuptiActivityGetNextRecord(uint8_t* bytes, size_t valid, uint8_t** record) {
  uint8_t* const next = *record == nullptr ? bytes : *record + SizeOf(Field<ActivityKind>(*record, 0));
  if (next >= bytes + valid) return kMaxLimitReached;
  *record = next;
  return 0;
}
REPLAYING int cuptiActivityGetNumDroppedRecords(void* /*context*/, uint32_t /*stream*/, size_t* dropped) {
  *dropped = 0;
  return 0;
}
REPLAYING int cuptiGetCallbackName(uint32_t domain, uint32_t number, const char** name) {
  const auto found = TheKept().functions.find({domain, number});
  if (found == TheKept().functions.end()) return 1;
  *name = found->second.c_str();
  return 0;
}
REPLAYING int cuptiGetResultString(int /*result*/, const char** text) {
  *text = "ERROR";
  return 0;
}
