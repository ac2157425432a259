#include "wire/chunk_encoder.h"

#include <cstring>

#include "wire/varint.h"

namespace warpsight::wire {

class ChunkEncoder::ShapeKey {
 public:
  explicit ShapeKey(RecordTag tag) { Put(static_cast<uint64_t>(tag)); }
  ShapeKey& Put(uint64_t value) {
    end_ = PutVarint(end_, value);
    return *this;
  }
  ShapeKey& Put(const Place& place) { return Put(place.device).Put(place.context).Put(place.stream).Put(place.graph); }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_), static_cast<size_t>(end_ - bytes_)}; }

 private:
  static constexpr int kMostNumbers = 24;
  uint8_t bytes_[kMostNumbers * kMaxVarintBytes];
  uint8_t* end_ = bytes_;
};

ChunkEncoder::ChunkEncoder(size_t chunk_bytes) : chunk_bytes_(chunk_bytes) {
  // One record beyond the limit may have several of the longest texts.
  bytes_.reserve(chunk_bytes_ + 8 * kMaxTextBytes);
}

void ChunkEncoder::Begin(uint64_t base_ns) {
  base_ns_ = base_ns;
  ++chunk_number_;
  bytes_.clear();
  texts_.clear();
  shapes_.clear();
  frames_.clear();
  records_ = kernels_ = 0;
  last_work_ns_ = last_call_ns_ = last_range_ns_ = base_ns;
  last_work_correlation_ = last_call_correlation_ = 0;
  last_node_ = last_made_node_ = 0;
  last_sample_ns_ = last_cpu_sample_ns_ = last_switch_ns_ = base_ns;
  last_values_.clear();
}

void ChunkEncoder::Tag(RecordTag tag) { bytes_.push_back(static_cast<uint8_t>(tag)); }

void ChunkEncoder::Number(uint64_t value) {
  uint8_t packed[kMaxVarintBytes];
  bytes_.insert(bytes_.end(), packed, PutVarint(packed, value));
}

void ChunkEncoder::SignedNumber(int64_t value) { Number(ZigZag(value)); }

