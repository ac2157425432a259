// PacketWriter: the packets of a Perfetto trace, one after the other into an OutputBuffer.
//
// Events are nearly all of a file, so they are written straight into the buffer: texts only by number, lengths in two bytes
// (protobuf allows a length to be longer than it must be), so that nothing is moved when the length is known. Descriptors
// and interned texts are made with protozero. All packets are of one sequence, whose first one clears its state.
// Times: int64 ns moved by `shift`, since the format knows none before 0; what then leaves 63 bits lies at their end.
// Threads: one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "export/output_buffer.h"
#include "export/perfetto/perfetto_fields.h"

namespace warpsight::perfetto {

// The texts that annotations and categories begin with, by number.
enum class Category : uint32_t {
  kOp = 1,
  kRange,
  kApi,
  kOverhead,
  kOther,
  kRecording,
  kPython,
  kKernel,
  kMemcpy,
  kMemset,
  kGpuRange,
  kGpuSync,
  kGpuOther,
  kInstant,
  kEnd,
};

enum class Annotation : uint32_t {
  kCorrelation = 1,
  kExternalId,
  kShapes,
  kTypes,
  kSequence,
  kForwardThread,
  kStream,
  kContext,
  kBytes,
  kGrid,
  kBlock,
  kRegisters,
  kStaticShared,
  kDynamicShared,
  kShared,
  kOccupancy,
  kGraph,
  kGraphNode,
  kCopyKind,
  kSourceMemory,
  kDestinationMemory,
  kCollective,
  kDtype,
  kGroup,
  kRanks,
  kInElements,
  kOutElements,
  kGroupSize,
  kRank,
  kPhase,
  kEnd,
};

std::string_view CategoryName(Category category);
std::string_view AnnotationName(Annotation annotation);

// Varints take up to 10 bytes; up to 8 bytes may be written behind their end.
inline char* WriteVarint(char* at, uint64_t value) {
  if (value < 0x80) {
    *at = static_cast<char>(value);
    return at + 1;
  }
  if (value < uint64_t{1} << 56U) {
    // Groups of 7 bits to bytes, in three steps, and the mark that more follows in all but the last.
    const auto bytes = static_cast<unsigned>((70 - std::countl_zero(value)) / 7);
    uint64_t spread = (value & 0x00FFFFFFF0000000) << 4U | (value & 0x000000000FFFFFFF);
    spread = (spread & 0x0FFFC0000FFFC000) << 2U | (spread & 0x00003FFF00003FFF);
    spread = (spread & 0x3F803F803F803F80) << 1U | (spread & 0x007F007F007F007F);
    spread |= 0x8080808080808080 & ((uint64_t{1} << 8U * (bytes - 1)) - 1);
    std::memcpy(at, &spread, sizeof(spread));
    return at + bytes;
  }
  for (; value >= 0x80; value >>= 7U) *at++ = static_cast<char>(value | 0x80U);
  *at = static_cast<char>(value);
  return at + 1;
}

// Wire types.
inline constexpr uint32_t kVarintType = 0;
inline constexpr uint32_t kFixed64Type = 1;
inline constexpr uint32_t kBytesType = 2;

inline char* WriteTag(char* at, uint32_t field, uint32_t wire_type) { return WriteVarint(at, field << 3U | wire_type); }

class PacketWriter;

// One event while it is written. The order of the calls is free; End() is the last one.
class EventWriter {
 public:
  void Category(perfetto::Category category) { Field(event::kCategoryIids, static_cast<uint32_t>(category)); }
  void Name(uint64_t iid) { Field(event::kNameIid, iid); }
  void Flow(uint64_t id) { Fixed(event::kFlowIds, id); }
  void FlowEnd(uint64_t id) { Fixed(event::kTerminatingFlowIds, id); }
  void Integer(Annotation name, int64_t value) { Annotate(name, annotation::kInteger, static_cast<uint64_t>(value)); }
  void Unsigned(Annotation name, uint64_t value) { Annotate(name, annotation::kUnsigned, value); }
  void Text(Annotation name, uint64_t iid) { Annotate(name, annotation::kStringIid, iid); }
  void CounterValue(int64_t value) { Field(event::kCounterValue, static_cast<uint64_t>(value)); }
  void CounterValue(double value) { Fixed(event::kDoubleCounterValue, std::bit_cast<uint64_t>(value)); }
  void End();

