#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "formats/native/made_capture.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

using testing::MadeCapture;

void AddClockSample(MadeCapture& made, uint64_t time_ns, int64_t mhz, uint32_t device = 0) {
  made.encoder.Add(wire::CounterRecord{"SM clock", "MHz", device, false, time_ns, mhz});
}

int64_t CountOf(const Trace& trace, std::string_view cause) { return trace.log().count(cause); }

uint32_t HostRow(const Trace& trace, std::string_view name) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.Text(trace.host().name[row]) == name) return row;
  }
  return kNoRow;
}

TEST(CaptureImporterTest, LibraryCallsStandBetweenTheOpAndTheLaunch) {
  MadeCapture made;
  made.encoder.AddPush({1, "", "aten::mm, op_id = 3", 0, 0}, 900);
  made.Launch(1000, 5);
  made.encoder.Add(wire::LibraryCallRecord{"cuBLAS", "cublasSgemm_v2", "m=64 n=32 k=16 tn f32", 1, 950, 1050});
  made.encoder.Add(wire::LibraryCallRecord{"", "of a recorder to come", "", 1, 2000, 2010});
  made.encoder.AddPop(1, "", 1100);
  made.Close(42, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const HostEvents& host = trace->host();
  const uint32_t call = HostRow(*trace, "cublasSgemm_v2");
  ASSERT_NE(call, kNoRow);
  EXPECT_EQ(host.kind[call], HostKind::kOther);
  EXPECT_EQ(trace->Text(host.types[call]), "cuBLAS");
  EXPECT_EQ(trace->Text(host.shapes[call]), "m=64 n=32 k=16 tn f32");
  EXPECT_EQ(host.parent[call], HostRow(*trace, "aten::mm"));
  EXPECT_EQ(host.parent[HostRow(*trace, "cudaLaunchKernel")], call);
  EXPECT_EQ(trace->gpu().op[0], HostRow(*trace, "aten::mm"));
  EXPECT_FALSE(trace->recording().has_shapes);  // of ops
  EXPECT_EQ(trace->Text(host.types[HostRow(*trace, "of a recorder to come")]), "library");
}

TEST(CaptureImporterTest, RangesMayCrossChunks) {
  MadeCapture made;
  made.encoder.AddPush({1, {}, "outer", 0, 0}, 1'000'000);
  made.encoder.AddPush({1, "other", "of a domain", 0, 0}, 1'000'100);
  made.Close(5, 0);
  made.Launch(1'000'200, 1);
  // Domains nest each for itself: this ends "outer" although "of a domain" began later.
  made.encoder.AddPop(1, {}, 1'000'500);
  made.encoder.AddStart({1, {}, "started", 0, 0}, 9, 1'000'050);
  made.Close(5, 1);
  made.encoder.AddPop(1, "other", 1'000'900);
  made.encoder.AddEnd(2, {}, 9, 1'000'800);
  made.encoder.AddFinish();
  made.Close(5, 2);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const HostEvents& host = trace->host();
  EXPECT_EQ(host.duration_ns(HostRow(*trace, "outer")), 500);
  EXPECT_EQ(host.duration_ns(HostRow(*trace, "of a domain")), 800);
  EXPECT_EQ(trace->Text(host.types[HostRow(*trace, "of a domain")]), "other");
  EXPECT_EQ(host.duration_ns(HostRow(*trace, "started")), 750);
  ASSERT_EQ(trace->gpu().size(), 1u);
  EXPECT_EQ(trace->Text(trace->gpu().name[0]), "add(float*, float*, int)");
  EXPECT_EQ(trace->gpu().launch[0], HostRow(*trace, "cudaLaunchKernel"));
  EXPECT_EQ(trace->log().kept(), 5);
  EXPECT_EQ(trace->log().read(), 5);
}

TEST(CaptureImporterTest, OpenAndUnbegunRangesAreCounted) {
  MadeCapture made;
  made.encoder.AddPop(1, {}, 1'000'000);
  made.encoder.AddEnd(1, {}, 77, 1'000'001);
  made.encoder.AddPush({1, {}, "open", 0, 0}, 1'000'100);
  made.Launch(1'000'200, 1);
  made.Close(5, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(CountOf(*trace, "range_end_without_begin"), 2);
  EXPECT_EQ(CountOf(*trace, "range_without_end"), 1);
  EXPECT_EQ(CountOf(*trace, "recording_not_finished"), 1);
  EXPECT_EQ(trace->host().end_ns[HostRow(*trace, "open")], 1'000'320);  // the end of the last event
  EXPECT_EQ(trace->log().read(), 5);
  EXPECT_EQ(trace->log().excluded(), 2);
  EXPECT_EQ(trace->log().repaired(), 1);
}

TEST(CaptureImporterTest, ProcessesHaveTheirOwnCorrelationIds) {
  MadeCapture made;
  for (const uint32_t process : {5u, 6u}) {
    made.Launch(1'000'000 + process, 1);
    made.Launch(1'001'000 + process, 2);
    made.encoder.AddFinish();
    made.Close(process, 0);
  }
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->gpu().size(), 4u);
  for (uint32_t row = 0; row < 4; ++row) {
    ASSERT_NE(trace->gpu().launch[row], kNoRow);
    EXPECT_EQ(trace->host().start_ns[trace->gpu().launch[row]], trace->gpu().start_ns[row] - 20);
  }
  EXPECT_EQ(trace->streams().size(), 2u);
}

TEST(CaptureImporterTest, OneProcessMayBeReadAlone) {
  MadeCapture made;
  AddClockSample(made, MadeCapture::kBase + 50, 1980);
  made.encoder.AddFinish();
  made.Close(0, 0);  // of no process
  for (const uint32_t process : {5u, 6u}) {
    wire::ProcessRecord record;
    record.process = process;
    record.rank = process == 5 ? "rank=1 ranks=2" : "rank=0 ranks=2";
    made.encoder.Add(record);
    made.Launch(1'000'000 + process, 1);
    made.encoder.AddFinish();
    made.Close(process, 0);
  }
  const Result<Trace> all = made.Open();
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->gpu().size(), 2u);
  EXPECT_EQ(all->recording().rank, -1) << "two ranks are none of the file";
  ASSERT_EQ(all->counters().size(), 1u);
  EXPECT_EQ(all->counters()[0].process, StringId::kEmpty);
  EXPECT_EQ(CountOf(*all, "recording_not_finished"), 0);
  const Result<Trace> one = made.Open({.process = 5});
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->gpu().size(), 1u);
  EXPECT_EQ(one->gpu().start_ns[0], 1'000'025);
  EXPECT_EQ(one->counters().size(), 1u);
  EXPECT_EQ(one->recording().rank, 1);
  EXPECT_EQ(one->recording().world_size, 2);
  EXPECT_EQ(one->recording().file, "made.wscap (process 5)");
  EXPECT_FALSE(made.Open({.process = 77}).ok() && made.Open({.process = 77})->gpu().size() > 0);
}