void ChunkEncoder::Bytes(std::string_view bytes) {
  Number(bytes.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

// 0 is the empty text.
uint32_t ChunkEncoder::TextNumber(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() > kMaxTextBytes) {
    text = text.substr(0, kMaxTextBytes);
    ++cut_texts_;
  }
  if (const auto found = texts_.find(text); found != texts_.end()) return found->second;
  Tag(RecordTag::kText);
  Bytes(text);
  const auto number = static_cast<uint32_t>(texts_.size() + 1);
  texts_.emplace(text, number);
  return number;
}

uint32_t ChunkEncoder::ShapeNumber(const ShapeKey& key) {
  if (const auto found = shapes_.find(key.bytes()); found != shapes_.end()) return found->second;
  Tag(RecordTag::kShape);
  Bytes(key.bytes());
  const auto number = static_cast<uint32_t>(shapes_.size() + 1);
  shapes_.emplace(key.bytes(), number);
  return number;
}

uint32_t ChunkEncoder::Shape(RecordTag tag, const ShapeKey& key) {
  const uint32_t number = ShapeNumber(key);
  Tag(tag);
  Number(number);
  ++records_;
  return number;
}

void ChunkEncoder::PutSpan(const Span& span, uint64_t& last_start, uint32_t& last_correlation) {
  SignedNumber(static_cast<int64_t>(span.start_ns - last_start));
  // A recorder may give an end before the start: kept as it came, the reader judges.
  SignedNumber(static_cast<int64_t>(span.end_ns - span.start_ns));
  SignedNumber(static_cast<int64_t>(span.correlation) - static_cast<int64_t>(last_correlation));
  last_start = span.start_ns;
  last_correlation = span.correlation;
}

void ChunkEncoder::PutNode(const Place& place, uint64_t graph_node) {
  if (place.graph == 0) return;
  SignedNumber(static_cast<int64_t>(graph_node - last_node_));
  last_node_ = graph_node;
}

void ChunkEncoder::Add(const KernelRecord& record) {
  const uint32_t name = TextNumber(record.name);
  ShapeKey key(RecordTag::kKernel);
  key.Put(name).Put(record.place);
  for (const int32_t size : record.grid) key.Put(static_cast<uint32_t>(size));
  for (const int32_t size : record.block) key.Put(static_cast<uint32_t>(size));
  for (const uint32_t size : record.cluster) key.Put(size);
  key.Put(record.registers_per_thread)
      .Put(static_cast<uint32_t>(record.static_shared_bytes))
      .Put(static_cast<uint32_t>(record.dynamic_shared_bytes))
      .Put(record.launch_type);
  Shape(RecordTag::kKernel, key);
  ++kernels_;
  PutSpan(record.span, last_work_ns_, last_work_correlation_);
  PutNode(record.place, record.graph_node);
}

void ChunkEncoder::Add(const CopyRecord& record) {
  ShapeKey key(RecordTag::kCopy);
  key.Put(record.kind).Put(record.source_memory).Put(record.target_memory).Put(record.flags).Put(record.place);
  Shape(RecordTag::kCopy, key);
  PutSpan(record.span, last_work_ns_, last_work_correlation_);
  PutNode(record.place, record.graph_node);
  Number(record.bytes);
}

void ChunkEncoder::Add(const SetRecord& record) {
  ShapeKey key(RecordTag::kSet);
  key.Put(record.value).Put(record.memory).Put(record.place);
  Shape(RecordTag::kSet, key);
  PutSpan(record.span, last_work_ns_, last_work_correlation_);
  PutNode(record.place, record.graph_node);
  Number(record.bytes);
}

void ChunkEncoder::Add(const CallRecord& record) {
  const uint32_t name = TextNumber(record.name);
  ShapeKey key(RecordTag::kCall);
  key.Put(name).Put(record.thread).Put(record.result);
  Shape(RecordTag::kCall, key);
  PutSpan(record.span, last_call_ns_, last_call_correlation_);
}

void ChunkEncoder::Add(const SyncRecord& record) {
  ShapeKey key(RecordTag::kSync);
  key.Put(record.type).Put(record.place).Put(record.event);
  Shape(RecordTag::kSync, key);
  PutSpan(record.span, last_call_ns_, last_call_correlation_);
}

void ChunkEncoder::Add(const CudaEventRecord& record) {
  ShapeKey key(RecordTag::kCudaEvent);
  key.Put(record.place);
  Shape(RecordTag::kCudaEvent, key);
  SignedNumber(static_cast<int64_t>(record.span.start_ns - last_work_ns_));
  SignedNumber(static_cast<int64_t>(record.span.correlation) - static_cast<int64_t>(last_work_correlation_));
  Number(record.event);
  last_work_ns_ = record.span.start_ns;
  last_work_correlation_ = record.span.correlation;
}

void ChunkEncoder::Add(const OverheadRecord& record) {
  ShapeKey key(RecordTag::kOverhead);
  key.Put(record.kind).Put(record.thread);
  Shape(RecordTag::kOverhead, key);
  SignedNumber(static_cast<int64_t>(record.start_ns - last_call_ns_));
  SignedNumber(static_cast<int64_t>(record.end_ns - record.start_ns));
  last_call_ns_ = record.start_ns;
}

void ChunkEncoder::Add(const GraphRecord& record) {
  ShapeKey key(RecordTag::kGraph);
  key.Put(record.place);
  Shape(RecordTag::kGraph, key);
  PutSpan(record.span, last_work_ns_, last_work_correlation_);
}

void ChunkEncoder::Add(const LibraryCallRecord& record) {
  const uint32_t library = TextNumber(record.library);
  const uint32_t name = TextNumber(record.name);
  const uint32_t sizes = TextNumber(record.sizes);
  ShapeKey key(RecordTag::kLibraryCall);
  key.Put(library).Put(name).Put(sizes).Put(record.thread);
  Shape(RecordTag::kLibraryCall, key);
  SignedNumber(static_cast<int64_t>(record.start_ns - last_call_ns_));
  SignedNumber(static_cast<int64_t>(record.end_ns - record.start_ns));
  last_call_ns_ = record.start_ns;
}

ChunkEncoder::ShapeKey ChunkEncoder::RangeShape(RecordTag tag, const RangeText& text) {
  const uint32_t domain = TextNumber(text.domain);
  const uint32_t words = TextNumber(text.text);
  ShapeKey key(tag);
  key.Put(text.thread).Put(domain).Put(words).Put(text.category).Put(text.color);
  if (text.payload_kind != PayloadKind::kNone) key.Put(static_cast<uint32_t>(text.payload_kind));
  return key;
}

ChunkEncoder::ShapeKey ChunkEncoder::EndShape(RecordTag tag, uint32_t thread, std::string_view domain) {
  const uint32_t number = TextNumber(domain);
  ShapeKey key(tag);
  key.Put(thread).Put(number);
  return key;
}

void ChunkEncoder::PutTime(uint64_t time_ns) {
  SignedNumber(static_cast<int64_t>(time_ns - last_range_ns_));
  last_range_ns_ = time_ns;
}

void ChunkEncoder::PutPayload(const RangeText& text) {
  if (text.payload_kind == PayloadKind::kNone) return;
  if (text.payload_kind == PayloadKind::kSigned) {
    SignedNumber(static_cast<int64_t>(text.payload));
  } else {
    Number(text.payload);
  }
}

void ChunkEncoder::AddPush(const RangeText& text, uint64_t time_ns) {
  Shape(RecordTag::kPush, RangeShape(RecordTag::kPush, text));
  PutTime(time_ns);
  PutPayload(text);
}

void ChunkEncoder::AddPop(uint32_t thread, std::string_view domain, uint64_t time_ns) {
  Shape(RecordTag::kPop, EndShape(RecordTag::kPop, thread, domain));
  PutTime(time_ns);
}

void ChunkEncoder::AddStart(const RangeText& text, uint64_t id, uint64_t time_ns) {
  Shape(RecordTag::kStart, RangeShape(RecordTag::kStart, text));
  PutTime(time_ns);
  Number(id);
  PutPayload(text);
}

void ChunkEncoder::AddEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) {
  Shape(RecordTag::kEnd, EndShape(RecordTag::kEnd, thread, domain));
  PutTime(time_ns);
  Number(id);
}

