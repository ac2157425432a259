#include "wire/chunk_decoder.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "wire/varint.h"

namespace warpsight::wire {
namespace {

// Numbers of a run of bytes; after the first that does not read all are 0 and ok() is false.
class NumberReader {
 public:
  NumberReader(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  const uint8_t* at() const { return at_; }
  uint8_t Byte() { return at_ == end_ ? Fail() : *at_++; }
  uint64_t Number() {
    uint64_t value = 0;
    const uint8_t* next = ok_ ? GetVarint(at_, end_, value) : nullptr;
    if (next == nullptr) return Fail();
    at_ = next;
    return value;
  }
  uint32_t Number32() {
    const uint64_t value = Number();
    return value <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(value) : Fail();
  }
  int32_t Int32() { return static_cast<int32_t>(Number32()); }
  int64_t Signed() { return UnZigZag(Number()); }
  std::string_view Bytes() {
    const uint64_t size = Number();
    if (size > static_cast<uint64_t>(end_ - at_)) {
      Fail();
      return {};
    }
    const std::string_view bytes(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return bytes;
  }
  uint8_t Fail() {
    ok_ = false;
    return 0;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

// What a shape says, read once when it is defined.
struct Shape {
  RecordTag tag = RecordTag::kText;
  KernelRecord kernel;
  CopyRecord copy;
  SetRecord set;
  CallRecord call;
  SyncRecord sync;
  CudaEventRecord cuda_event;
  OverheadRecord overhead;
  CounterRecord counter;  // with the last sample
  LibraryCallRecord library_call;
  SampleRecord sample;
  GraphNodeRecord graph_node;
  ThreadSwitchRecord thread_switch;
  RangeText range;
};

class Decoder {
 public:
  Decoder(std::span<const uint8_t> raw, uint64_t base_ns, RecordReceiver& receiver)
      : begin_(raw.data()),
        in_(raw.data(), raw.data() + raw.size()),
        receiver_(receiver),
        last_work_ns_(base_ns),
        last_call_ns_(base_ns),
        last_range_ns_(base_ns),
        last_sample_ns_(base_ns),
        last_cpu_sample_ns_(base_ns),
        last_switch_ns_(base_ns) {}

  DecodedChunk Run() {
    while (!in_.at_end()) {
      const size_t offset = static_cast<size_t>(in_.at() - begin_);
      if (!Record(offset)) return {false, offset};
    }
    return {};
  }

 private:
  bool Record(size_t offset);
  bool DefineShape();
  bool ReadShape(NumberReader& in, Shape& shape);
  std::string_view Text(NumberReader& in) {
    const uint64_t number = in.Number();
    if (number == 0) return {};
    if (number > texts_.size()) {
      in.Fail();
      return {};
    }
    return texts_[number - 1];
  }
  static Place ReadPlace(NumberReader& in) {
    Place place;
    place.device = in.Number32();
    place.context = in.Number32();
    place.stream = in.Number32();
    place.graph = in.Number32();
    return place;
  }
  RangeText ReadRange(NumberReader& in) {
    RangeText range;
    range.thread = in.Number32();
    range.domain = Text(in);
    range.text = Text(in);
    range.category = in.Number32();
    range.color = in.Number32();
    if (in.at_end()) return range;
    const uint64_t payload = in.Number();
    if (payload == 0 || payload > static_cast<uint64_t>(PayloadKind::kFloat)) in.Fail();
    range.payload_kind = static_cast<PayloadKind>(payload);
    return range;
  }
  // The shape of a record of `tag`; null when there is none.
  Shape* ShapeOf(RecordTag tag) {
    const uint64_t number = in_.Number();
    if (!in_.ok() || number == 0 || number > shapes_.size() || shapes_[number - 1].tag != tag) return nullptr;
    return &shapes_[number - 1];
  }
  // Differences wrap: damage gives a wrong time, never undefined behaviour.
  Span ReadSpan(uint64_t& last_start, uint32_t& last_correlation) {
    Span span;
    span.start_ns = last_start + static_cast<uint64_t>(in_.Signed());
    span.end_ns = span.start_ns + static_cast<uint64_t>(in_.Signed());
    span.correlation = last_correlation + static_cast<uint32_t>(in_.Signed());
    last_start = span.start_ns;
    last_correlation = span.correlation;
    return span;
  }
  uint64_t ReadNode(const Place& place) {
    if (place.graph == 0) return 0;
    return last_node_ += static_cast<uint64_t>(in_.Signed());
  }
  uint64_t ReadTime() { return last_range_ns_ += static_cast<uint64_t>(in_.Signed()); }
  template <typename Taken>
  bool Give(size_t offset, const Taken& taken) {
    if (!in_.ok()) return false;
    receiver_.At(offset);
    receiver_.Take(taken);
    return true;
  }
  template <typename Call>
  bool GiveRange(size_t offset, const Call& call) {
    if (!in_.ok()) return false;
    receiver_.At(offset);
    call();
    return true;
  }
  bool Work(RecordTag tag, size_t offset);
  bool Call(RecordTag tag, size_t offset);
  bool Range(RecordTag tag, size_t offset);
  bool Sample(RecordTag tag, size_t offset);
  bool Frame(size_t offset);
  bool CpuSample(RecordTag tag, size_t offset);
  bool GraphNode(RecordTag tag, size_t offset);
  bool CudaEvent(RecordTag tag, size_t offset);
  bool ThreadSwitch(RecordTag tag, size_t offset);
  bool Fact(RecordTag tag, size_t offset);

  const uint8_t* begin_;
  NumberReader in_;
  RecordReceiver& receiver_;
  std::vector<std::string_view> texts_;
  std::vector<Shape> shapes_;
  std::vector<uint16_t> depths_;  // of the frames: how many frames a stack has with it
  uint64_t last_work_ns_;
  uint64_t last_call_ns_;
  uint64_t last_range_ns_;
  uint64_t last_sample_ns_;
  uint64_t last_cpu_sample_ns_;
  uint64_t last_switch_ns_;
  uint32_t last_work_correlation_ = 0;
  uint32_t last_call_correlation_ = 0;
  uint64_t last_node_ = 0;
  uint64_t last_made_node_ = 0;
};

bool Decoder::ReadShape(NumberReader& in, Shape& shape) {
  switch (shape.tag) {
    case RecordTag::kKernel:
      shape.kernel.name = Text(in);
      shape.kernel.place = ReadPlace(in);
      for (int32_t& size : shape.kernel.grid) size = in.Int32();
      for (int32_t& size : shape.kernel.block) size = in.Int32();
      for (uint32_t& size : shape.kernel.cluster) size = in.Number32();
      shape.kernel.registers_per_thread = in.Number32();
      shape.kernel.static_shared_bytes = in.Int32();
      shape.kernel.dynamic_shared_bytes = in.Int32();
      shape.kernel.launch_type = in.Number32();
      break;
    case RecordTag::kCopy:
      shape.copy.kind = in.Number32();
      shape.copy.source_memory = in.Number32();
      shape.copy.target_memory = in.Number32();
      shape.copy.flags = in.Number32();
      shape.copy.place = ReadPlace(in);
      break;
    case RecordTag::kSet:
      shape.set.value = in.Number32();
      shape.set.memory = in.Number32();
      shape.set.place = ReadPlace(in);
      break;
    case RecordTag::kCall:
      shape.call.name = Text(in);
      shape.call.thread = in.Number32();
      shape.call.result = in.Number32();
      break;
    case RecordTag::kSync:
      shape.sync.type = in.Number32();
      shape.sync.place = ReadPlace(in);
      shape.sync.event = in.Number32();
      break;
    case RecordTag::kCudaEvent:
      shape.cuda_event.place = ReadPlace(in);
      break;
    case RecordTag::kOverhead:
      shape.overhead.kind = in.Number32();
      shape.overhead.thread = in.Number32();
      break;
    case RecordTag::kGraph:
      shape.sync.place = ReadPlace(in);
      break;
    case RecordTag::kCounter:
      shape.counter.name = Text(in);
      shape.counter.unit = Text(in);
      shape.counter.device = in.Number32();
      shape.counter.is_double = in.Number() != 0;
      break;
    case RecordTag::kLibraryCall:
      shape.library_call.library = Text(in);
      shape.library_call.name = Text(in);
      shape.library_call.sizes = Text(in);
      shape.library_call.thread = in.Number32();
      break;
    case RecordTag::kSample:
      shape.sample.thread = in.Number32();
      break;
    case RecordTag::kGraphNode:
      shape.graph_node.thread = in.Number32();
      break;
    case RecordTag::kThreadSwitch:
      shape.thread_switch.thread = in.Number32();
      break;
    case RecordTag::kPush:
    case RecordTag::kStart:
    case RecordTag::kMark:
      shape.range = ReadRange(in);
      break;
    case RecordTag::kPop:
    case RecordTag::kEnd:
      shape.range.thread = in.Number32();
      shape.range.domain = Text(in);
      break;
    default:
      return false;
  }
  return in.ok() && in.at_end();
}

bool Decoder::DefineShape() {
  const std::string_view bytes = in_.Bytes();
  if (!in_.ok()) return false;
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  NumberReader in(begin, begin + bytes.size());
  Shape shape;
  shape.tag = static_cast<RecordTag>(in.Number() & 0xFF);
  if (!ReadShape(in, shape)) return false;
  shapes_.push_back(shape);
  return true;
}

bool Decoder::Record(size_t offset) {
  const uint8_t byte = in_.Byte();
  if (byte == 0 || byte > kLastTag) return false;
  const auto tag = static_cast<RecordTag>(byte);
  switch (tag) {
    case RecordTag::kText:
      texts_.push_back(in_.Bytes());
      return in_.ok() && texts_.back().size() <= kMaxTextBytes;
    case RecordTag::kShape:
      return DefineShape();
    case RecordTag::kKernel:
    case RecordTag::kCopy:
    case RecordTag::kSet:
    case RecordTag::kGraph:
      return Work(tag, offset);
    case RecordTag::kCall:
    case RecordTag::kSync:
    case RecordTag::kOverhead:
    case RecordTag::kLibraryCall:
      return Call(tag, offset);
    case RecordTag::kPush:
    case RecordTag::kPop:
    case RecordTag::kStart:
    case RecordTag::kEnd:
    case RecordTag::kMark:
      return Range(tag, offset);
    case RecordTag::kCounter:
      return Sample(tag, offset);
    case RecordTag::kFrame:
      return Frame(offset);
    case RecordTag::kSample:
      return CpuSample(tag, offset);
    case RecordTag::kGraphNode:
      return GraphNode(tag, offset);
    case RecordTag::kCudaEvent:
      return CudaEvent(tag, offset);
    case RecordTag::kThreadSwitch:
      return ThreadSwitch(tag, offset);
    default:
      return Fact(tag, offset);
  }
}

bool Decoder::Work(RecordTag tag, size_t offset) {
  Shape* shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  const Span span = ReadSpan(last_work_ns_, last_work_correlation_);
  if (tag == RecordTag::kKernel) {
    shape->kernel.span = span;
    shape->kernel.graph_node = ReadNode(shape->kernel.place);
    return Give(offset, shape->kernel);
  }
  if (tag == RecordTag::kCopy) {
    shape->copy.span = span;
    shape->copy.graph_node = ReadNode(shape->copy.place);
    shape->copy.bytes = in_.Number();
    return Give(offset, shape->copy);
  }
  if (tag == RecordTag::kSet) {
    shape->set.span = span;
    shape->set.graph_node = ReadNode(shape->set.place);
    shape->set.bytes = in_.Number();
    return Give(offset, shape->set);
  }
  return Give(offset, GraphRecord{shape->sync.place, span});
}

bool Decoder::Call(RecordTag tag, size_t offset) {
  Shape* shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  if (tag == RecordTag::kOverhead) {
    shape->overhead.start_ns = last_call_ns_ += static_cast<uint64_t>(in_.Signed());
    shape->overhead.end_ns = shape->overhead.start_ns + static_cast<uint64_t>(in_.Signed());
    return Give(offset, shape->overhead);
  }
  if (tag == RecordTag::kLibraryCall) {
    shape->library_call.start_ns = last_call_ns_ += static_cast<uint64_t>(in_.Signed());
    shape->library_call.end_ns = shape->library_call.start_ns + static_cast<uint64_t>(in_.Signed());
    return Give(offset, shape->library_call);
  }
  const Span span = ReadSpan(last_call_ns_, last_call_correlation_);
  if (tag == RecordTag::kCall) {
    shape->call.span = span;
    return Give(offset, shape->call);
  }
  shape->sync.span = span;
  return Give(offset, shape->sync);
}

bool Decoder::Range(RecordTag tag, size_t offset) {
  Shape* shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  RangeText& range = shape->range;
  const uint64_t time = ReadTime();
  const bool has_id = tag == RecordTag::kStart || tag == RecordTag::kEnd;
  const uint64_t id = has_id ? in_.Number() : 0;
  if (range.payload_kind == PayloadKind::kSigned) {
    range.payload = static_cast<uint64_t>(in_.Signed());
  } else if (range.payload_kind != PayloadKind::kNone) {
    range.payload = in_.Number();
  }
  return GiveRange(offset, [&] {
    switch (tag) {
      case RecordTag::kPush:
        return receiver_.TakePush(range, time);
      case RecordTag::kPop:
        return receiver_.TakePop(range.thread, range.domain, time);
      case RecordTag::kStart:
        return receiver_.TakeStart(range, id, time);
      case RecordTag::kEnd:
        return receiver_.TakeEnd(range.thread, range.domain, id, time);
      default:
        return receiver_.TakeMark(range, time);
    }
  });
}

bool Decoder::Sample(RecordTag tag, size_t offset) {
  Shape* const shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  CounterRecord& counter = shape->counter;
  counter.time_ns = last_sample_ns_ += static_cast<uint64_t>(in_.Signed());
  counter.value = static_cast<int64_t>(static_cast<uint64_t>(counter.value) + static_cast<uint64_t>(in_.Signed()));
  return Give(offset, counter);
}

bool Decoder::Frame(size_t offset) {
  FrameRecord frame;
  frame.parent = in_.Number32();
  frame.function = Text(in_);
  frame.module = Text(in_);
  const uint64_t kind = in_.Number();
  if (!in_.ok() || frame.parent > depths_.size() || kind > static_cast<uint64_t>(FrameKind::kPython)) return false;
  frame.kind = static_cast<FrameKind>(kind);
  const uint32_t depth = 1u + (frame.parent == 0 ? 0 : depths_[frame.parent - 1]);
  if (depth > kMaxStackFrames) return false;
  depths_.push_back(static_cast<uint16_t>(depth));
  return GiveRange(offset, [&] { receiver_.TakeFrame(frame); });
}

bool Decoder::CpuSample(RecordTag tag, size_t offset) {
  Shape* const shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  shape->sample.time_ns = last_cpu_sample_ns_ += static_cast<uint64_t>(in_.Signed());
  shape->sample.stack = in_.Number32();
  if (shape->sample.stack > depths_.size()) return false;
  return Give(offset, shape->sample);
}

bool Decoder::GraphNode(RecordTag tag, size_t offset) {
  Shape* const shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  shape->graph_node.time_ns = ReadTime();
  shape->graph_node.node = last_made_node_ += static_cast<uint64_t>(in_.Signed());
  shape->graph_node.original = in_.Number();
  return Give(offset, shape->graph_node);
}

bool Decoder::CudaEvent(RecordTag tag, size_t offset) {
  Shape* const shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  Span& span = shape->cuda_event.span;
  span.start_ns = span.end_ns = last_work_ns_ += static_cast<uint64_t>(in_.Signed());
  span.correlation = last_work_correlation_ += static_cast<uint32_t>(in_.Signed());
  shape->cuda_event.event = in_.Number32();
  return Give(offset, shape->cuda_event);
}

bool Decoder::ThreadSwitch(RecordTag tag, size_t offset) {
  Shape* const shape = ShapeOf(tag);
  if (shape == nullptr) return false;
  shape->thread_switch.time_ns = last_switch_ns_ += static_cast<uint64_t>(in_.Signed());
  const uint64_t state = in_.Number();
  if (state > kLastThreadState) return false;
  shape->thread_switch.state = static_cast<ThreadState>(state);
  return Give(offset, shape->thread_switch);
}

bool Decoder::Fact(RecordTag tag, size_t offset) {
  switch (tag) {
    case RecordTag::kName: {
      NameRecord name;
      const uint64_t kind = in_.Number();
      if (kind == 0 || kind > static_cast<uint64_t>(kLastNameKind)) return false;
      name.kind = static_cast<NameKind>(kind);
      name.number = in_.Number();
      name.name = Text(in_);
      if (name.kind == NameKind::kDomainCategory) name.domain = Text(in_);
      return Give(offset, name);
    }
    case RecordTag::kProcess: {
      ProcessRecord process;
      process.process = in_.Number32();
      process.parent = in_.Number32();
      process.command = Text(in_);
      process.host = Text(in_);
      process.cupti_version = in_.Number32();
      process.driver_version = in_.Number32();
      process.rank = Text(in_);
      return Give(offset, process);
    }
    case RecordTag::kDevice: {
      DeviceRecord device;
      device.id = in_.Number32();
      device.name = Text(in_);
      device.memory_bytes = in_.Number();
      device.memory_bandwidth_kb_per_s = in_.Number();
      for (uint32_t* number :
           {&device.sm_count, &device.compute_major, &device.compute_minor, &device.l2_bytes, &device.clock_khz})
        *number = in_.Number32();
      return Give(offset, device);
    }
    case RecordTag::kClock: {
      ClockRecord clock;
      clock.monotonic_ns = in_.Number();
      clock.realtime_ns = in_.Number();
      clock.error_ns = in_.Number();
      return Give(offset, clock);
    }
    case RecordTag::kCount: {
      CountRecord count;
      count.cause = Text(in_);
      count.count = in_.Number();
      return Give(offset, count);
    }
    case RecordTag::kUuid: {
      const uint32_t device = in_.Number32();
      const std::string_view bytes = in_.Bytes();
      std::array<uint8_t, 16> uuid = {};
      if (!in_.ok() || bytes.size() != uuid.size()) return false;
      std::copy(bytes.begin(), bytes.end(), uuid.begin());
      return GiveRange(offset, [&] { receiver_.TakeUuid(device, uuid); });
    }
    default:
      return GiveRange(offset, [&] { receiver_.TakeFinish(); });
  }
}

}  // namespace

DecodedChunk DecodeChunk(std::span<const uint8_t> raw, uint64_t base_ns, RecordReceiver& receiver) {
  return Decoder(raw, base_ns, receiver).Run();
}

}  // namespace warpsight::wire