// Texts that are no ranks, or of a world that they are not in.
TEST(CaptureImporterTest, RanksThatCantBeAreNotBelieved) {
  for (const std::string_view text : {"rank=2 ranks=2", "rank=-1 ranks=2", "ranks=2", "rank=1", "rank=x ranks=y"}) {
    MadeCapture made;
    wire::ProcessRecord record;
    record.rank = text;
    made.encoder.Add(record);
    made.Launch(1'000'000, 1);
    made.Close(5, 0);
    const Result<Trace> trace = made.Open();
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace->recording().rank, -1) << text;
  }
}

TEST(CaptureImporterTest, AnEndMayStandBeforeItsStart) {
  MadeCapture made;
  made.encoder.AddEnd(2, {}, 9, 1'000'800);
  made.encoder.AddStart({1, {}, "crosses threads", 0, 0}, 9, 1'000'050);
  made.Close(5, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->host().duration_ns(0), 750);
  EXPECT_EQ(trace->log().excluded(), 0);
}

TEST(CaptureImporterTest, DevicesAreToldApartByUuid) {
  MadeCapture made;
  // Two ranks that each see one GPU, as their device 0.
  for (const uint32_t process : {5u, 6u}) {
    wire::DeviceRecord device;
    device.name = process == 5 ? "first" : "second";
    device.uuid[0] = static_cast<uint8_t>(process);
    made.encoder.Add(device);
    made.Launch(1'000'000, 1);
    made.Launch(1'001'000, 2);
    made.encoder.Add(wire::CudaEventRecord{{0, 1, 7, 0}, 3, {1'002'000, 1'002'000, 9}});
    made.encoder.AddFinish();
    made.Close(process, 0);
  }
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->devices().size(), 2u);
  EXPECT_EQ(trace->devices()[0].name, "first");
  EXPECT_EQ(trace->devices()[1].name, "second");
  for (const Device& device : trace->devices()) EXPECT_EQ(device.end_work - device.first_work, 2u);
  ASSERT_EQ(trace->gpu_spans().size(), 2u);
  ASSERT_EQ(trace->streams().size(), 2u);
  EXPECT_NE(trace->gpu_spans().stream[0], trace->gpu_spans().stream[1]);
}