void ChunkEncoder::AddMark(const RangeText& text, uint64_t time_ns) {
  Shape(RecordTag::kMark, RangeShape(RecordTag::kMark, text));
  PutTime(time_ns);
  PutPayload(text);
}

void ChunkEncoder::Add(const NameRecord& record) {
  const bool of_domain = record.kind == NameKind::kDomainCategory;
  const uint32_t name = TextNumber(record.name);
  const uint32_t domain = of_domain ? TextNumber(record.domain) : 0;
  Tag(RecordTag::kName);
  Number(static_cast<uint64_t>(record.kind));
  Number(record.number);
  Number(name);
  if (of_domain) Number(domain);
  ++records_;
}

void ChunkEncoder::Add(const ProcessRecord& record) {
  const uint32_t command = TextNumber(record.command);
  const uint32_t host = TextNumber(record.host);
  const uint32_t rank = TextNumber(record.rank);
  Tag(RecordTag::kProcess);
  for (const uint64_t value :
       {record.process, record.parent, command, host, record.cupti_version, record.driver_version, rank})
    Number(value);
  ++records_;
}

void ChunkEncoder::Add(const DeviceRecord& record) {
  const uint32_t name = TextNumber(record.name);
  Tag(RecordTag::kDevice);
  Number(record.id);
  Number(name);
  for (const uint64_t value :
       {record.memory_bytes, record.memory_bandwidth_kb_per_s, uint64_t{record.sm_count}, uint64_t{record.compute_major},
        uint64_t{record.compute_minor}, uint64_t{record.l2_bytes}, uint64_t{record.clock_khz}})
    Number(value);
  ++records_;
  if (record.uuid == std::array<uint8_t, 16>{}) return;
  Tag(RecordTag::kUuid);
  Number(record.id);
  Bytes({reinterpret_cast<const char*>(record.uuid.data()), record.uuid.size()});
}

