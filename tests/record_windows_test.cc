// `warpsight record --capture-range`: recording begins and ends where the program says so, and ranges make the files that
// were asked for. The fake program (tests/record) makes 10 launches before each of its windows and 20 in it, 10 of another
// thread.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include "cli/record/capture_windows.h"
#include "formats/native/event_record.h"
#include "formats/native/made_capture.h"
#include "record/record_fixture.h"

namespace warpsight::record_windows_test {
namespace {

class RecordWindowsTest : public RecordTest {
 protected:
  // The kernels of run.wscap, run-1.wscap, ...; -1 = there is no such file.
  int64_t KernelsOf(const std::string& name) {
    if (!Exists(name)) return -1;
    const Trace trace = OpenFile(folder_.File(name));
    CheckInvariants(trace);
    EXPECT_EQ(CountOf(trace, "recording_not_finished"), 0);
    return trace.gpu().size();
  }
};

TEST_F(RecordWindowsTest, EveryKindOfRangeBeginsAndEndsTheRecording) {
  struct Case {
    const char* by;
    const char* options;
  };
  for (const Case& one : {Case{"push", "-c nvtx -p window"}, Case{"push", "-c nvtx -p 'window@*'"},
                          Case{"wide", "-c nvtx -p window"}, Case{"start", "-c nvtx -p window"},
                          Case{"registered", "-c nvtx -p window@trainer"}, Case{"domain", "-c nvtx -p window@trainer"},
                          Case{"profiler", "-c cudaProfilerApi"}, Case{"program", "-c program --capture-range-end=stop"}}) {
    SCOPED_TRACE(std::string(one.by) + " " + one.options);
    const Recording recording = Record(one.options, std::string("windows=3 status=5 by=") + one.by);
    EXPECT_EQ(recording.status, 5);
    EXPECT_EQ(recording.out, "output of the program\n");
    EXPECT_NE(recording.err.find("20 of them kernels"), std::string::npos) << recording.err;
    EXPECT_NE(recording.err.find("2 more ranges began and are not recorded"), std::string::npos) << recording.err;
    EXPECT_EQ(KernelsOf("run.wscap"), 20);
    const Trace trace = Open(recording);
    EXPECT_EQ(RangesNamed(trace, "step"), 20);
    // The range itself is there, whole; one of its name inside of it changes nothing.
    const std::string_view by = one.by;
    EXPECT_EQ(RangesNamed(trace, "window"), by == "push" || by == "wide" || by == "start" ? 2 : 1);
    EXPECT_EQ(trace.log().excluded(), 0);
  }
}

TEST_F(RecordWindowsTest, ARangeOfAnotherDomainOrNameIsNotMeant) {
  for (const char* options : {"-c nvtx -p other", "-c nvtx -p windo", "-c nvtx -p window@other", "-c nvtx -p 'other@*'"}) {
    const Recording recording = Record(options, "windows=2 by=domain status=5");
    EXPECT_EQ(recording.status, 5);
    EXPECT_NE(recording.err.find("nothing was recorded: no NVTX range"), std::string::npos) << recording.err;
    EXPECT_FALSE(Exists("run.wscap")) << options;
  }
  // Without a domain the default one is meant, and the range is in another.
  EXPECT_NE(Record("-c nvtx -p window", "windows=1 by=registered").err.find("nothing was"), std::string::npos);
  EXPECT_NE(Record("-c cudaProfilerApi", "").err.find("no process of the program called cudaProfilerStart"),
            std::string::npos);
}

TEST_F(RecordWindowsTest, AtSignsOfANameAreEscaped) {
  EXPECT_EQ(Record("-c nvtx -p 'a\\@b;%'", "windows=1 'window=a@b;%'").status, 0);
  EXPECT_EQ(KernelsOf("run.wscap"), 20);
}

TEST_F(RecordWindowsTest, RepeatMakesAFileForEachRange) {
  for (const char* options : {"-c nvtx -p window --capture-range-end=repeat",
                              "-c cudaProfilerApi --capture-range-end=repeat", "-c program --capture-range-end=repeat"}) {
    SCOPED_TRACE(options);
    const std::string_view text(options);
    const char* by = text.find("nvtx") != std::string_view::npos   ? "push"
                     : text.find("cuda") != std::string_view::npos ? "profiler"
                                                                   : "program";
    // Kernels run on for longer than the next ranges take to begin: they belong to the range that launched them.
    const Recording recording = Record(options, std::string("windows=4 run_ms=30 sleep_ms=100 by=") + by);
    EXPECT_EQ(recording.status, 0);
    EXPECT_NE(recording.err.find("run-4.wscap: "), std::string::npos) << recording.err;
    EXPECT_FALSE(Exists("run.wscap"));
    EXPECT_FALSE(Exists("run-5.wscap"));
    for (int window = 1; window <= 4; ++window) {
      const std::string name = "run-" + std::to_string(window) + ".wscap";
      EXPECT_EQ(KernelsOf(name), 20) << name;
      const Trace trace = OpenFile(folder_.File(name));
      EXPECT_EQ(HostRows(trace, HostKind::kApi), 20);
      EXPECT_EQ(RangesNamed(trace, "step"), 20);
      EXPECT_EQ(trace.devices()[0].name, "Fake GPU");
      EXPECT_TRUE(trace.recording().has_clock_base);
      EXPECT_EQ(trace.log().excluded() + CountOf(trace, "missing_chunks"), 0);
    }
  }
}

TEST_F(RecordWindowsTest, SoManyRangesAndNoMore) {
  const Recording repeat = Record("-c nvtx -p window --capture-range-end=repeat:2", "windows=5 status=6");
  EXPECT_EQ(repeat.status, 6);
  EXPECT_EQ(KernelsOf("run-1.wscap"), 20);
  EXPECT_EQ(KernelsOf("run-2.wscap"), 20);
  EXPECT_FALSE(Exists("run-3.wscap"));
  EXPECT_NE(repeat.err.find("3 more ranges"), std::string::npos) << repeat.err;

  Record("-c nvtx -p window --capture-range-end=join:3", "windows=5");
  EXPECT_EQ(KernelsOf("run.wscap"), 60);
  Record("-c program", "windows=5 by=program");
  EXPECT_EQ(KernelsOf("run.wscap"), 100);
  // The end does not count: the windows and what is launched between them.
  Record("-c nvtx -p window --capture-range-end=none", "windows=3");
  EXPECT_EQ(KernelsOf("run.wscap"), 80);
}

TEST_F(RecordWindowsTest, TheEndOfTheRangesCanEndTheProgram) {
  const Recording stop = Record("-c nvtx -p window --capture-range-end=stop-shutdown", "windows=1 run_ms=50 sleep_ms=20000");
  EXPECT_EQ(stop.status, 128 + 15);
  EXPECT_EQ(KernelsOf("run.wscap"), 20);
  const Recording repeat = Record("-c cudaProfilerApi --capture-range-end=repeat-shutdown:2 --kill=sigkill",
                                  "windows=2 by=profiler sleep_ms=20000");
  EXPECT_EQ(repeat.status, kKilled);
  EXPECT_EQ(KernelsOf("run-1.wscap"), 20);
  EXPECT_EQ(KernelsOf("run-2.wscap"), 20);
  const Recording kept = Record("-c nvtx -p window --capture-range-end=stop-shutdown --kill=none", "windows=1 status=3");
  EXPECT_EQ(kept.status, 3);
}

TEST_F(RecordWindowsTest, EveryProcessHasItsOwnRanges) {
  const std::string program = std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " windows=";
  const Recording recording =
      RecordCommand(std::string("-c nvtx -p window --capture-range-end=repeat --cupti ") + WARPSIGHT_FAKE_CUPTI,
                    "sh -c '" + program + "2 & " + program + "1 & wait'");
  EXPECT_EQ(recording.status, 0);
  EXPECT_EQ(KernelsOf("run-1.wscap"), 40) << recording.err;
  EXPECT_EQ(KernelsOf("run-2.wscap"), 20);
}

TEST_F(RecordWindowsTest, AProgramThatIsKilledInARangeLeavesIt) {
  const Recording recording =
      Record("-c nvtx -p window --capture-range-end=repeat", "windows=2 gap_ms=1300 end=kill by=push");
  EXPECT_EQ(recording.status, kKilled);
  EXPECT_TRUE(Exists("run-1.wscap"));
  const Trace trace = OpenFile(folder_.File("run-2.wscap"));
  EXPECT_EQ(RangesNamed(trace, "step"), 20);
  EXPECT_EQ(CountOf(trace, "recording_not_finished"), 1);
}

TEST_F(RecordWindowsTest, FilesThatExistAreNotWrittenOver) {
  EXPECT_EQ(Script("touch run-1.wscap\n\"$WARPSIGHT\" record -o run.wscap --cupti \"$CUPTI\" -c nvtx -p window "
                   "--capture-range-end=repeat -- $PROGRAM windows=2 2> err"),
            2);
  EXPECT_EQ(Script("rm run-1.wscap; touch run-2.wscap\n\"$WARPSIGHT\" record -o run.wscap --cupti \"$CUPTI\" -c nvtx -p "
                   "window --capture-range-end=repeat -- $PROGRAM windows=2 > out 2> err"),
            0);
  EXPECT_EQ(KernelsOf("run-1.wscap"), 20) << Said("err");
  EXPECT_NE(Said("err").find("run-2.wscap: the file exists"), std::string::npos);
  EXPECT_NE(Said("err").find("range 2 lies in"), std::string::npos);
  // Without a name, the first number with which no file of it exists.
  EXPECT_EQ(Script("touch capture1-1.wscap\n\"$WARPSIGHT\" record --cupti \"$CUPTI\" -c nvtx -p window "
                   "--capture-range-end=repeat -- $PROGRAM windows=2 > out 2> err"),
            0);
  EXPECT_EQ(KernelsOf("capture2-2.wscap"), 20) << Said("err");
}

TEST(CaptureWindowsTest, ListsAreReadAsFarAsTheyMakeSense) {
  const WindowsOfPart windows = ParseWindows("begin 5\nend 7\nbegin\nbegin x\nbegin 12\nignored 3\nbegin 1");
  EXPECT_EQ(windows.begins_ns, (std::vector<uint64_t>{1, 5, 12}));
  EXPECT_EQ(windows.ignored, 3u);
  EXPECT_TRUE(ParseWindows("").begins_ns.empty());
}

// What a stream reaches late belongs to the call that put it there; the names of all domains stand in each file.
TEST_F(RecordWindowsTest, EachFileHasWhatWasCalledInItAndEveryName) {
  constexpr uint64_t kBase = testing::MadeCapture::kBase;
  testing::MadeCapture made;
  made.encoder.Add(wire::CallRecord{"cudaEventRecord", 1, 0, {kBase + 10, kBase + 20, 8}});
  made.encoder.Add(wire::CallRecord{"cudaEventRecord", 1, 0, {kBase + 210, kBase + 220, 9}});
  made.encoder.Add(wire::CudaEventRecord{{0, 1, 7, 0}, 3, {kBase + 230, kBase + 230, 8}});
  made.encoder.Add(wire::CudaEventRecord{{0, 1, 7, 0}, 4, {kBase + 240, kBase + 240, 9}});
  made.encoder.AddMark({1, "loader", "loaded", 3, 0}, kBase + 30);
  made.encoder.AddMark({1, "model", "ran", 3, 0}, kBase + 250);
  made.encoder.Add(wire::NameRecord{wire::NameKind::kDomainCategory, 3, "batches", "loader"});
  made.encoder.Add(wire::NameRecord{wire::NameKind::kDomainCategory, 3, "layers", "model"});
  made.Close(1, 0);
  const std::string folder = folder_.File("parts");
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/1-0.wscap", std::ios::binary) << made.bytes;
  ASSERT_EQ(*SplitWindows(folder, {{"1-0", {{kBase, kBase + 200}, 0}}}), 2u);
  for (const auto& [window, reached_ns, category] :
       {std::tuple{1, kBase + 230, "batches"}, std::tuple{2, kBase + 240, "layers"}}) {
    const std::string file = WindowFolder(folder, static_cast<size_t>(window)) + "/1-0.wscap";
    const Trace trace = OpenFile(file);
    ASSERT_EQ(trace.gpu_spans().size(), 1u);
    EXPECT_EQ(trace.gpu_spans().start_ns[0], static_cast<Ns>(reached_ns));
    ASSERT_EQ(trace.instants().size(), 1u);
    ASSERT_EQ(trace.instants()[0].size(), 1u);
    const Result<std::unique_ptr<ByteSource>> bytes = OpenByteSource(file);
    ASSERT_TRUE(bytes.ok());
    const Result<std::string> mark = native::ReadEventRecord(**bytes, trace.instants()[0][0].source);
    ASSERT_TRUE(mark.ok());
    EXPECT_NE(mark->find(std::string("\"category name\":\"") + category + '"'), std::string::npos) << *mark;
  }
}

}  // namespace
}  // namespace warpsight::record_windows_test
