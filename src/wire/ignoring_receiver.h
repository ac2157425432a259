// A receiver that takes nothing: the base of those that look for one kind of record. Threads: plain data.
#pragma once

#include "wire/chunk_decoder.h"

namespace warpsight::wire {

class IgnoringReceiver : public RecordReceiver {
 public:
  void At(size_t /*offset*/) override {}
  void Take(const KernelRecord& /*record*/) override {}
  void Take(const CopyRecord& /*record*/) override {}
  void Take(const SetRecord& /*record*/) override {}
  void Take(const CallRecord& /*record*/) override {}
  void Take(const SyncRecord& /*record*/) override {}
  void Take(const CudaEventRecord& /*record*/) override {}
  void Take(const OverheadRecord& /*record*/) override {}
  void Take(const GraphRecord& /*record*/) override {}
  void Take(const LibraryCallRecord& /*record*/) override {}
  void Take(const NameRecord& /*record*/) override {}
  void Take(const ProcessRecord& /*record*/) override {}
  void Take(const DeviceRecord& /*record*/) override {}
  void Take(const ClockRecord& /*record*/) override {}
  void Take(const CountRecord& /*record*/) override {}
  void Take(const CounterRecord& /*record*/) override {}
  void Take(const SampleRecord& /*record*/) override {}
  void Take(const GraphNodeRecord& /*record*/) override {}
  void Take(const ThreadSwitchRecord& /*record*/) override {}
  void TakeFrame(const FrameRecord& /*record*/) override {}
  void TakePush(const RangeText& /*text*/, uint64_t /*time_ns*/) override {}
  void TakePop(uint32_t /*thread*/, std::string_view /*domain*/, uint64_t /*time_ns*/) override {}
  void TakeStart(const RangeText& /*text*/, uint64_t /*id*/, uint64_t /*time_ns*/) override {}
  void TakeEnd(uint32_t /*thread*/, std::string_view /*domain*/, uint64_t /*id*/, uint64_t /*time_ns*/) override {}
  void TakeMark(const RangeText& /*text*/, uint64_t /*time_ns*/) override {}
  void TakeUuid(uint32_t /*device*/, const std::array<uint8_t, 16>& /*uuid*/) override {}
  void TakeFinish() override {}
};

}  // namespace warpsight::wire