void ChunkEncoder::Add(const ClockRecord& record) {
  Tag(RecordTag::kClock);
  Number(record.monotonic_ns);
  Number(record.realtime_ns);
  Number(record.error_ns);
  ++records_;
}

void ChunkEncoder::Add(const CountRecord& record) {
  const uint32_t cause = TextNumber(record.cause);
  Tag(RecordTag::kCount);
  Number(cause);
  Number(record.count);
  ++records_;
}

void ChunkEncoder::Add(const CounterRecord& record) {
  const uint32_t name = TextNumber(record.name);
  const uint32_t unit = TextNumber(record.unit);
  ShapeKey key(RecordTag::kCounter);
  key.Put(name).Put(unit).Put(record.device).Put(record.is_double ? 1 : 0);
  const uint32_t number = Shape(RecordTag::kCounter, key);
  SignedNumber(static_cast<int64_t>(record.time_ns - last_sample_ns_));
  last_sample_ns_ = record.time_ns;
  int64_t& last = last_values_[number];
  // Modulo 2^64: any two values have a difference.
  SignedNumber(static_cast<int64_t>(static_cast<uint64_t>(record.value) - static_cast<uint64_t>(last)));
  last = record.value;
}

uint32_t ChunkEncoder::AddFrame(const FrameRecord& record) {
  const uint32_t function = TextNumber(record.function);
  const uint32_t module = TextNumber(record.module);
  ShapeKey key(RecordTag::kFrame);
  key.Put(record.parent).Put(function).Put(module).Put(static_cast<uint64_t>(record.kind));
  const auto [found, added] = frames_.try_emplace(std::string(key.bytes()), static_cast<uint32_t>(frames_.size() + 1));
  if (added) {
    Tag(RecordTag::kFrame);
    Number(record.parent);
    Number(function);
    Number(module);
    Number(static_cast<uint64_t>(record.kind));
  }
  return found->second;
}

void ChunkEncoder::Add(const SampleRecord& record) {
  ShapeKey key(RecordTag::kSample);
  key.Put(record.thread);
  Shape(RecordTag::kSample, key);
  SignedNumber(static_cast<int64_t>(record.time_ns - last_cpu_sample_ns_));
  last_cpu_sample_ns_ = record.time_ns;
  Number(record.stack);
}

void ChunkEncoder::Add(const GraphNodeRecord& record) {
  ShapeKey key(RecordTag::kGraphNode);
  key.Put(record.thread);
  Shape(RecordTag::kGraphNode, key);
  PutTime(record.time_ns);
  SignedNumber(static_cast<int64_t>(record.node - last_made_node_));
  last_made_node_ = record.node;
  Number(record.original);
}

void ChunkEncoder::Add(const ThreadSwitchRecord& record) {
  ShapeKey key(RecordTag::kThreadSwitch);
  key.Put(record.thread);
  Shape(RecordTag::kThreadSwitch, key);
  SignedNumber(static_cast<int64_t>(record.time_ns - last_switch_ns_));
  last_switch_ns_ = record.time_ns;
  Number(static_cast<uint64_t>(record.state));
}

void ChunkEncoder::AddFinish() {
  Tag(RecordTag::kFinish);
  ++records_;
}

}  // namespace warpsight::wire
