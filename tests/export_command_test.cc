// `warpsight export` from the outside: files and folders, compression by name, pipes, windows, what is refused and how.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/temporary_folder.h"
#include "csv_rows.h"
#include "export/plain_perfetto.h"
#include "formats/open_trace.h"
#include "hostile/sample_files.h"
#include "hostile/trace_dump.h"

namespace warpsight::testing::export_command_test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string kSmall = WARPSIGHT_TESTDATA_DIR "/kineto_small.json";
const std::string kDecode = WARPSIGHT_EXAMPLES_DIR "/decode_b1.pt.trace.json.gz";
const std::string kNsys = WARPSIGHT_TESTDATA_DIR "/nsys_small.sqlite";

struct ExportRun {
  int status = -1;
  std::string out;
  std::string err;
};

class ExportCommandTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.File(name); }
  static std::string Bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  ExportRun Shell(const std::string& script) const {
    const std::string command = "( " + script + " ) >\"" + Path("out") + "\" 2>\"" + Path("err") + "\"";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Bytes(Path("out")), Bytes(Path("err"))};
  }
  ExportRun Export(const std::string& arguments) const { return Shell("\"" WARPSIGHT_BINARY "\" export " + arguments); }
  std::string To(const std::string& format, const std::string& name) const {
    return " --to " + format + " -o \"" + Path(name) + "\"";
  }
  void ExpectRefused(const std::string& arguments, int status, const std::string& words) const {
    const ExportRun run = Export(arguments);
    EXPECT_EQ(run.status, status) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(run.err.rfind("warpsight: ", 0), 0u) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
  }
  int Files() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

 private:
  const TemporaryFolder folder_;
};

std::string ModelOf(const std::string& path) {
  const Result<Trace> trace = OpenTrace(path, {});
  return trace.ok() ? DumpModel(*trace) : trace.status().message();
}

TEST_F(ExportCommandTest, WhatIsRefused) {
  ExpectRefused(kSmall + To("parquet", "x"), 2, "--to parquet: is not in this version");
  ExpectRefused(kSmall + To("svg", "x"), 2, "no such format: use perfetto, chrome, csv");
  ExpectRefused(kSmall + " -o " + Path("x"), 2, "--to is required");
  ExpectRefused(kSmall + " --to chrome", 2, "-o is missing");
  ExpectRefused(kSmall + " --to csv -o -", 2, "name a folder");
  ExpectRefused(kSmall + " --to csv --table nosuch -o -", 2, "no such table: use host_events, gpu_work");
  ExpectRefused(kSmall + " --to chrome --table gpu_work -o -", 2, "--table: chrome is one file");
  ExpectRefused(kSmall + " --to chrome --json -o -", 2, "--json: standard output is taken");
  ExpectRefused(kSmall + " --csv" + To("chrome", "x"), 2, "use --to csv");
  ExpectRefused(kSmall + " --to chrome -o " + kSmall, 2, "is the recording itself");
  ExpectRefused(kSmall + " --to chrome -o " + Path("no/such/folder/x"), 2, "No such file or directory");
  ExpectRefused(kSmall + " --to perfetto -o " + Path(""), 2, "cannot write: Is a directory");
  ExpectRefused("/nonexistent" + To("chrome", "x"), 3, "cannot open");
  ExpectRefused(kSmall + " --step 99" + To("chrome", "x"), 2, "there is no such step");
  ExpectRefused(WARPSIGHT_TESTDATA_DIR "/two_kernels.ncu-rep" + To("chrome", "x"), 4, "counters");
  EXPECT_FALSE(fs::exists(Path("x")));
}

TEST_F(ExportCommandTest, SaysWhatWasWritten) {
  const ExportRun run = Export(kDecode + To("perfetto", "a.pftrace") + " --json");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const json document = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["schema"], "warpsight.export/1");
  EXPECT_EQ(document["file"], Path("a.pftrace"));
  EXPECT_EQ(document["bytes"], fs::file_size(Path("a.pftrace")));
  EXPECT_EQ(document["counts"]["gpu_work"], 2775);
  EXPECT_EQ(document["ledger"]["read"], 21144);
  EXPECT_TRUE(PlainPerfetto(Bytes(Path("a.pftrace"))).problems.empty());
  EXPECT_EQ(Export(kDecode + To("perfetto", "b") + " --quiet").out, "");
  EXPECT_TRUE(Bytes(Path("a.pftrace")) == Bytes(Path("b")));
}

