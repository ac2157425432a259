// Encoder and decoder against one another, and the decoder against anything.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "wire/chunk_decoder.h"
#include "wire/chunk_encoder.h"
#include "wire/varint.h"

namespace warpsight::wire {
namespace {

// Writes every record down as text.
class Listing final : public RecordReceiver {
 public:
  std::vector<std::string> lines;

  void At(size_t /*offset*/) override {}
  void Take(const KernelRecord& r) override {
    std::string line = "kernel " + std::string(r.name) + PlaceText(r.place) + SpanText(r.span);
    for (const int32_t n : r.grid) line += " " + std::to_string(n);
    for (const int32_t n : r.block) line += " " + std::to_string(n);
    for (const uint32_t n : r.cluster) line += " " + std::to_string(n);
    lines.push_back(line + Numbers({r.registers_per_thread, static_cast<uint64_t>(r.static_shared_bytes),
                                    static_cast<uint64_t>(r.dynamic_shared_bytes), r.launch_type, r.graph_node}));
  }
  void Take(const CopyRecord& r) override {
    lines.push_back("copy" + PlaceText(r.place) + SpanText(r.span) +
                    Numbers({r.kind, r.source_memory, r.target_memory, r.flags, r.graph_node, r.bytes}));
  }
  void Take(const SetRecord& r) override {
    lines.push_back("set" + PlaceText(r.place) + SpanText(r.span) + Numbers({r.value, r.memory, r.graph_node, r.bytes}));
  }
  void Take(const CallRecord& r) override {
    lines.push_back("call " + std::string(r.name) + SpanText(r.span) + Numbers({r.thread, r.result}));
  }
  void Take(const SyncRecord& r) override {
    lines.push_back("sync" + PlaceText(r.place) + SpanText(r.span) + Numbers({r.type, r.event}));
  }
  void Take(const CudaEventRecord& r) override {
    lines.push_back("event" + PlaceText(r.place) + SpanText(r.span) + Numbers({r.event}));
  }
  void Take(const OverheadRecord& r) override {
    lines.push_back("overhead" + Numbers({r.kind, r.thread, r.start_ns, r.end_ns}));
  }
  void Take(const GraphRecord& r) override { lines.push_back("graph" + PlaceText(r.place) + SpanText(r.span)); }
  void Take(const NameRecord& r) override {
    lines.push_back("name " + std::string(r.name) + " " + std::string(r.domain) +
                    Numbers({static_cast<uint64_t>(r.kind), r.number}));
  }
  void Take(const ProcessRecord& r) override {
    lines.push_back("process " + std::string(r.command) + "," + std::string(r.host) + "," + std::string(r.rank) +
                    Numbers({r.process, r.parent, r.cupti_version, r.driver_version}));
  }
  void Take(const DeviceRecord& r) override {
    lines.push_back("device " + std::string(r.name) +
                    Numbers({r.id, r.memory_bytes, r.memory_bandwidth_kb_per_s, r.sm_count, r.compute_major, r.compute_minor,
                             r.l2_bytes, r.clock_khz}));
  }
  void Take(const ClockRecord& r) override {
    lines.push_back("clock" + Numbers({r.monotonic_ns, r.realtime_ns, r.error_ns}));
  }
  void Take(const CountRecord& r) override { lines.push_back("count " + std::string(r.cause) + Numbers({r.count})); }
  void Take(const CounterRecord& r) override {
    lines.push_back("counter " + std::string(r.name) + "," + std::string(r.unit) +
                    Numbers({r.device, r.is_double ? 1u : 0u, r.time_ns, static_cast<uint64_t>(r.value)}));
  }
  void Take(const GraphNodeRecord& r) override {
    lines.push_back("graph node" + Numbers({r.thread, r.time_ns, r.node, r.original}));
  }
  void Take(const ThreadSwitchRecord& r) override {
    lines.push_back("thread switch" + Numbers({r.thread, r.time_ns, static_cast<uint64_t>(r.state)}));
  }
  void Take(const SampleRecord& r) override { lines.push_back("sample" + Numbers({r.thread, r.time_ns, r.stack})); }
  void TakeFrame(const FrameRecord& r) override {
    lines.push_back("frame " + std::string(r.function) + "," + std::string(r.module) +
                    Numbers({r.parent, static_cast<uint64_t>(r.kind)}));
    ++frames_;
  }
  void Take(const LibraryCallRecord& r) override {
    lines.push_back("library call " + std::string(r.library) + "/" + std::string(r.name) + "/" + std::string(r.sizes) +
                    Numbers({r.thread, r.start_ns, r.end_ns}));
  }
  void TakePush(const RangeText& text, uint64_t time_ns) override {
    lines.push_back("push" + Range(text) + Numbers({time_ns}));
  }
  void TakePop(uint32_t thread, std::string_view domain, uint64_t time_ns) override {
    lines.push_back("pop " + std::string(domain) + Numbers({thread, time_ns}));
  }
  void TakeStart(const RangeText& text, uint64_t id, uint64_t time_ns) override {
    lines.push_back("start" + Range(text) + Numbers({id, time_ns}));
  }
  void TakeEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) override {
    lines.push_back("end " + std::string(domain) + Numbers({thread, id, time_ns}));
  }
  void TakeMark(const RangeText& text, uint64_t time_ns) override {
    lines.push_back("mark" + Range(text) + Numbers({time_ns}));
  }
  void TakeUuid(uint32_t device, const std::array<uint8_t, 16>& uuid) override {
    lines.push_back("uuid" + Numbers({device, uuid[0], uuid[15]}));
  }
  void TakeFinish() override { lines.push_back("finish"); }

