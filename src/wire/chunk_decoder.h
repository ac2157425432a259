// DecodeChunk: reads the raw bytes of one chunk and hands its records to a receiver.
//
// Place in the flow: capture file -> this -> formats/native. The bytes may be anything: a record that does not read, a text
// or shape that was not defined, ends the chunk, and the answer says where. Threads: pure, but for the receiver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire/capture_layout.h"
#include "wire/records.h"

namespace warpsight::wire {

// Takes the records in the order of the chunk. Texts are borrowed from the chunk's bytes.
class RecordReceiver {
 public:
  virtual ~RecordReceiver() = default;
  // Before each record below: where it stands in the chunk.
  virtual void At(size_t offset) = 0;
  virtual void Take(const KernelRecord& record) = 0;
  virtual void Take(const CopyRecord& record) = 0;
  virtual void Take(const SetRecord& record) = 0;
  virtual void Take(const CallRecord& record) = 0;
  virtual void Take(const SyncRecord& record) = 0;
  virtual void Take(const CudaEventRecord& record) = 0;
  virtual void Take(const OverheadRecord& record) = 0;
  virtual void Take(const GraphRecord& record) = 0;
  virtual void Take(const LibraryCallRecord& record) = 0;
  virtual void Take(const NameRecord& record) = 0;
  virtual void Take(const ProcessRecord& record) = 0;
  virtual void Take(const DeviceRecord& record) = 0;
  virtual void Take(const ClockRecord& record) = 0;
  virtual void Take(const CountRecord& record) = 0;
  virtual void Take(const CounterRecord& record) = 0;
  virtual void Take(const SampleRecord& record) = 0;
  virtual void Take(const GraphNodeRecord& record) = 0;
  virtual void Take(const ThreadSwitchRecord& record) = 0;
  // The next frame: they are numbered from 1 in the order in which they come. A parent came before.
  virtual void TakeFrame(const FrameRecord& record) = 0;
  virtual void TakePush(const RangeText& text, uint64_t time_ns) = 0;
  virtual void TakePop(uint32_t thread, std::string_view domain, uint64_t time_ns) = 0;
  virtual void TakeStart(const RangeText& text, uint64_t id, uint64_t time_ns) = 0;
  virtual void TakeEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) = 0;
  virtual void TakeMark(const RangeText& text, uint64_t time_ns) = 0;
  // Of a device that was taken before (its record has no UUID then).
  virtual void TakeUuid(uint32_t device, const std::array<uint8_t, 16>& uuid) = 0;
  virtual void TakeFinish() = 0;
};

struct DecodedChunk {
  bool whole = true;
  size_t bad_at = 0;  // when not whole: the byte of the record that does not read
};

DecodedChunk DecodeChunk(std::span<const uint8_t> raw, uint64_t base_ns, RecordReceiver& receiver);

}  // namespace warpsight::wire
