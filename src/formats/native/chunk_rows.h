// ChunkRows: the records of one chunk as rows of a trace, and what can only be settled with the other chunks at hand.
//
// Place in the flow: chunk -> DecodeChunk -> this -> join_chunks. Chunks are read side by side, each by one worker; a
// worker's chunks share its names. A row's source is (number of the chunk << 24 | place of the record in the inflated
// chunk). Errors: in the shard's log. Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "formats/range_texts.h"
#include "trace/trace_builder.h"
#include "wire/chunk_decoder.h"

namespace warpsight::native {

// A process as a file knows it: its number, and which of several sessions of that number.
struct ProcessId {
  uint32_t process = 0;
  uint32_t session = 0;
  friend bool operator<(const ProcessId& a, const ProcessId& b) {
    return std::tie(a.process, a.session) < std::tie(b.process, b.session);
  }
};

// A worker's names.
struct WorkerNames {
  std::shared_ptr<LocalNames> names = std::make_shared<LocalNames>();
  std::unordered_map<std::string, StringId, TextHash, std::equal_to<>> readable_names;  // by the name as recorded
  std::unordered_map<uint64_t, ThreadIndex> threads[2];  // by process << 32 | thread; [1]: of start/end ranges
  std::vector<wire::Place> places;                       // by StreamIndex: what it was made of
};

using Uuid = std::array<uint8_t, 16>;

// Where the source of a row leads.
struct RecordPlace {
  uint64_t chunk = 0;  // its number in the file
  size_t offset = 0;   // of the record in the inflated chunk
};
RecordPlace PlaceOfSource(uint64_t source);

// One end of a pushed or started range.
struct RangeEnd {
  Ns time_ns = 0;
  uint64_t id = 0;  // 0 = pushed and popped
  uint32_t thread = 0;
  uint32_t domain = 0;      // index into ChunkRows::domains
  uint32_t host_row = ~0u;  // begins: index into the shard's host rows; ~0 = this ends a range
};

// A span of a context: a synchronisation does not name the device, and the process's number for it may change.
struct SpanToPlace {
  uint32_t span_row = 0;  // index into the shard's GPU spans
  uint32_t context = 0;
  uint32_t stream = 0;
};

class ChunkRows final : public wire::RecordReceiver {
 public:
  ChunkRows(WorkerNames& names, ProcessId id, uint64_t chunk_number);

  // What the chunk gave.
  TraceShard shard;
  ProcessId process;
  std::vector<std::string> domains;
  std::vector<RangeEnd> range_ends;
  std::vector<SpanToPlace> spans_to_place;
  std::map<uint32_t, uint32_t> device_of_context;
  std::vector<Device> devices;
  std::map<uint32_t, Uuid> uuids;                            // of devices, by the process's number for them
  std::vector<std::pair<uint32_t, StringId>> thread_labels;  // by the process's number for them
  std::vector<wire::ClockRecord> clocks;
  std::map<std::string, uint64_t, std::less<>> counts;
  std::string command;
  std::string rank;  // "rank=1 ranks=8", as the process was told
  uint32_t cupti_version = 0;
  bool finished = false;
  uint32_t most_correlation = 0;
  Ns last_ns = kMinNs;

  void At(size_t offset) override;
  void Take(const wire::KernelRecord& record) override;
  void Take(const wire::CopyRecord& record) override;
  void Take(const wire::SetRecord& record) override;
  void Take(const wire::CallRecord& record) override;
  void Take(const wire::SyncRecord& record) override;
  void Take(const wire::CudaEventRecord& record) override;
  void Take(const wire::OverheadRecord& record) override;
  void Take(const wire::GraphRecord& record) override;
  void Take(const wire::LibraryCallRecord& record) override;
  void Take(const wire::NameRecord& record) override;
  void Take(const wire::ProcessRecord& record) override;
  void Take(const wire::DeviceRecord& record) override;
  void Take(const wire::ClockRecord& record) override;
  void Take(const wire::CountRecord& record) override;
  void Take(const wire::CounterRecord& record) override;
  void Take(const wire::SampleRecord& record) override;
  void Take(const wire::GraphNodeRecord& record) override;
  void Take(const wire::ThreadSwitchRecord& record) override;
  void TakeFrame(const wire::FrameRecord& record) override;
  void TakePush(const wire::RangeText& text, uint64_t time_ns) override;
  void TakePop(uint32_t thread, std::string_view domain, uint64_t time_ns) override;
  void TakeStart(const wire::RangeText& text, uint64_t id, uint64_t time_ns) override;
  void TakeEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) override;
  void TakeMark(const wire::RangeText& text, uint64_t time_ns) override;
  void TakeUuid(uint32_t device, const Uuid& uuid) override;
  void TakeFinish() override;

  // A stream of the process, on a device by the number that it has in the trace.
  StreamIndex InternStream(const wire::Place& place);
  const wire::Place& PlaceOf(StreamIndex stream) const { return worker_.places[stream]; }
  // The row that a push or start made is drawn to the end of all, since nothing ended it.
  void LeaveOpen(uint32_t host_row, Ns end_ns);
  void ExcludeRangeEnd();

 private:
  LocalNames& names() { return *shard.names; }
  ThreadIndex ThreadOf(uint32_t thread, bool nests = true);
  uint32_t DomainOf(std::string_view name);
  // The readable form of a name as the linker knows it.
  StringId ReadableName(std::string_view recorded);
  StringId Name(std::string_view text) { return texts_.NameOfShared(text); }
  // Start and duration of a row; mends what can't be. `mended` as in the rows.
  struct Times {
    Ns start_ns = 0;
    Ns duration_ns = 0;
    uint8_t mended = 0;
  };
  Times TimesOf(uint64_t start_ns, uint64_t end_ns);
  void AddSpan(GpuSpanKind kind, std::string_view name, const wire::Span& span, const wire::Place& place);
  GpuWorkRow& AddWork(GpuKind kind, const wire::Span& span, const wire::Place& place, uint64_t node);
  HostEventRow& AddHost(HostKind kind, uint64_t start_ns, uint64_t end_ns, uint32_t thread, bool nests = true);
  uint32_t AddRange(const wire::RangeText& text, uint64_t time_ns, bool nests);

  WorkerNames& worker_;
  RangeTexts texts_;                                      // texts stand still while the chunk is decoded
  std::unordered_map<const char*, StringId> long_names_;  // by where the recorded name stands
  std::vector<StackIndex> stacks_ = {0};                  // by number of the frame in the chunk
  std::unordered_map<StringId, uint32_t> domain_numbers_;
  uint64_t chunk_number_;
  uint64_t source_ = 0;
};

}  // namespace warpsight::native
