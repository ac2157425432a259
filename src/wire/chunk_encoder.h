// ChunkEncoder: packs records into the raw bytes of one chunk (capture_layout.h).
//
// Place in the flow: records -> this -> chunk_file, which compresses and writes. One encoder fills one chunk after the
// other: when full() the owner takes bytes() and calls Begin for the next. A text longer than kMaxTextBytes is cut and
// counted. Errors: none; no exceptions but std::bad_alloc. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "wire/capture_layout.h"
#include "wire/records.h"

namespace warpsight::wire {

class ChunkEncoder {
 public:
  // `chunk_bytes`: a chunk is full when it has so many.
  explicit ChunkEncoder(size_t chunk_bytes = size_t{1} << 20);

  // Starts an empty chunk whose times count from `base_ns`.
  void Begin(uint64_t base_ns);
  bool full() const { return bytes_.size() >= chunk_bytes_; }
  bool empty() const { return records_ == 0; }
  uint64_t base_ns() const { return base_ns_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  uint64_t records() const { return records_; }      // of this chunk, without texts and shapes
  uint64_t kernels() const { return kernels_; }      // among them
  uint64_t cut_texts() const { return cut_texts_; }  // of all chunks

  void Add(const KernelRecord& record);
  void Add(const CopyRecord& record);
  void Add(const SetRecord& record);
  void Add(const CallRecord& record);
  void Add(const SyncRecord& record);
  void Add(const CudaEventRecord& record);
  void Add(const OverheadRecord& record);
  void Add(const GraphRecord& record);
  void Add(const LibraryCallRecord& record);
  void Add(const NameRecord& record);
  void Add(const ProcessRecord& record);
  void Add(const DeviceRecord& record);
  void Add(const ClockRecord& record);
  void Add(const CountRecord& record);
  void Add(const CounterRecord& record);
  void Add(const SampleRecord& record);
  void Add(const GraphNodeRecord& record);
  void Add(const ThreadSwitchRecord& record);
  // The number that the frame has in this chunk: equal frames are defined once. `parent` must be such a number.
  uint32_t AddFrame(const FrameRecord& record);
  // Numbers of frames are good for as long as this does not change.
  uint64_t chunk_number() const { return chunk_number_; }
  void AddPush(const RangeText& text, uint64_t time_ns);
  void AddPop(uint32_t thread, std::string_view domain, uint64_t time_ns);
  void AddStart(const RangeText& text, uint64_t id, uint64_t time_ns);
  void AddEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns);
  void AddMark(const RangeText& text, uint64_t time_ns);
  void AddFinish();

 private:
  using NumberOf = std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>>;
  // What a shape consists of, being built.
  class ShapeKey;

  void Tag(RecordTag tag);
  void Number(uint64_t value);
  void SignedNumber(int64_t value);
  void Bytes(std::string_view bytes);
  uint32_t TextNumber(std::string_view text);
  uint32_t ShapeNumber(const ShapeKey& key);
  uint32_t Shape(RecordTag tag, const ShapeKey& key);
  void PutSpan(const Span& span, uint64_t& last_start, uint32_t& last_correlation);
  void PutNode(const Place& place, uint64_t graph_node);
  void PutTime(uint64_t time_ns);
  void PutPayload(const RangeText& text);
  ShapeKey RangeShape(RecordTag tag, const RangeText& text);
  ShapeKey EndShape(RecordTag tag, uint32_t thread, std::string_view domain);

  size_t chunk_bytes_;
  uint64_t base_ns_ = 0;
  uint64_t chunk_number_ = 0;
  std::vector<uint8_t> bytes_;
  NumberOf texts_;
  NumberOf shapes_;
  NumberOf frames_;
  uint64_t records_ = 0;
  uint64_t kernels_ = 0;
  uint64_t cut_texts_ = 0;
  uint64_t last_work_ns_ = 0;
  uint64_t last_call_ns_ = 0;
  uint64_t last_range_ns_ = 0;
  uint32_t last_work_correlation_ = 0;
  uint32_t last_call_correlation_ = 0;
  uint64_t last_node_ = 0;
  uint64_t last_made_node_ = 0;
  uint64_t last_sample_ns_ = 0;
  uint64_t last_cpu_sample_ns_ = 0;
  uint64_t last_switch_ns_ = 0;
  std::unordered_map<uint32_t, int64_t> last_values_;  // of counters, by shape
};

}  // namespace warpsight::wire