 private:
  friend class PacketWriter;
  explicit EventWriter(OutputBuffer& out) : out_(out) {}

  // Plain pointers, so that what is written through them can't be taken for a change of the members.
  void Field(uint32_t field, uint64_t value) { at_ = WriteVarint(WriteTag(at_, field, kVarintType), value); }
  void Fixed(uint32_t field, uint64_t value) {
    char* const at = WriteTag(at_, field, kFixed64Type);
    std::memcpy(at, &value, sizeof(value));
    at_ = at + sizeof(value);
  }
  // Names and values are short: the length is one byte.
  void Annotate(Annotation name, uint32_t field, uint64_t value) {
    char* const length = WriteTag(at_, event::kDebugAnnotations, kBytesType);
    char* at = WriteTag(length + 1, annotation::kNameIid, kVarintType);
    *at++ = static_cast<char>(name);
    at = WriteVarint(WriteTag(at, field, kVarintType), value);
    *length = static_cast<char>(at - length - 1);
    at_ = at;
  }

  OutputBuffer& out_;
  char* at_ = nullptr;
  char* packet_ = nullptr;  // behind the two bytes of its length
  char* event_ = nullptr;
};

class PacketWriter {
 public:
  // Flows that one event may have, so that its packet's length fits two bytes.
  static constexpr size_t kMostFlows = 1024;
  // Of an event; two bytes of a length say no more.
  static constexpr size_t kMostPacket = size_t{16} << 10;

  PacketWriter(OutputBuffer& out, Ns shift);

  bool stopped() const { return out_.stopped(); }
  uint64_t Time(Ns time) const;

  // The packet that begins the sequence, with all categories and annotation names.
  void BeginSequence();
  // Says which wall clock time `time` is.
  void ClockSnapshot(Ns time, Ns wall_ns);
  // A packet with this TrackDescriptor, serialised.
  void Track(std::string_view descriptor);
  void Intern(uint32_t index, uint64_t iid, std::string_view text);

  // An event of a type (kSliceBegin, ...) on a track. It must be ended before the next packet begins.
  EventWriter& Event(uint32_t type, uint64_t track, Ns time);
  void SliceEnd(uint64_t track, Ns time);

 private:
  void Packet(std::string_view packet);

  OutputBuffer& out_;
  Ns shift_;
  EventWriter event_;
};

inline void EventWriter::End() {
  char* const at = at_;
  const auto write_length = [at](char* behind) {
    const auto length = static_cast<size_t>(at - behind);
    behind[-2] = static_cast<char>(length | 0x80U);
    behind[-1] = static_cast<char>(length >> 7U);
  };
  write_length(event_);
  write_length(packet_);
  out_.Took(at);
}

inline uint64_t PacketWriter::Time(Ns time) const {
  const Ns moved = SaturatingAdd(time, shift_);
  return moved < 0 ? 0 : static_cast<uint64_t>(moved);
}

inline EventWriter& PacketWriter::Event(uint32_t type, uint64_t track, Ns time) {
  const uint64_t moved = Time(time);
  char* at = WriteTag(out_.Room(kMostPacket), kTracePacket, kBytesType) + 2;
  char* const packet = at;
  at = WriteVarint(WriteTag(at, packet::kTimestamp, kVarintType), moved);
  at = WriteVarint(WriteTag(at, packet::kSequenceId, kVarintType), 1);
  at = WriteVarint(WriteTag(at, packet::kSequenceFlags, kVarintType), kNeedsIncrementalState);
  at = WriteTag(at, packet::kTrackEvent, kBytesType) + 2;
  char* const event = at;
  at = WriteVarint(WriteTag(at, event::kType, kVarintType), type);
  at = WriteVarint(WriteTag(at, event::kTrackUuid, kVarintType), track);
  event_.packet_ = packet;
  event_.event_ = event;
  event_.at_ = at;
  return event_;
}

inline void PacketWriter::SliceEnd(uint64_t track, Ns time) { Event(kSliceEnd, track, time).End(); }

}  // namespace warpsight::perfetto