TEST(CaptureImporterTest, RangesOfPyTorchAreOps) {
  MadeCapture made;
  made.encoder.AddPush({1, {}, "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]", 0, 0}, 1'000'000);
  made.encoder.AddPop(1, {}, 1'000'500);
  made.Close(5, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->host().kind[0], HostKind::kOp);
  EXPECT_EQ(trace->Text(trace->host().name[0]), "aten::mm");
  EXPECT_EQ(trace->Text(trace->host().shapes[0]), "[[2, 4], [4, 8]]");
  EXPECT_TRUE(trace->recording().has_shapes);
}

TEST(CaptureImporterTest, RangesOfModulesAreFrames) {
  MadeCapture made;
  made.encoder.AddPush({1, "warpsight", "nn.Module: Linear_0", 0, 0}, 1'000'000);
  made.encoder.AddPush({1, {}, "nn.Module: of the user's", 0, 0}, 1'000'100);
  made.encoder.AddPop(1, {}, 1'000'400);
  made.encoder.AddPop(1, "warpsight", 1'000'500);
  made.Close(5, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->host().size(), 2u);
  for (uint32_t row = 0; row < 2; ++row) {
    const bool ours = trace->Text(trace->host().name[row]) == "nn.Module: Linear_0";
    EXPECT_EQ(trace->host().kind[row], ours ? HostKind::kPythonFrame : HostKind::kRange);
    EXPECT_EQ(trace->host().end_ns[row] - trace->host().start_ns[row], ours ? 500 : 300);
  }
}

TEST(CaptureImporterTest, LossesAndGapsAreSaid) {
  MadeCapture made;
  made.Launch(1'000'000, 1);
  made.Close(5, 0);
  made.encoder.Add(wire::CountRecord{"dropped_by_cupti", 12});
  made.encoder.Add(wire::CountRecord{"problem: no clock", 1});
  made.encoder.Add(wire::CountRecord{"records_kept", 2});
  made.encoder.AddFinish();
  made.Close(5, 4);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(CountOf(*trace, "dropped_by_cupti"), 12);
  EXPECT_EQ(CountOf(*trace, "recorder_problem"), 1);
  EXPECT_EQ(CountOf(*trace, "missing_chunks"), 3);
  EXPECT_EQ(CountOf(*trace, "records_kept"), 0);
}

TEST(CaptureImporterTest, CountsThatAreNotOursAreNamedNotBelieved) {
  MadeCapture made;
  made.Launch(1'000'000, 1);
  made.encoder.Add(wire::CountRecord{"<probl\n\x1b", 7});
  made.encoder.Add(wire::CountRecord{"dropped_by_cupti", ~uint64_t{0}});
  made.Close(5, 0);
  made.encoder.Add(wire::CountRecord{"dropped_by_cupti", ~uint64_t{0}});
  made.encoder.AddFinish();
  made.Close(5, 1);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(CountOf(*trace, "dropped_by_cupti"), INT64_MAX);
  EXPECT_EQ(CountOf(*trace, "unknown_count"), 7);
}

