// `report --html` from the outside: what is written where, that the page is whole, small and safe, and what the errors are.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/temporary_folder.h"
#include "render/html_checker.h"

namespace warpsight::html_page_test {
namespace {

namespace fs = std::filesystem;

const std::string kTrace = WARPSIGHT_EXAMPLES_DIR "/decode_b1.pt.trace.json.gz";
const std::string kDamaged = WARPSIGHT_TESTDATA_DIR "/damaged_small.json";
const std::string kCounters = WARPSIGHT_TESTDATA_DIR "/two_kernels.ncu-rep";
const std::string kWithoutGpu = WARPSIGHT_TESTDATA_DIR "/chrome_pairs.json";

class HtmlPageTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.File(name); }
  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
  // Exit status; what it said is in Out() and Err().
  int Report(const std::string& arguments) const { return Run("report " + arguments); }
  int Run(const std::string& arguments) const {
    const std::string command =
        "\"" WARPSIGHT_BINARY "\" " + arguments + " >\"" + Path("out") + "\" 2>\"" + Path("err") + "\"";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string Out() const { return Read(Path("out")); }
  std::string Err() const { return Read(Path("err")); }
  std::string PageOf(const std::string& trace) const {
    EXPECT_EQ(Report("\"" + trace + "\" --quiet --html \"" + Path("page.html") + "\""), 0) << Err();
    return Read(Path("page.html"));
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(HtmlPageTest, WholePageOfARealRecording) {
  const std::string page = PageOf(kTrace);
  EXPECT_EQ(Out(), "");
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_LT(page.size(), 1'000'000u);
  for (const char* part :
       {"overhead-bound", ">Record<", "NVIDIA H200", ">Findings<", ">Steps<", "the median of 3 steps", "<svg", ">Idle time<",
        "host work", ">GPU time by kernel<", "nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT", ">Time by op<", "aten::mm",
        ">Ledger<", "events read ="}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  // Every kernel, not the ten of the text form.
  EXPECT_EQ(page.find("more rows"), std::string::npos);
}

// The texts of `warpsight explain`, of what is on the page and of nothing else.
TEST_F(HtmlPageTest, TermsOfThePageAreExplainedOnIt) {
  const std::string page = PageOf(kTrace);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<summary>What is this?</summary>"), 5);  // a finding each
  // Of steps, idle time, parts, kernels, bounds, ops, what-ifs; this recording has no problems and no collectives.
  EXPECT_EQ(count("<summary>What do the words mean?</summary>"), 7);
  for (const char* name : {"host work", "launch", "back to back", "rotary", "lm head", "overhead-bound", "self/total"})
    EXPECT_EQ(count("<dt>" + std::string(name) + "</dt>"), 1) << name;
  EXPECT_EQ(count("<dt>round trip</dt>"), 0);
  EXPECT_EQ(count("<dt>router</dt>"), 0);
  ASSERT_EQ(Report(kTrace), 0);
  EXPECT_EQ(Out().find("What is this?"), std::string::npos);
}

TEST_F(HtmlPageTest, OtherRecordings) {
  EXPECT_EQ(HtmlProblem(PageOf(kDamaged)), "");
  EXPECT_EQ(HtmlProblem(PageOf(kWithoutGpu)), "");
  EXPECT_EQ(HtmlProblem(PageOf(Write("empty.json", "{\"traceEvents\": []}"))), "");
}

// Results of a report again and again: a file of `times` as many kernels.
std::string RepeatedReport(const std::string& report, int times) {
  const auto size_at = [&](std::size_t at) {
    std::size_t size = 0;
    for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(report[at + static_cast<std::size_t>(i)]);
    return size;
  };
  const std::size_t blocks = 8 + size_at(4);
  std::string repeated = report;
  for (int i = 1; i < times; ++i) repeated += report.substr(blocks);
  return repeated;
}

TEST_F(HtmlPageTest, CountersOfKernels) {
  ASSERT_EQ(Run("counters \"" + kCounters + "\" --quiet --html \"" + Path("c.html") + "\""), 0) << Err();
  EXPECT_EQ(Out(), "");
  const std::string page = Read(Path("c.html"));
  EXPECT_EQ(HtmlProblem(page), "");
  for (const char* part :
       {"warpsight counters", "not production times", "0: transpose", "Shared-memory bank conflicts", "Speed of light",
        "Memory: what flowed between the units", "60.00 MB", "Where the cycles of a warp go", ">Roofline<", "FP32 over DRAM",
        "Occupancy", "Limited by", "<summary>Memory Workload Analysis</summary>", ">Ledger<", "est. speedup up to",
        "<dt>est. speedup</dt>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  ASSERT_EQ(Run("counters \"" + kCounters + "\" --id 1 --html -"), 0) << Err();
  EXPECT_EQ(HtmlProblem(Out()), "");
  EXPECT_EQ(Out().find("0: transpose"), std::string::npos);
}

TEST_F(HtmlPageTest, HundredKernelsStaySmall) {
  const std::string many = Write("many.ncu-rep", RepeatedReport(Read(kCounters), 50));
  ASSERT_EQ(Run("counters \"" + many + "\" --quiet --html \"" + Path("c.html") + "\""), 0) << Err();
  const std::string page = Read(Path("c.html"));
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_LT(page.size(), 3'000'000u);
  EXPECT_NE(page.find("sections: choose one"), std::string::npos);
  EXPECT_NE(page.find("99: gemm"), std::string::npos);
  EXPECT_EQ(page.find("left out to keep the page small"), std::string::npos);
  // A finding is explained once, under the first kernel that has it.
  const std::size_t first = page.find("Lanes of one instruction fall on the same bank");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("Lanes of one instruction fall on the same bank", first + 1), std::string::npos);
}

TEST_F(HtmlPageTest, JoinedReport) {
  const std::string timeline = WARPSIGHT_TESTDATA_DIR "/two_kernels.json";
  ASSERT_EQ(Report("\"" + timeline + "\" \"" + kCounters + "\" --quiet --html \"" + Path("j.html") + "\""), 0) << Err();
  const std::string page = Read(Path("j.html"));
  EXPECT_EQ(HtmlProblem(page), "");
  for (const char* part : {"Counters: why kernels are slow", "Counters say", "memory bound: bank conflicts",
                           "Speed of light", "Memory: what flowed between the units", "--launch-skip 2 --launch-count 2",
                           "<pre class=\"command\"><code>ncu ", "<dt>est. speedup</dt>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  // The order of the files says nothing.
  ASSERT_EQ(Report("\"" + kCounters + "\" \"" + timeline + "\" --quiet --html \"" + Path("k.html") + "\""), 0) << Err();
  EXPECT_EQ(Read(Path("k.html")), page);
}

TEST_F(HtmlPageTest, TextAndJsonAreWhatTheyAreWithoutIt) {
  ASSERT_EQ(Report(kTrace), 0);
  const std::string text = Out();
  ASSERT_EQ(Report(kTrace + " --html " + Path("a.html")), 0);
  EXPECT_EQ(Out(), text);
  ASSERT_EQ(Report(kTrace + " --json"), 0);
  const std::string json = Out();
  ASSERT_EQ(Report(kTrace + " --json --quiet --html " + Path("b.html")), 0);
  EXPECT_EQ(Out(), json);
  EXPECT_EQ(Read(Path("a.html")), Read(Path("b.html")));
  ASSERT_EQ(Report(kTrace + " --html -"), 0);
  EXPECT_EQ(Out(), Read(Path("a.html")));
}

TEST_F(HtmlPageTest, NamesOfAHostileTraceStayText) {
  const std::string evil = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&\xC0\xFF\x7F";
  std::string events;
  for (int i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i + 1);
    const std::string at = std::to_string(1000 + i * 100);
    nlohmann::json op = {
        {"ph", "X"}, {"cat", "cpu_op"}, {"name", "NAME" + id}, {"pid", 1}, {"tid", 1}, {"ts", 1000 + i * 100}, {"dur", 50}};
    events += op.dump() + ",";
    events += R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" + at +
              R"(,"dur":10,"args":{"correlation":)" + id + "}},";
    events += R"({"ph":"X","cat":"kernel","name":"NAME","pid":0,"tid":7,"ts":)" + at +
              R"(,"dur":60,"args":{"device":0,"stream":7,"correlation":)" + id + "}},";
  }
  std::string text = R"({"deviceProperties":[{"id":0,"name":"NAME"}],"traceEvents":[)" + events +
                     R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"NAME"}}]})";
  std::string quoted;
  for (const char c : evil) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  for (std::size_t at = text.find("NAME"); at != std::string::npos; at = text.find("NAME", at + quoted.size()))
    text.replace(at, 4, quoted);
  const std::string page = PageOf(Write("<b>evil&.json", text));
  EXPECT_EQ(HtmlProblem(page), "");
  EXPECT_NE(page.find("&lt;script&gt;alert"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST_F(HtmlPageTest, ErrorsAreOneLineAndLeaveNothingBehind) {
  EXPECT_EQ(Report(kTrace + " --html /nonexistent/folder/x.html"), 2);
  EXPECT_NE(Err().find("/nonexistent/folder/x.html: cannot write: No such file"), std::string::npos) << Err();
  EXPECT_EQ(Out(), "");
  EXPECT_EQ(Report(kTrace + " --html \"\""), 2);
  EXPECT_EQ(Report("/nonexistent/t.json --html " + Path("x.html")), 3);
  EXPECT_FALSE(fs::exists(Path("x.html")));
  EXPECT_EQ(Report(kWithoutGpu + " --device 0 --html " + Path("x.html")), 4);
  EXPECT_FALSE(fs::exists(Path("x.html")));
}

// The recording itself is not a place for output, by whatever name.
TEST_F(HtmlPageTest, TheRecordingIsNotOverwritten) {
  const std::string trace = Write("t.json", "{\"traceEvents\": []}");
  fs::create_symlink(trace, Path("link.json"));
  for (const std::string option : {"--html ", "--json -o "}) {
    EXPECT_EQ(Report(trace + " " + option + Path("link.json")), 2) << option;
    EXPECT_NE(Err().find("is the recording itself"), std::string::npos) << Err();
  }
  EXPECT_EQ(Read(trace), "{\"traceEvents\": []}");
}

TEST_F(HtmlPageTest, NoneOfSeveralRecordingsIsOverwritten) {
  const std::string second = Path("rank1.json.gz");
  fs::copy_file(WARPSIGHT_EXAMPLES_DIR "/tp_rank1.pt.trace.json.gz", second);
  const std::string before = Read(second);
  for (const std::string option : {"--html ", "--json -o "}) {
    EXPECT_EQ(Report(WARPSIGHT_EXAMPLES_DIR "/tp_rank0.pt.trace.json.gz " + second + " " + option + second), 2) << option;
    EXPECT_NE(Err().find("is the recording itself"), std::string::npos) << Err();
  }
  EXPECT_EQ(Read(second), before);
}

TEST_F(HtmlPageTest, AFileIsReplacedWholeAndALinkKept) {
  Write("old.html", "old");
  fs::create_symlink(Path("old.html"), Path("link.html"));
  ASSERT_EQ(Report(kTrace + " --quiet --html " + Path("link.html")), 0);
  EXPECT_TRUE(fs::is_symlink(Path("link.html")));
  EXPECT_EQ(HtmlProblem(Read(Path("old.html"))), "");
  for (const auto& entry : fs::directory_iterator(fs::path(Path("old.html")).parent_path()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
  EXPECT_EQ(Report(kTrace + " --quiet --html /dev/null"), 0) << Err();
}

}  // namespace
}  // namespace warpsight::html_page_test