TEST_F(ExportCommandTest, CompressionIsToldByTheName) {
  const std::string model = ModelOf(kDecode);
  for (const char* name : {"a.json", "a.json.gz", "a.json.zst"}) {
    EXPECT_EQ(Export(kDecode + To("chrome", name)).status, 0);
    EXPECT_EQ(FirstDifference(ModelOf(Path(name)), model), "") << name;
  }
  EXPECT_EQ(Bytes(Path("a.json.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(Bytes(Path("a.json.zst")).substr(0, 4), "\x28\xb5\x2f\xfd");
  EXPECT_LT(fs::file_size(Path("a.json.gz")) * 5, fs::file_size(Path("a.json")));
  EXPECT_EQ(Shell("gzip -t " + Path("a.json.gz")).status, 0);
  EXPECT_EQ(Export(kDecode + To("perfetto", "a.pftrace.gz")).status, 0);
  EXPECT_TRUE(PlainPerfetto(ReadText(Path("a.pftrace.gz"))).problems.empty());
}

TEST_F(ExportCommandTest, StandardOutputAndPipes) {
  EXPECT_EQ(Export(kSmall + To("chrome", "a.json")).status, 0);
  const ExportRun run = Export(kSmall + " --to chrome -o -");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out == Bytes(Path("a.json")));
  // A reader that goes away is no error.
  const ExportRun head =
      Shell("( \"" WARPSIGHT_BINARY "\" export " + kDecode + " --to chrome -o -; echo status $? >&2 ) | head -c 10");
  EXPECT_EQ(head.err, "status 0\n");
  const ExportRun full = Shell("\"" WARPSIGHT_BINARY "\" export " + kSmall + " --to chrome -o - >/dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_NE(full.err.find("standard output: cannot write: No space left"), std::string::npos) << full.err;
  EXPECT_EQ(Export("- --to csv --table streams -o - <" + kSmall).out.substr(0, 14), "stream,device,");
}

// The bytes depend on the recording, not on the threads of its import.
TEST_F(ExportCommandTest, ThreadsDoNotShow) {
  for (const char* format : {"perfetto", "chrome"}) {
    EXPECT_EQ(Export(kDecode + " --threads 1" + To(format, "one")).status, 0);
    for (const char* threads : {"2", "5"}) {
      EXPECT_EQ(Export(kDecode + " --threads " + threads + To(format, "more")).status, 0);
      EXPECT_TRUE(Bytes(Path("one")) == Bytes(Path("more"))) << format << " " << threads;
    }
  }
}

// A limit on the size of files stands for a full disk.
TEST_F(ExportCommandTest, FullDiskLeavesWhatWasThere) {
  std::ofstream(Path("kept.json")) << "from before";
  const int files = Files();
  for (const char* name : {"kept.json", "new.json", "new.json.gz"}) {
    const ExportRun run =
        Shell("trap '' XFSZ; ulimit -f 100; \"" WARPSIGHT_BINARY "\" export " + kDecode + To("chrome", name));
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_NE(run.err.find("cannot write: File too large"), std::string::npos) << run.err;
  }
  EXPECT_EQ(Bytes(Path("kept.json")), "from before");
  EXPECT_EQ(Files(), files + 2) << "half a file is left";  // out and err
}

TEST_F(ExportCommandTest, CsvIsAFolderOfTables) {
  const ExportRun run = Export(kSmall + To("csv", "tables") + " --json");
  EXPECT_EQ(run.status, 0) << run.err;
  const json document = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(document.is_object());
  int64_t bytes = 0;
  for (const json& file : document["files"]) bytes += static_cast<int64_t>(fs::file_size(file["file"].get<std::string>()));
  EXPECT_EQ(document["bytes"], bytes);
  for (const auto& [table, rows] : document["counts"].items()) {
    EXPECT_EQ(ReadCsv(Path("tables/" + table + ".csv")).size(), rows.get<size_t>() + 1) << table;
  }
  // The same table again, by itself.
  EXPECT_EQ(Export(kSmall + " --to csv --table gpu_work -o -").out, Bytes(Path("tables/gpu_work.csv")));
  EXPECT_EQ(Export(kSmall + " --table gpu_work" + To("csv", "work.csv")).status, 0);
  EXPECT_EQ(Bytes(Path("work.csv")), Bytes(Path("tables/gpu_work.csv")));
}

// Sums of the other verbs over a window are those over what was cut out of it.
TEST_F(ExportCommandTest, WindowIsThatOfTheOtherVerbs) {
  EXPECT_EQ(Export(kDecode + " --step 4" + To("chrome", "step4.json")).status, 0);
  const auto kernels = [&](const std::string& arguments) {
    return json::parse(Shell("\"" WARPSIGHT_BINARY "\" kernels " + arguments + " --json").out, nullptr, false);
  };
  const json cut = kernels(Path("step4.json"));
  const json whole = kernels(kDecode + " --step 4");
  ASSERT_TRUE(cut.is_object() && whole.is_object());
  EXPECT_EQ(cut["gpu_work_ns"], whole["gpu_work_ns"]);
  EXPECT_EQ(cut["gpu_busy_ns"], whole["gpu_busy_ns"]);
  EXPECT_EQ(Export(kDecode + " --device 0 --range +10ms:+20ms" + To("perfetto", "x")).status, 0);
  EXPECT_TRUE(PlainPerfetto(Bytes(Path("x"))).problems.empty());
}

TEST_F(ExportCommandTest, WhatIsLostIsSaidInOneLine) {
  const ExportRun run = Export(WARPSIGHT_EXAMPLES_DIR "/tp_rank0.pt.trace.json.gz" + To("chrome", "a"));
  EXPECT_EQ(run.err, "");
  const ExportRun lossy = Export(WARPSIGHT_TESTDATA_DIR "/nsys_small.sqlite" + To("chrome", "b"));
  EXPECT_EQ(lossy.status, 0);
  EXPECT_EQ(std::count(lossy.err.begin(), lossy.err.end(), '\n'), 1) << lossy.err;
  EXPECT_NE(lossy.err.find("what the format can't say as it was: "), std::string::npos) << lossy.err;
  EXPECT_EQ(Export(WARPSIGHT_TESTDATA_DIR "/nsys_small.sqlite --quiet" + To("chrome", "b")).err, "");
}

}  // namespace
}  // namespace warpsight::testing::export_command_test