TEST(CaptureImporterTest, TimesThatCantBeAreMended) {
  MadeCapture made;
  wire::KernelRecord kernel;
  kernel.name = "k";
  kernel.span = {1'000'500, 1'000'400, 1};
  made.encoder.Add(kernel);
  kernel.span = {1'000'600, ~uint64_t{0} - 5, 2};
  made.encoder.Add(kernel);
  made.Close(5, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(CountOf(*trace, "negative_duration"), 1);
  EXPECT_EQ(CountOf(*trace, "absurd_duration"), 1);
  EXPECT_EQ(trace->gpu().duration_ns(0), 0);
  EXPECT_EQ(trace->gpu().duration_ns(1), 0);
}

TEST(CaptureImporterTest, AFileCutAnywhereHasItsWholeChunks) {
  MadeCapture made;
  std::vector<size_t> ends;
  for (uint32_t i = 0; i < 4; ++i) {
    made.Launch(1'000'000 + i * 1000, i + 1);
    made.Close(5, i);
    ends.push_back(made.bytes.size());
  }
  for (size_t size = 0; size <= made.bytes.size(); ++size) {
    const std::string bytes = made.bytes.substr(0, size);
    const Result<Trace> trace = OpenTraceBytes(bytes, "cut.wscap", {});
    uint32_t whole = 0;
    for (const size_t end : ends) whole += end <= size ? 1 : 0;
    ASSERT_EQ(trace.ok(), whole > 0) << size;
    if (!trace.ok()) {
      EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
      continue;
    }
    EXPECT_EQ(trace->gpu().size(), whole) << size;
    EXPECT_EQ(CountOf(*trace, "cut_off_file"), whole > 0 && size != ends[whole - 1] ? 1 : 0) << size;
  }
}

TEST(CaptureImporterTest, ADamagedChunkIsNotedAndLeftOut) {
  MadeCapture made;
  for (uint32_t i = 0; i < 3; ++i) {
    made.Launch(1'000'000 + i * 1000, i + 1);
    made.Close(5, i);
  }
  std::string bytes = made.bytes;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  const Result<Trace> trace = OpenTraceBytes(bytes, "damaged.wscap", {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_GE(trace->gpu().size(), 1u);
  EXPECT_EQ(CountOf(*trace, "damaged_chunk") + CountOf(*trace, "cut_off_file"), 1);
}

TEST(CaptureImporterTest, OtherVersionsAreRefused) {
  MadeCapture made;
  made.bytes[8] = 9;
  const Result<Trace> trace = made.Open();
  ASSERT_FALSE(trace.ok());
  EXPECT_NE(trace.status().message().find("version 9"), std::string::npos);
}

TEST(CaptureImporterTest, ARecordingOfTheH200DoesNotDependOnThreads) {
  const std::string path = WARPSIGHT_EXAMPLES_DIR "/record_decode_b1.wscap";
  for (const int threads : {1, 2, 7}) {
    ImportOptions options;
    options.threads = threads;
    const Result<Trace> trace = OpenTrace(path, options);
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(trace->log().read(), 56206);
    EXPECT_EQ(trace->gpu().size(), 9456u);
    EXPECT_EQ(trace->attribution().with_launch, 9456);
    EXPECT_EQ(trace->attribution().launch_after_start, 0);
    ASSERT_EQ(trace->devices().size(), 1u);
    EXPECT_EQ(trace->devices()[0].name, "NVIDIA H200");
    EXPECT_TRUE(trace->recording().has_shapes);
  }
}

TEST(CaptureImporterTest, SamplesOfAllChunksAndProcessesAreKept) {
  MadeCapture made;
  made.Launch(MadeCapture::kBase, 1);
  AddClockSample(made, MadeCapture::kBase + 100, 1980);
  AddClockSample(made, MadeCapture::kBase + 200, 1965);
  made.Close(7, 0);
  AddClockSample(made, MadeCapture::kBase + 300, 1950);
  const double load = 0.25;
  made.encoder.Add(wire::CounterRecord{"SM active", "%", 0, true, MadeCapture::kBase + 300, std::bit_cast<int64_t>(load)});
  made.encoder.Add(wire::CounterRecord{"SM active", "%", 0, true, MadeCapture::kBase + 400, int64_t{0x7FF} << 52});
  made.encoder.AddFinish();
  made.Close(7, 1);
  AddClockSample(made, MadeCapture::kBase + 150, 1700);
  made.encoder.AddFinish();
  made.Close(8, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  ASSERT_EQ(trace->counters().size(), 3u);
  const CounterSamples& samples = trace->counter_samples();
  EXPECT_EQ(trace->Text(trace->counters()[0].name), "SM active");
  EXPECT_EQ(samples.Double(trace->counters()[0], 0), 0.25);
  const CounterSeries& clock = trace->counters()[1];
  EXPECT_EQ(trace->Text(clock.process), "7");
  EXPECT_EQ(trace->Text(clock.unit), "MHz");
  EXPECT_EQ(clock.kind, CounterKind::kInteger);
  ASSERT_EQ(clock.size(), 3u);
  EXPECT_EQ(samples.value[clock.end - 1], 1950);
  EXPECT_EQ(samples.time_ns[clock.end - 1], static_cast<Ns>(MadeCapture::kBase + 300));
  EXPECT_EQ(trace->Text(trace->counters()[2].process), "8");
  EXPECT_EQ(CountOf(*trace, "bad_counter_value"), 1);
  EXPECT_EQ(trace->log().excluded(), 1);
}

// Each rank sees one GPU and calls it 0.
TEST(CaptureImporterTest, SamplesFollowTheirDevice) {
  MadeCapture made;
  for (uint32_t process = 1; process <= 2; ++process) {
    wire::DeviceRecord device;
    device.name = "GPU";
    device.uuid[0] = static_cast<uint8_t>(process);
    made.encoder.Add(device);
    AddClockSample(made, MadeCapture::kBase + process, 1000 + process);
    made.encoder.AddFinish();
    made.Close(process, 0);
  }
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  ASSERT_EQ(trace->counters().size(), 2u);
  for (int32_t device = 0; device < 2; ++device) {
    EXPECT_EQ(trace->counters()[static_cast<size_t>(device)].device, device);
    EXPECT_EQ(trace->counter_samples().value[static_cast<size_t>(device)], 1001 + device);
  }
}

// A mark is three bytes, and equal ones shrink to nothing: a file of 20 kB would become gigabytes of rows.
TEST(CaptureImporterTest, CpuSamplesShareTheirStacksAcrossChunks) {
  MadeCapture made;
  const auto sample = [&](uint32_t thread, uint64_t time_ns, const std::vector<const char*>& stack) {
    uint32_t frame = 0;
    for (const std::string function : stack) {
      const auto kind = function.find(".py") == std::string::npos ? wire::FrameKind::kNative : wire::FrameKind::kPython;
      frame = made.encoder.AddFrame({frame, function, "program", kind});
    }
    made.encoder.Add(wire::SampleRecord{thread, time_ns, frame});
  };
  sample(3, MadeCapture::kBase + 50, {"main", "_ZN3Net7forwardEv"});
  made.Close(9, 0);
  sample(3, MadeCapture::kBase + 20, {"main", "_ZN3Net7forwardEv"});
  sample(2, MadeCapture::kBase + 30, {"step (a.py:3)"});
  sample(2, MadeCapture::kBase + 10, {});
  made.encoder.AddFinish();
  made.Close(9, 1);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  const CpuSamples& samples = trace->cpu_samples();
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_EQ(samples.stack[0], 0u);
  EXPECT_EQ(trace->stacks().frame(samples.stack[1]).kind, FrameKind::kPython);
  EXPECT_EQ(samples.time_ns[2], static_cast<Ns>(MadeCapture::kBase + 20));
  EXPECT_EQ(samples.stack[2], samples.stack[3]);
  const StackFrame& frame = trace->stacks().frame(samples.stack[3]);
  EXPECT_EQ(trace->Text(frame.function), "Net::forward()");
  EXPECT_EQ(trace->Text(frame.module), "program");
  EXPECT_EQ(trace->Text(trace->stacks().frame(frame.parent).function), "main");
  EXPECT_EQ(trace->log().kept(), 4);
}

TEST(CaptureImporterTest, ChunksThatInflateTooFarAreRefused) {
  MadeCapture made;
  uint32_t sequence = 0;
  const auto close_chunk_of_marks = [&] {
    for (int i = 0; i < 1'000'000; ++i) made.encoder.AddMark({1, {}, "m", 0, 0}, MadeCapture::kBase);
    made.Close(5, sequence++);
  };
  close_chunk_of_marks();
  const Result<Trace> few = made.Open();
  ASSERT_TRUE(few.ok()) << few.status().message();
  EXPECT_EQ(few->log().kept(), 1'000'000);
  const size_t one_chunk = made.bytes.size();
  while (sequence < 14) close_chunk_of_marks();
  EXPECT_LT(made.bytes.size(), 20 * one_chunk);
  const Result<Trace> many = made.Open();
  ASSERT_FALSE(many.ok());
  EXPECT_EQ(many.status().kind(), StatusKind::kUnreadable);
  EXPECT_NE(many.status().message().find("chunks say that they inflate to"), std::string::npos) << many.status().message();
}

// Honest repetition: equal launches at equal distances shrink far more than any real recording, and must open.
TEST(CaptureImporterTest, EqualLaunchesOpen) {
  MadeCapture made;
  for (uint32_t chunk = 0; chunk < 8; ++chunk) {
    for (uint32_t i = 0; i < 100'000; ++i) made.Launch(MadeCapture::kBase + 200 * i, chunk * 100'000 + i + 1);
    made.Close(5, chunk);
  }
  EXPECT_LT(made.bytes.size(), 200'000u);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->gpu().size(), 800'000u);
}

// What a name record or a device refers to is not copied for each.
TEST(CaptureImporterTest, LongTextsAreHeldOnce) {
  MadeCapture made;
  const std::string text(wire::kMaxTextBytes, 't');
  for (uint32_t i = 0; i < 300'000; ++i) made.encoder.Add(wire::NameRecord{wire::NameKind::kThread, i, text});
  made.Close(5, 0);
  for (uint32_t i = 0; i < 100'000; ++i) {
    wire::DeviceRecord device;
    device.id = i;
    device.name = text;
    made.encoder.Add(device);
  }
  made.Close(5, 1);
  for (uint32_t i = 0; i < 100'000; ++i) made.encoder.AddPush({i, text, text, 0, 0}, MadeCapture::kBase + i);
  made.Close(5, 2);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(CountOf(*trace, "thread_names_left_out"), 100'000);
  EXPECT_LE(trace->devices().size(), 256u);
  EXPECT_EQ(trace->host().size(), 100'000u);
}

// Damaged numbers of devices: finding each among all the others would take minutes.
TEST(CaptureImporterTest, ManyDevicesTakeNoSquare) {
  MadeCapture made;
  constexpr uint32_t kDevices = 150'000;
  for (uint32_t device = 0; device < kDevices; ++device) {
    wire::KernelRecord kernel;
    kernel.name = "k";
    kernel.place = {device, 1, 7, 0};
    kernel.span = {MadeCapture::kBase + device, MadeCapture::kBase + device + 5, device + 1};
    made.encoder.Add(kernel);
    if (device % 50'000 == 49'999) made.Close(5, device / 50'000);
  }
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->devices().size(), kDevices);
  EXPECT_EQ(trace->FindDevice(77'777)->id, 77'777);
  EXPECT_EQ(trace->FindDevice(static_cast<int32_t>(kDevices)), nullptr);
}

}  // namespace
}  // namespace warpsight
