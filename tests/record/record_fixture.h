// RecordTest: runs `warpsight record` on a program that stands for any other, with a CUPTI that stands for NVIDIA's.
//
// Threads: one.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "base/temporary_folder.h"
#include "cli/record/file_text.h"
#include "formats/open_trace.h"

namespace warpsight {

inline constexpr int kKilled = 128 + 9;
inline constexpr int kAborted = 128 + 6;

struct Recording {
  int status = -1;
  std::string out;
  std::string err;
  std::string file;
};

class RecordTest : public ::testing::Test {
 protected:
  // Runs `warpsight record OPTIONS -- the fake program ARGUMENTS` in a shell, after `before`.
  Recording Record(const std::string& options, const std::string& arguments, const std::string& before = "") {
    const std::string program = std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " " + arguments;
    return RecordCommand(options + " --cupti " + WARPSIGHT_FAKE_CUPTI, program, before);
  }
  Recording RecordCommand(const std::string& options, const std::string& program, const std::string& before = "") {
    return Run(before + " \"" WARPSIGHT_BINARY "\" record -f -o " + output_ + " " + options + " -- " + program);
  }
  // A command line, in a shell.
  Recording Run(const std::string& command) {
    Recording recording;
    recording.file = output_;
    const int status = std::system((command + " > " + folder_.File("out") + " 2> " + folder_.File("err")).c_str());
    // The shell says 128 + the signal when a signal ended what it ran.
    recording.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    recording.out = TextOfFile(folder_.File("out"));
    recording.err = TextOfFile(folder_.File("err"));
    return recording;
  }
  // Runs a script in the folder, where $WARPSIGHT and $PROGRAM are what they say; its exit status.
  int Script(const std::string& script) {
    const std::string file = folder_.File("script.sh");
    std::ofstream(file) << "cd '" << folder_.path() << "'\nWARPSIGHT='" << WARPSIGHT_BINARY << "'\nCUPTI='"
                        << WARPSIGHT_FAKE_CUPTI << "'\nPROGRAM='" << WARPSIGHT_FAKE_PROGRAM << " " << WARPSIGHT_FAKE_CUPTI
                        << "'\n"
                        << script;
    const int status = std::system(("sh '" + file + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string Said(const std::string& name) { return TextOfFile(folder_.File(name)); }
  bool Exists(const std::string& name) { return access(folder_.File(name).c_str(), F_OK) == 0; }
  static Trace Open(const Recording& recording) { return OpenFile(recording.file, recording.err); }
  static Trace OpenFile(const std::string& file, const std::string& said = {}) {
    Result<Trace> trace = OpenTrace(file, {});
    EXPECT_TRUE(trace.ok()) << trace.status().message() << said;
    if (!trace.ok()) std::abort();
    return std::move(trace).value();
  }
  static int64_t RangesNamed(const Trace& trace, std::string_view name) {
    int64_t rows = 0;
    for (uint32_t row = 0; row < trace.host().size(); ++row) {
      const bool range = trace.host().kind[row] == HostKind::kRange;
      rows += range && trace.Text(trace.host().name[row]) == name ? 1 : 0;
    }
    return rows;
  }
  static int64_t CountOf(const Trace& trace, std::string_view cause) { return trace.log().count(cause); }
  static int64_t HostRows(const Trace& trace, HostKind kind) {
    int64_t rows = 0;
    for (const HostKind one : trace.host().kind) rows += one == kind ? 1 : 0;
    return rows;
  }
  // Each kernel lies inside of the recording, after its own launch, which is there.
  static void CheckInvariants(const Trace& trace) {
    for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
      ASSERT_LE(trace.gpu().start_ns[row], trace.gpu().end_ns[row]);
      ASSERT_NE(trace.gpu().launch[row], kNoRow);
      ASSERT_LE(trace.host().start_ns[trace.gpu().launch[row]], trace.gpu().start_ns[row]);
    }
  }

  TemporaryFolder folder_;
  std::string output_ = folder_.File("run.wscap");
};

}  // namespace warpsight