  // The same calls, to write down what goes into an encoder.
  template <typename Record>
  void Add(const Record& record) {
    Take(record);
  }
  void AddPush(const RangeText& text, uint64_t time_ns) { TakePush(text, time_ns); }
  void AddPop(uint32_t thread, std::string_view domain, uint64_t time_ns) { TakePop(thread, domain, time_ns); }
  void AddStart(const RangeText& text, uint64_t id, uint64_t time_ns) { TakeStart(text, id, time_ns); }
  void AddEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) {
    TakeEnd(thread, domain, id, time_ns);
  }
  void AddMark(const RangeText& text, uint64_t time_ns) { TakeMark(text, time_ns); }
  void AddFinish() { TakeFinish(); }
  // Equal frames are written once.
  uint32_t AddFrame(const FrameRecord& record) {
    const std::string key = std::string(record.function) + "," + std::string(record.module) + "," +
                            std::to_string(record.parent) + (record.kind == FrameKind::kPython ? "p" : "n");
    const auto [found, added] = numbers_.try_emplace(key, frames_ + 1);
    if (added) TakeFrame(record);
    return found->second;
  }

 private:
  static std::string Numbers(std::initializer_list<uint64_t> numbers) {
    std::string text;
    for (const uint64_t number : numbers) text += " " + std::to_string(number);
    return text;
  }
  std::map<std::string, uint32_t> numbers_;
  uint32_t frames_ = 0;
  static std::string PlaceText(const Place& p) { return Numbers({p.device, p.context, p.stream, p.graph}); }
  static std::string SpanText(const Span& s) { return Numbers({s.start_ns, s.end_ns, s.correlation}); }
  static std::string Range(const RangeText& r) {
    const std::string line =
        " " + std::string(r.domain) + "/" + std::string(r.text) + Numbers({r.thread, r.category, r.color});
    return r.payload_kind == PayloadKind::kNone ? line : line + Numbers({static_cast<uint64_t>(r.payload_kind), r.payload});
  }
};

// A number of any size, small ones as likely as large ones.
uint64_t AnyNumber(std::mt19937_64& random) { return random() >> (random() % 64); }

