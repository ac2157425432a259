// The recorder as a guest: whatever becomes of the program, its output and exit status are its own, however it is recorded,
// and what was recorded can be read.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "cli/record/output_name.h"
#include "record/record_fixture.h"

namespace warpsight::record_guest_test {
namespace {

class RecordGuestTest : public RecordTest {};

TEST_F(RecordGuestTest, EveryEndUnderEveryWayOfRecording) {
  struct Way {
    const char* options;
    const char* arguments;
    bool has_file;
  };
  struct End {
    const char* how;
    int status;
  };
  constexpr End kEnds[] = {{"exit", 3},         {"quick", 3}, {"abort", kAborted}, {"kill", kKilled},
                           {"throw", kAborted}, {"exec", 3},  {"fork", 3},         {"close", 3}};
  for (const Way& way : {Way{"--ring 10", "", true}, Way{"-c nvtx -p window", "windows=1 gap_ms=1300", true},
                         Way{"-c cudaProfilerApi --capture-range-end=none", "windows=1 by=profiler gap_ms=1300", true},
                         Way{"-d 0.3", "", true}, Way{"-y 0.3", "", true}, Way{"--armed", "", false}}) {
    // Long enough for chunks to go out before a death that nobody is told of.
    std::string script = "ulimit -c 0\n";
    for (const End& end : kEnds) {
      const std::string name = end.how;
      script += "(\"$WARPSIGHT\" record -f -o " + name + ".wscap --cupti \"$CUPTI\" " + way.options +
                " -- $PROGRAM status=3 for_ms=1300 " + way.arguments + " end=" + name + " > " + name + ".out 2> " + name +
                ".err; echo $? > " + name + ".status) &\n";
    }
    EXPECT_EQ(Script(script + "wait\n"), 0);
    for (const End& end : kEnds) {
      const std::string name = end.how;
      SCOPED_TRACE(std::string(way.options) + ", " + name + ": " + Said(name + ".err"));
      EXPECT_EQ(Said(name + ".status"), std::to_string(end.status) + "\n");
      EXPECT_EQ(Said(name + ".out"), "output of the program\n");
      EXPECT_EQ(Exists(name + ".wscap"), way.has_file);
      if (!way.has_file || !Exists(name + ".wscap")) continue;
      const Trace trace = OpenFile(folder_.File(name + ".wscap"));
      CheckInvariants(trace);
      EXPECT_GT(HostRows(trace, HostKind::kRange), 0);
      EXPECT_EQ(CountOf(trace, "missing_chunks"), 0);
      std::filesystem::remove(folder_.File(name + ".wscap"));
    }
  }
}

TEST_F(RecordGuestTest, AnotherClientOfCuptiGetsWhatItGetsWithoutUs) {
  const std::string arguments = "launches=30 gap_ms=500 client=" WARPSIGHT_FAKE_CUPTI_CLIENT;
  const Recording bare = Run(WARPSIGHT_FAKE_PROGRAM " " WARPSIGHT_FAKE_CUPTI " " + arguments);
  EXPECT_EQ(bare.out,
            "client: 40 kernels, 0 of a wrong time, 0 buffers of others, 0 kept\n"
            "client: 80 kernels, 0 of a wrong time, 0 buffers of others, 0 kept\noutput of the program\n");
  for (const char* options : {"", "-c nvtx -p step@* --capture-range-end=none", "--ring 10"}) {
    const Recording recording = Record(options, arguments);
    EXPECT_EQ(recording.out, bare.out) << options;
    const Trace trace = Open(recording);
    CheckInvariants(trace);
    // Before, between and after: 30 each; the client's 80 are the client's.
    EXPECT_EQ(trace.gpu().size(), 90u) << options;
    EXPECT_NE(recording.err.find("libfake_cupti_client.so used CUPTI itself for "), std::string::npos) << recording.err;
  }
  // It comes while nothing is recorded, or has the callbacks that cudaProfilerStart is followed by.
  for (const char* options : {"--armed", "-c cudaProfilerApi"})
    EXPECT_EQ(Record(options, arguments).out, bare.out) << options;
}

TEST_F(RecordGuestTest, ARingOutlivesAKilledProgram) {
  const Recording recording = Record("--ring 1", "for_ms=3500 end=kill");
  EXPECT_EQ(recording.status, kKilled);
  EXPECT_NE(recording.err.find("ended without closing the recording"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(CountOf(trace, "recording_not_finished"), 1);
  EXPECT_EQ(CountOf(trace, "missing_chunks"), 0);
  // The last second and the chunk that reaches into it, up to the last chunk before the end.
  EXPECT_GT(trace.gpu().size(), 500u);
  EXPECT_LT(trace.capture().duration(), 3'100'000'000);
  EXPECT_EQ(trace.devices()[0].name, "Fake GPU");
  EXPECT_TRUE(trace.recording().has_clock_base);
}

TEST_F(RecordGuestTest, ARingStaysAsSmallAsItWasAskedToBe) {
  const Recording recording = Record("--ring 100 --max-size 40K", "launches=100000 for_ms=1500 nvtx=0");
  EXPECT_EQ(recording.status, 0);
  EXPECT_LT(std::filesystem::file_size(recording.file), 60'000u);
  EXPECT_GT(CountOf(Open(recording), "dropped_no_room"), 0) << recording.err;
}

TEST_F(RecordGuestTest, ManyThreadsAndProcessesUnderARing) {
  const std::string program = std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " launches=100 threads=64";
  std::string script = "sh -c '";
  for (int i = 0; i < 16; ++i) script += program + " & ";
  const Recording recording =
      RecordCommand(std::string("--ring 60 --cupti ") + WARPSIGHT_FAKE_CUPTI, script + "wait; exit 5'");
  EXPECT_EQ(recording.status, 5);
  EXPECT_NE(recording.err.find("16 processes"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(trace.gpu().size(), 102400u);
}

TEST_F(RecordGuestTest, AFullDiskUnderEveryWayOfRecording) {
  for (const char* options :
       {"--ring 10", "-c nvtx -p window --capture-range-end=repeat", "-c nvtx -p window --capture-range-end=none"}) {
    for (const char* limit : {"ulimit -f 20;", "ulimit -f 0;"}) {
      SCOPED_TRACE(std::string(options) + " " + limit);
      // Not to files: those have no room.
      const std::string program =
          std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " launches=50000 windows=2 status=4";
      EXPECT_EQ(Script("{ (" + std::string(limit) + " \"$WARPSIGHT\" record -f -o run.wscap --cupti \"$CUPTI\" " + options +
                       " -- " + program + "; echo status $?) 2>&3 | cat > out; } 3>&1 | cat > err"),
                0);
      EXPECT_EQ(Said("out"), "output of the program\nstatus 4\n") << Said("err");
      const bool none = std::string_view(limit) == "ulimit -f 0;";
      EXPECT_NE(Said("err").find(none ? "nothing was recorded: there was no room" : "LOST"), std::string::npos)
          << Said("err");
    }
  }
}

TEST_F(RecordGuestTest, AFileSystemWithoutRoomIsNotTheProgramsProblem) {
  // Where the user may: a file system of a few pages.
  const Recording recording = RecordCommand("", "true");
  EXPECT_EQ(recording.status, 0);
  const int status = Script(
      "unshare --mount --map-root-user true 2> /dev/null || exit 77\nmkdir small\n"
      "unshare --mount --map-root-user sh -c 'mount -t tmpfs -o size=64k none small || exit 77; \"$1\" record --ring 5 "
      "--cupti "
      "\"$2\" -o small/run.wscap -- $3 launches=50000 for_ms=500 status=4 > out 2> err; echo $? > status; cp "
      "small/run.wscap "
      "kept.wscap 2> /dev/null; true' x \"$WARPSIGHT\" \"$CUPTI\" \"$PROGRAM\"\n");
  if (status == 77) GTEST_SKIP() << "no file system of one's own here";
  EXPECT_EQ(Said("status"), "4\n");
  EXPECT_EQ(Said("out"), "output of the program\n");
  EXPECT_NE(Said("err"), "");
}

TEST_F(RecordGuestTest, AFolderThatTakesNoFileIsSaid) {
  EXPECT_EQ(
      Script("touch file\n\"$WARPSIGHT\" record --cupti \"$CUPTI\" -o file/run.wscap -- $PROGRAM status=6 > out 2> err"), 6);
  EXPECT_EQ(Said("out"), "output of the program\n");
  EXPECT_NE(Said("err").find("nothing is recorded: file/run.wscap can't be written"), std::string::npos) << Said("err");
  if (geteuid() == 0) return;  // who may write anywhere
  EXPECT_EQ(
      Script("mkdir closed; chmod 555 closed\n\"$WARPSIGHT\" record --cupti \"$CUPTI\" -o closed/run.wscap -- $PROGRAM "
             "status=6 > out 2> err"),
      6);
}

TEST_F(RecordGuestTest, StreamsThatAreClosedStayClosed) {
  for (const char* closed : {">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"}) {
    SCOPED_TRACE(closed);
    const int status = Script(
        "rm -f run.wscap\n\"$WARPSIGHT\" record --cupti \"$CUPTI\" -o run.wscap -- $PROGRAM launches=100 "
        "status=3 " +
        std::string(closed));
    EXPECT_EQ(status, 3);
    EXPECT_EQ(OpenFile(folder_.File("run.wscap")).gpu().size(), 100u);
  }
}

TEST_F(RecordGuestTest, RecordingsAtOnceTakeDifferentNames) {
  EXPECT_EQ(
      Script("for i in 1 2 3 4 5 6; do \"$WARPSIGHT\" record --cupti \"$CUPTI\" -- $PROGRAM launches=10$i sleep_ms=700 "
             "> /dev/null 2>> err & done\nwait\n"
             "\"$WARPSIGHT\" record --cupti \"$CUPTI\" -o named.wscap -- $PROGRAM sleep_ms=700 > /dev/null 2> err1 &\n"
             "sleep 0.3; \"$WARPSIGHT\" record --cupti \"$CUPTI\" -o named.wscap -- touch ran 2> err2; echo $? > status\n"
             "wait\n\"$WARPSIGHT\" record -o nothing.wscap -- true 2> /dev/null\n"),
      0);
  std::set<size_t> kernels;
  for (int i = 1; i <= 6; ++i) kernels.insert(OpenFile(folder_.File("capture" + std::to_string(i) + ".wscap")).gpu().size());
  EXPECT_EQ(kernels, (std::set<size_t>{101, 102, 103, 104, 105, 106})) << Said("err");
  EXPECT_EQ(Said("status"), "2\n");
  EXPECT_NE(Said("err2").find("the file exists"), std::string::npos) << Said("err2");
  EXPECT_FALSE(Exists("ran"));
  EXPECT_EQ(OpenFile(folder_.File("named.wscap")).gpu().size(), 10u);
  EXPECT_FALSE(Exists("nothing.wscap"));
}

TEST_F(RecordGuestTest, TheProgramMayStandUnderAnyName) {
  EXPECT_EQ(Script("mkdir 'a;b%3B;folder='; cp \"$CUPTI\" 'a;b%3B;folder=/libcupti.so'\n\"$WARPSIGHT\" record --cupti "
                   "\"$PWD/a;b%3B;folder=/libcupti.so\" -o 'a;b%3B;folder=/run.wscap' -- ${PROGRAM% *} \"$PWD/a;b%3B;folder="
                   "/libcupti.so\" > out 2> err"),
            0);
  EXPECT_EQ(OpenFile(folder_.File("a;b%3B;folder=/run.wscap")).gpu().size(), 10u) << Said("err");
}

TEST_F(RecordGuestTest, NamesDoNotSteerTheTerminal) {
  EXPECT_EQ(Script("\"$WARPSIGHT\" record -- \"$(printf 'a\\033[31m\\233m\\302\\233m\\377b\\r\\nc')\" 2> err"), 127);
  const std::string said = Said("err");
  for (const char c : said) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  for (const char* bytes : {"\233m", "\302\233", "\377"}) EXPECT_EQ(said.find(bytes), std::string::npos) << said;
  EXPECT_NE(said.find("a [31m"), std::string::npos) << said;
}

TEST(OutputNameTest, NumbersStandBeforeTheEnding) {
  EXPECT_EQ(NumberedName("run.wscap", 2), "run-2.wscap");
  EXPECT_EQ(NumberedName("a.b/run", 10), "a.b/run-10");
  EXPECT_EQ(NumberedName("/x/run.1.wscap", 1), "/x/run.1-1.wscap");
}

}  // namespace
}  // namespace warpsight::record_guest_test
