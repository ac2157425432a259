// The built program from the outside: exit statuses, the error line, and what goes to which stream.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/temporary_folder.h"

namespace warpsight::command_line_test {
namespace {

using nlohmann::json;

const std::string kTrace = WARPSIGHT_TESTDATA_DIR "/kineto_small.json";       // steps 4 and 5, device 0
const std::string kWithoutGpu = WARPSIGHT_TESTDATA_DIR "/chrome_pairs.json";  // host events only

const std::string kClean = WARPSIGHT_EXAMPLES_DIR "/decode_b1.pt.trace.json.gz";
const std::string kProgram = "\"" WARPSIGHT_BINARY "\" ";

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

class CommandLineTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.File(name); }
  std::string WriteFile(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
  static std::string ReadFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // Runs a shell script. Standard output and error of all of it are kept apart.
  Outcome Shell(const std::string& script) const {
    const std::string command = "( " + script + " ) >\"" + Path("out") + "\" 2>\"" + Path("err") + "\"";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(Path("out")), ReadFile(Path("err"))};
  }
  Outcome Warpsight(const std::string& arguments) const { return Shell(kProgram + arguments); }
  // One line on standard error, nothing on standard output.
  void ExpectError(const std::string& arguments, int status, const std::string& words) const {
    const Outcome run = Warpsight(arguments);
    EXPECT_EQ(run.status, status) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(run.err.rfind("warpsight: ", 0), 0u) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(CommandLineTest, DoneIsZero) {
  for (const char* verb : {"report", "info", "ops", "kernels", "steps", "idle"}) {
    const Outcome run = Warpsight(std::string(verb) + " " + kTrace);
    EXPECT_EQ(run.status, 0) << verb << ": " << run.err;
    EXPECT_EQ(run.err, "") << verb;
    EXPECT_NE(run.out.find("events read = "), std::string::npos) << verb;
  }
}

TEST_F(CommandLineTest, LintConditionIsOne) {
  EXPECT_EQ(Warpsight("lint " + kClean).status, 0);
  EXPECT_EQ(Warpsight("lint " + kTrace).status, 1);
  EXPECT_EQ(Warpsight("lint " + kTrace + " --json").status, 1);
}

TEST_F(CommandLineTest, WrongUsageIsTwo) {
  ExpectError("", 2, "see warpsight --help");
  ExpectError("nosuchverb", 2, "no such verb");
  ExpectError("report", 2, "FILE is required: see warpsight report --help");
  ExpectError("report " + kTrace + " --nosuchoption", 2, "--nosuchoption");
  ExpectError("report " + kTrace + " --threads 0", 2, "--threads");
  ExpectError("ops " + kTrace + " --sort bogus", 2, "--sort");
  ExpectError("kernels " + kTrace + " --limit -1", 2, "--limit: -1: give a number that is not below 0");
  ExpectError("info " + kTrace + " --event 5", 2, "no event begins at byte 5");
  for (const char* const source : {"18446744073709551616", "-1", "x", "1.5"})
    ExpectError("info " + kTrace + " --event=" + source, 2, "give a whole number");
}

TEST_F(CommandLineTest, UnreadableInputIsThree) {
  ExpectError("report /nonexistent/t.json", 3, "/nonexistent/t.json: cannot open: No such file");
  ExpectError("report " + Path(""), 3, "is a directory");
  ExpectError("report " + WriteFile("empty", ""), 3, "is empty");
  ExpectError("report " + WriteFile("text", "hello\n"), 3, "is not a recording that warpsight knows");
  ExpectError("report " + WriteFile("object", "{\"a\": 1}"), 3, "JSON without \"traceEvents\"");
}

TEST_F(CommandLineTest, LackingInputIsFour) {
  for (const char* verb : {"kernels", "idle", "steps"})
    ExpectError(std::string(verb) + " " + kWithoutGpu, 4, kWithoutGpu + ": ");
  ExpectError("report " + kWithoutGpu + " --device 0", 4, "no GPU work");
  ExpectError("report " + kWithoutGpu + " --step 1", 4, "no steps");
}

// A name from outside can't break the line or reach the terminal as an escape.
TEST_F(CommandLineTest, ErrorLineIsOneLineWhateverTheName) {
  ExpectError("report \"$(printf '/nonexistent/a\\nb\\033[31m')\"", 3, "/nonexistent/a b");
}

TEST_F(CommandLineTest, JsonIsOneDocumentAndNothingElse) {
  for (const char* verb : {"report", "info", "ops", "kernels", "steps", "idle", "lint"}) {
    const Outcome run = Warpsight(std::string(verb) + " " + kTrace + " --json");
    const json document = json::parse(run.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << verb;
    EXPECT_EQ(document["schema"], std::string("warpsight.") + verb + "/1");
    const json& ledger = document["ledger"];
    EXPECT_EQ(ledger["read"],
              ledger["kept"].get<int64_t>() + ledger["repaired"].get<int64_t>() + ledger["excluded"].get<int64_t>())
        << verb;
    EXPECT_EQ(run.err, "") << verb;
  }
}

TEST_F(CommandLineTest, Csv) {
  const Outcome run = Warpsight("steps " + kTrace + " --csv");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out.rfind("name,index,device,", 0), 0u) << run.out;
  EXPECT_EQ(run.out.find("events read"), std::string::npos);
  ExpectError("report " + kTrace + " --csv", 2, "CSV needs a result of exactly one table");
  ExpectError("steps " + kTrace + " --csv --json", 2, "excludes");
}

TEST_F(CommandLineTest, DiffIsAGate) {
  const std::string both = "diff " + kTrace + " " + kTrace;
  EXPECT_EQ(Warpsight(both + " --fail-if 'step>0%' --fail-if 'kernels>0' --fail-if 'idle<0ns'").status, 0);
  const Outcome holds = Warpsight(both + " --fail-if 'step>1%' --fail-if 'step<1%' --json");
  EXPECT_EQ(holds.status, 1) << holds.err;
  const json document = json::parse(holds.out, nullptr, false);
  EXPECT_EQ(document["schema"], "warpsight.diff/1");
  EXPECT_EQ(document["conditions"][0]["holds"], false);
  EXPECT_EQ(document["conditions"][1]["holds"], true);
  EXPECT_EQ(Warpsight("diff - " + kTrace + " < " + kTrace).status, 0);
  EXPECT_EQ(Warpsight("diff " + kTrace + " " + kWithoutGpu).status, 0);
  ExpectError("diff " + kTrace + " " + kWithoutGpu + " --fail-if 'busy>3%'", 4, "B has no GPU work");
  ExpectError("diff " + kTrace + " " + kWithoutGpu + " --csv", 4, "B has no GPU work");
  ExpectError(both + " --fail-if 'speed>3%'", 2, "METRIC is step, busy");
  ExpectError("diff " + kTrace, 2, "two recordings");
  ExpectError(both + " " + kTrace, 2, "see warpsight diff --help");
  ExpectError("diff - -", 2, "standard input");
  ExpectError("diff " + kTrace + " " + WriteFile("empty", "{\"traceEvents\": []}"), 4, "has no events to compare");
  ExpectError("diff " + kTrace + " " + WriteFile("broken", "PK"), 3, "broken");
  ExpectError(both + " --step 99", 2, "there is no such step");
}

TEST_F(CommandLineTest, HelpFitsInEightyColumnsAndOffersWhatTheVerbTakes) {
  for (const std::string verb : {"", "report", "info", "ops", "kernels", "steps", "idle", "roofline", "parts", "lint"}) {
    const Outcome run = Warpsight(verb + " --help");
    EXPECT_EQ(run.status, 0) << verb;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << verb << ": " << line;
    const bool one_table = verb == "ops" || verb == "kernels" || verb == "steps" || verb == "roofline" || verb == "parts";
    EXPECT_EQ(run.out.find("  --csv ") != std::string::npos, one_table) << verb;
  }
}

TEST_F(CommandLineTest, StepRangeAndDeviceCutTheWindow) {
  const json step = json::parse(Warpsight("steps " + kTrace + " --step 5 --json").out, nullptr, false);
  ASSERT_EQ(step["rows"].size(), 1u);
  EXPECT_EQ(step["rows"][0]["index"], 5);
  const json range = json::parse(Warpsight("idle " + kTrace + " --range +0:+100us --json").out, nullptr, false);
  EXPECT_EQ(range["devices"][0]["window_ns"], 100'000);
  EXPECT_EQ(Warpsight("idle " + kTrace + " --device 0").status, 0);
}

TEST_F(CommandLineTest, WindowsThatMakeNoSense) {
  ExpectError("report " + kTrace + " --step 99", 2, "there is no such step: the recording has 4, 5");
  ExpectError("report " + kTrace + " --step 4 --range +0:+1us", 2, "give one of them");
  ExpectError("report " + kTrace + " --range 5", 2, "give START:END");
  ExpectError("report " + kTrace + " --range 0:1", 2, "lies outside of the capture");
  ExpectError("report " + kTrace + " --device 9", 2, "the recording has device 0");
  ExpectError("report " + kTrace + " --step one", 2, "--step");
}

TEST_F(CommandLineTest, StandardInput) {
  const Outcome file = Warpsight("steps " + kTrace + " --json");
  EXPECT_EQ(Shell(kProgram + "steps - --json <" + kTrace).out, file.out);
  EXPECT_EQ(Shell("cat " + kTrace + " | " + kProgram + "steps - --json").out, file.out);
  EXPECT_EQ(Shell("gzip -c " + kTrace + " | " + kProgram + "steps - --json").out, file.out);
  const Outcome nothing = Shell(kProgram + "steps - </dev/null");
  EXPECT_EQ(nothing.status, 3);
  EXPECT_EQ(nothing.err, "warpsight: standard input: is empty: record the trace again\n");
}

TEST_F(CommandLineTest, OutputFile) {
  const Outcome run = Warpsight("report " + kTrace + " --json -o " + Path("report.json"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(ReadFile(Path("report.json")), Warpsight("report " + kTrace + " --json").out);
  EXPECT_EQ(Warpsight("steps " + kTrace + " --csv -o -").out, Warpsight("steps " + kTrace + " --csv").out);
  ExpectError("report " + kTrace + " -o /nonexistent/report.txt", 2,
              "/nonexistent/report.txt: cannot write: No such file or directory");
}

TEST_F(CommandLineTest, FullDiskIsAnError) {
  const Outcome run = Shell(kProgram + "report " + kTrace + " >/dev/full");
  EXPECT_NE(run.status, 0);
  EXPECT_NE(run.err.find("standard output: cannot write"), std::string::npos) << run.err;
}

// A reader that goes away early is no error and no death by signal.
TEST_F(CommandLineTest, ClosedPipe) {
  const Outcome run = Shell("( sleep 0.2; " + kProgram + "ops " + kClean + " --json; echo status $? >&2 ) | true");
  EXPECT_EQ(run.err, "status 0\n");
  const Outcome head = Shell(kProgram + "report " + kClean + " | head -1");
  EXPECT_EQ(std::count(head.out.begin(), head.out.end(), '\n'), 1);
  EXPECT_EQ(head.err, "");
}

TEST_F(CommandLineTest, HelpAndVersion) {
  for (const char* arguments : {"--help", "report --help", "ops --help", "lint --help"}) {
    const Outcome run = Warpsight(arguments);
    EXPECT_EQ(run.status, 0) << arguments;
    EXPECT_NE(run.out.find("Examples:\n  warpsight "), std::string::npos) << arguments;
    EXPECT_EQ(run.err, "") << arguments;
  }
  EXPECT_EQ(Warpsight("--version").out.rfind("warpsight ", 0), 0u);
}

TEST_F(CommandLineTest, OneEventWithAllItsArgs) {
  const std::string text = ReadFile(kTrace);
  const size_t offset = text.rfind('{', text.find("\"ph\""));
  const json event =
      json::parse(Warpsight("info " + kTrace + " --json --event " + std::to_string(offset)).out, nullptr, false);
  EXPECT_EQ(event["source"], offset);
  EXPECT_TRUE(event["event"].is_object());
  EXPECT_TRUE(event["event"].contains("ph"));
}

// Number of threads and the stream's colour do not change what a script reads.
TEST_F(CommandLineTest, SameOutputWithAnyThreads) {
  const std::string one = Warpsight("report " + kTrace + " --json --threads 1").out;
  EXPECT_EQ(Warpsight("report " + kTrace + " --json --threads 7").out, one);
  EXPECT_EQ(one.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace warpsight::command_line_test