// Adds the same random records to `a` and `b`.
template <typename A, typename B>
void AddRandom(uint64_t seed, int count, A& a, B& b) {
  std::mt19937_64 random(seed);
  const std::string names[] = {"", "kernel", "_Z5EmptyPf", std::string(5000, 'x'), std::string("a\0b", 3)};
  const auto number = [&random] { return AnyNumber(random); };
  const auto small = [&random] { return static_cast<uint32_t>(AnyNumber(random)); };
  const auto name = [&] { return std::string_view(names[random() % std::size(names)]); };
  const auto place = [&] { return Place{small() % 8, small(), small() % 50, random() % 2 == 0 ? 0 : small()}; };
  const auto span = [&] { return Span{number(), number(), small()}; };
  const auto range = [&] {
    const auto kind = static_cast<PayloadKind>(random() % 5);
    return RangeText{small() % 3, name(), name(), small(), small(), kind, kind == PayloadKind::kNone ? 0 : number()};
  };
  const auto both = [&](const auto& record) {
    a.Add(record);
    b.Add(record);
  };
  for (int i = 0; i < count; ++i) {
    switch (random() % 23) {
      case 22: {
        const uint64_t time = number();
        both(CudaEventRecord{place(), small(), {time, time, small()}});
        break;
      }
      case 21:
        both(ThreadSwitchRecord{small() % 3, number(), static_cast<ThreadState>(random() % (kLastThreadState + 1))});
        break;
      case 20:
        both(GraphNodeRecord{small() % 3, number(), number(), random() % 2 == 0 ? 0 : number()});
        break;
      case 0: {
        KernelRecord kernel;
        kernel.name = name();
        for (int32_t& size : kernel.grid) size = static_cast<int32_t>(small());
        for (int32_t& size : kernel.block) size = static_cast<int32_t>(small() % 1024);
        for (uint32_t& size : kernel.cluster) size = small() % 4;
        kernel.registers_per_thread = small() % 256;
        kernel.static_shared_bytes = static_cast<int32_t>(small());
        kernel.dynamic_shared_bytes = static_cast<int32_t>(small());
        kernel.place = place();
        kernel.graph_node = kernel.place.graph == 0 ? 0 : number();
        kernel.span = span();
        both(kernel);
        break;
      }
      case 1: {
        CopyRecord copy{small(), small(), small(), small(), place(), 0, number(), span()};
        both(copy);
        break;
      }
      case 2: {
        SetRecord set{small(), small(), place(), 0, number(), span()};
        both(set);
        break;
      }
      case 3:
        both(CallRecord{name(), small(), small() % 2, span()});
        break;
      case 4:
        both(SyncRecord{small(), place(), small(), span()});
        break;
      case 5:
        both(OverheadRecord{small(), small(), number(), number()});
        break;
      case 6:
        both(GraphRecord{place(), span()});
        break;
      case 7:
        both(NameRecord{NameKind::kStream, number(), name()});
        break;
      case 8:
        both(ProcessRecord{small(), small(), name(), name(), small(), small(), name()});
        break;
      case 9:
        both(DeviceRecord{small(), name(), number(), number(), small(), small(), small(), small(), small(), {}});
        break;
      case 10:
        both(ClockRecord{number(), number(), number()});
        break;
      case 11:
        both(CountRecord{name(), number()});
        break;
      case 12: {
        const RangeText text = range();
        const uint64_t time = number();
        a.AddPush(text, time);
        b.AddPush(text, time);
        break;
      }
      case 13: {
        const uint32_t thread = small();
        const std::string_view domain = name();
        const uint64_t time = number();
        a.AddPop(thread, domain, time);
        b.AddPop(thread, domain, time);
        break;
      }
      case 14: {
        const RangeText text = range();
        const uint64_t id = number();
        const uint64_t time = number();
        a.AddStart(text, id, time);
        b.AddStart(text, id, time);
        a.AddEnd(text.thread, text.domain, id, time);
        b.AddEnd(text.thread, text.domain, id, time);
        break;
      }
      case 15: {
        const RangeText text = range();
        const uint64_t time = number();
        a.AddMark(text, time);
        b.AddMark(text, time);
        break;
      }
      case 16:
        both(CounterRecord{name(), name(), small() % 3, random() % 2 == 0, number(), static_cast<int64_t>(random())});
        break;
      case 18: {
        uint32_t stack = 0;
        for (uint64_t depth = random() % 6; depth > 0; --depth) {
          const FrameRecord frame{stack, name(), name(), random() % 4 == 0 ? FrameKind::kPython : FrameKind::kNative};
          stack = a.AddFrame(frame);
          ASSERT_EQ(b.AddFrame(frame), stack);
        }
        both(SampleRecord{small() % 5, number(), stack});
        break;
      }
      case 17:
        both(LibraryCallRecord{name(), name(), name(), small(), number(), number()});
        break;
      default:
        a.AddFinish();
        b.AddFinish();
    }
  }
}

TEST(ChunkTest, EveryRecordComesBackAsItWas) {
  ChunkEncoder encoder;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Listing written;
    encoder.Begin(seed * 1'000'003);
    AddRandom(seed, 200, encoder, written);
    Listing read;
    const DecodedChunk decoded = DecodeChunk(encoder.bytes(), encoder.base_ns(), read);
    ASSERT_TRUE(decoded.whole) << "seed " << seed << " byte " << decoded.bad_at;
    ASSERT_EQ(read.lines, written.lines) << "seed " << seed;
  }
  EXPECT_EQ(encoder.cut_texts(), 0u);
}

TEST(ChunkTest, RecordsThatRepeatAreSmall) {
  ChunkEncoder encoder;
  encoder.Begin(1'000'000'000'000);
  KernelRecord kernel;
  kernel.name = "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_";
  CallRecord call;
  call.name = "cudaLaunchKernel";
  constexpr uint32_t kCount = 1000;
  for (uint32_t i = 0; i < kCount; ++i) {
    kernel.span = {1'000'000'005'000u + i * 6000, 1'000'000'007'000u + i * 6000, i};
    call.span = {1'000'000'000'000u + i * 6000, 1'000'000'004'000u + i * 6000, i};
    encoder.Add(call);
    encoder.Add(kernel);
  }
  EXPECT_LT(encoder.bytes().size(), 20 * kCount);
}

TEST(ChunkTest, SamplesThatChangeLittleAreSmall) {
  ChunkEncoder encoder;
  encoder.Begin(1'000'000'000'000);
  constexpr int kCount = 1000;
  for (int i = 0; i < kCount; ++i) {
    const uint64_t time = 1'000'000'000'000u + static_cast<uint64_t>(i) * 100'000'000;
    encoder.Add(CounterRecord{"SM clock", "MHz", 0, false, time, 1980 - i % 3 * 15});
    encoder.Add(CounterRecord{"power", "mW", 0, false, time, 650'000 + i % 7 * 10});
  }
  EXPECT_LT(encoder.bytes().size(), size_t{9} * kCount * 2);
}

TEST(ChunkTest, SamplesThatShareTheirStacksAreSmall) {
  ChunkEncoder encoder;
  encoder.Begin(1'000'000'000'000);
  constexpr int kCount = 10000;
  for (int i = 0; i < kCount; ++i) {
    uint32_t stack = 0;
    for (const char* function : {"main", "Train", "Step", i % 3 == 0 ? "Forward" : "Backward"})
      stack = encoder.AddFrame({stack, function, "trainer", FrameKind::kNative});
    encoder.Add(SampleRecord{7, 1'000'000'000'000u + static_cast<uint64_t>(i) * 1'000'123, stack});
  }
  EXPECT_LT(encoder.bytes().size(), size_t{8} * kCount);
}

TEST(ChunkTest, FramesThatNoRecorderWritesEndAChunk) {
  const auto reads = [](const std::vector<uint8_t>& bytes) {
    Listing read;
    return DecodeChunk(bytes, 0, read).whole;
  };
  const auto frame = [](uint8_t parent, uint8_t kind) {
    return std::vector<uint8_t>{static_cast<uint8_t>(RecordTag::kFrame), parent, 0, 0, kind};
  };
  EXPECT_TRUE(reads(frame(0, 1)));
  EXPECT_FALSE(reads(frame(1, 0)));  // its own parent
  EXPECT_FALSE(reads(frame(0, 2)));
  ChunkEncoder encoder;
  encoder.Begin(0);
  uint32_t stack = 0;
  for (uint32_t i = 0; i < kMaxStackFrames; ++i) stack = encoder.AddFrame({stack, "f", "m", FrameKind::kNative});
  encoder.Add(SampleRecord{1, 2, stack});
  EXPECT_TRUE(reads(encoder.bytes()));
  std::vector<uint8_t> beyond = encoder.bytes();
  beyond.back() = 0xFF;  // the number of a frame that is not there
  beyond.push_back(0x7F);
  EXPECT_FALSE(reads(beyond));
  encoder.AddFrame({stack, "f", "m", FrameKind::kNative});
  EXPECT_FALSE(reads(encoder.bytes()));
}

TEST(ChunkTest, DevicesAreKnownByTheirUuid) {
  ChunkEncoder encoder;
  encoder.Begin(0);
  DeviceRecord device;
  device.id = 3;
  device.name = "GPU";
  device.uuid[0] = 7;
  device.uuid[15] = 9;
  encoder.Add(device);
  Listing read;
  ASSERT_TRUE(DecodeChunk(encoder.bytes(), 0, read).whole);
  EXPECT_EQ(read.lines, (std::vector<std::string>{"device GPU 3 0 0 0 0 0 0 0", "uuid 3 7 9"}));
}

TEST(ChunkTest, LongTextsAreCutAndCounted) {
  ChunkEncoder encoder;
  encoder.Begin(0);
  const std::string text(kMaxTextBytes + 1, 'y');
  encoder.AddMark({1, {}, text, 0, 0}, 5);
  EXPECT_EQ(encoder.cut_texts(), 1u);
  Listing read;
  ASSERT_TRUE(DecodeChunk(encoder.bytes(), 0, read).whole);
  EXPECT_EQ(read.lines.at(0), "mark /" + text.substr(1) + " 1 0 0 5");
}

TEST(ChunkTest, DamageEndsAChunkAndNothingElse) {
  ChunkEncoder encoder;
  encoder.Begin(77);
  Listing written;
  AddRandom(5, 100, encoder, written);
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes = encoder.bytes();
    const size_t flips = 1 + random() % 8;
    for (size_t i = 0; i < flips; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    Listing read;
    const DecodedChunk decoded = DecodeChunk(bytes, 77, read);
    EXPECT_TRUE(decoded.whole || decoded.bad_at <= bytes.size());
  }
}

TEST(VarintTest, AllSizesComeBack) {
  uint8_t bytes[kMaxVarintBytes];
  for (int bits = 0; bits <= 64; ++bits) {
    for (const int64_t off : {-1, 0, 1}) {
      const uint64_t value = (bits == 64 ? 0 : uint64_t{1} << bits) + static_cast<uint64_t>(off);
      const uint8_t* const end = PutVarint(bytes, value);
      uint64_t read = 0;
      ASSERT_EQ(GetVarint(bytes, end, read), end);
      EXPECT_EQ(read, value);
      EXPECT_EQ(GetVarint(bytes, end - 1, read), nullptr);
      EXPECT_EQ(static_cast<uint64_t>(UnZigZag(ZigZag(static_cast<int64_t>(value)))), value);
    }
  }
  const uint8_t too_long[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02};
  uint64_t read = 0;
  EXPECT_EQ(GetVarint(too_long, too_long + sizeof(too_long), read), nullptr);
}

}  // namespace
}  // namespace warpsight::wire
