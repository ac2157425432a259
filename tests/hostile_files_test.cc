// Hostile containers and hostile places: damaged compression, folders, pipes, files too large to hold.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "hostile/compressed.h"
#include "hostile/opening.h"
#include "hostile/trace_text.h"

namespace warpsight::testing::hostile_files_test {
namespace {

constexpr int64_t kGood = 9;  // GoodEvents().size()

std::string GoodText() { return MakeTrace(GoodEvents()).text; }

int64_t InTrace(const Trace& trace) { return trace.log().kept() + trace.log().repaired(); }

void ExpectAllGood(const Result<Trace>& trace) {
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->log().read(), kGood) << CausesOf(trace->log());
  EXPECT_EQ(trace->log().kept(), kGood) << CausesOf(trace->log());
}

std::string NumberedOp(int i) {
  return OpWith(R"("ts": )" + std::to_string(5108452590000 + 10 * i) + R"(, "dur": 4.5, "args": { "External id": )" +
                std::to_string(i + 1) + " }");
}

// Many plain ops, nothing wrong with any of them.
TraceText LongTrace(int ops) {
  std::vector<std::string> events;
  for (int i = 0; i < ops; ++i) events.push_back(NumberedOp(i));
  return MakeTrace(events);
}

// --- gzip and zstd

TEST(Compressed, GzipAndZstdAreOpened) {
  ExpectAllGood(OpenInSeveralCuttings(Gzip(GoodText())));
  ExpectAllGood(OpenInSeveralCuttings(Zstd(GoodText())));
}

TEST(Compressed, SeveralMembersAreOneFile) {
  const std::string text = GoodText();
  const size_t middle = text.size() / 2;
  ExpectAllGood(OpenInSeveralCuttings(Gzip(text.substr(0, middle)) + Gzip(text.substr(middle))));
  ExpectAllGood(OpenInSeveralCuttings(Gzip("") + Gzip(text) + Gzip("")));
  ExpectAllGood(OpenInSeveralCuttings(Zstd(text.substr(0, middle)) + Zstd(text.substr(middle))));
}

TEST(Compressed, BytesBehindTheMemberAreTold) {
  const Result<Trace> garbage = OpenInSeveralCuttings(Gzip(GoodText()) + "garbage behind it");
  ExpectAllGood(garbage);
  EXPECT_FALSE(garbage->log().causes().empty());
  ExpectAllGood(OpenInSeveralCuttings(Gzip(GoodText()) + std::string(512, '\0')));
  const Result<Trace> zstd_garbage = OpenInSeveralCuttings(Zstd(GoodText()) + "garbage behind it");
  ExpectAllGood(zstd_garbage);
  EXPECT_FALSE(zstd_garbage->log().causes().empty());
}

TEST(Compressed, WrongChecksumIsToldAndCostsNoEvent) {
  std::string stored = Gzip(GoodText());
  stored[stored.size() - 6] = static_cast<char>(stored[stored.size() - 6] ^ 0x55);
  const Result<Trace> trace = OpenInSeveralCuttings(stored);
  ExpectAllGood(trace);
  EXPECT_TRUE(SaysDamaged(trace->log())) << CausesOf(trace->log());
}

TEST(Compressed, CutOffGzipGivesAllWholeEvents) {
  const TraceText file = LongTrace(3000);
  const std::string stored = Gzip(file.text);
  for (const size_t percent : {5, 20, 35, 50, 65, 80, 95, 99}) {
    const std::string cut = stored.substr(0, stored.size() * percent / 100);
    SCOPED_TRACE(std::to_string(percent) + " %");
    const size_t text_bytes = GunzipPrefix(cut, file.text.size()).size();
    const auto whole = std::upper_bound(file.event_end.begin(), file.event_end.end(), text_bytes) - file.event_end.begin();
    const Result<Trace> trace = OpenInSeveralCuttings(cut);
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(InTrace(*trace), whole) << CausesOf(trace->log());
    EXPECT_TRUE(SaysDamaged(trace->log())) << CausesOf(trace->log());
  }
}

TEST(Compressed, CutOffZstdGivesWholeEvents) {
  const std::string stored = Zstd(LongTrace(30000).text);
  const Result<Trace> trace =
      OpenTraceBytes(std::string_view(stored).substr(0, stored.size() * 2 / 3), "cut.zst", OptionsOf({1, 4096}));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_GT(InTrace(*trace), kGood * 100);
  EXPECT_EQ(BrokenTraceRule(*trace), "");
  EXPECT_TRUE(SaysDamaged(trace->log())) << CausesOf(trace->log());
}

TEST(Compressed, DamageInTheMiddleKeepsWhatCameBefore) {
  const TraceText file = LongTrace(3000);
  std::string stored = Gzip(file.text);
  for (size_t i = stored.size() / 2; i < stored.size() / 2 + 64; ++i) stored[i] = static_cast<char>(0xff);
  const Result<Trace> trace = OpenInSeveralCuttings(stored);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_GT(InTrace(*trace), kGood * 50);
  EXPECT_TRUE(SaysDamaged(trace->log())) << CausesOf(trace->log());
}

TEST(Compressed, NothingInsideIsRefused) {
  for (const std::string& bytes :
       {Gzip(""), Zstd(""), Gzip("<html></html>"), std::string("\x1f\x8b"), std::string("\x1f\x8b\x08"),
        std::string("\x28\xb5\x2f\xfd"), "\x1f\x8b" + std::string(1000, '\xaa'), Gzip(GoodText()).substr(0, 12)}) {
    ExpectRefused(bytes);
  }
}

// --- places

TEST(Place, MissingFileFolderAndUnreadableFileAreRefused) {
  const std::string missing = ::testing::TempDir() + "warpsight_no_such_file.json";
  ExpectRefusal(OpenTrace(missing, {}).status(), missing);
  ExpectRefusal(OpenTrace(::testing::TempDir(), {}).status(), ::testing::TempDir());
  const TemporaryFile file("unreadable.json", GoodText());
  ASSERT_EQ(chmod(file.path().c_str(), 0), 0);
  const auto refused = [&] {
    // root reads everything: become nobody first.
    if (geteuid() == 0 && seteuid(65534) != 0) return true;
    const Result<Trace> trace = OpenTrace(file.path(), {});
    return !trace.ok() && trace.status().kind() == StatusKind::kUnreadable &&
           trace.status().message().find(file.path()) != std::string::npos;
  };
  EXPECT_TRUE(HoldsInChild(refused, size_t{1} << 30, 60));
}

class Pipe {
 public:
  explicit Pipe(const std::string& name) : file_(name) {
    unlink(file_.path().c_str());
    EXPECT_EQ(mkfifo(file_.path().c_str(), 0600), 0);
  }
  ~Pipe() {
    if (writer_.joinable()) writer_.join();
  }
  // Writes in odd pieces, as a program upstream would.
  void Feed(std::string bytes) {
    writer_ = std::thread([path = file_.path(), bytes = std::move(bytes)] {
      const int end = open(path.c_str(), O_WRONLY);
      for (size_t at = 0; at < bytes.size();) {
        const ssize_t written = write(end, bytes.data() + at, std::min<size_t>(777, bytes.size() - at));
        if (written <= 0) break;
        at += static_cast<size_t>(written);
      }
      close(end);
    });
  }
  const std::string& path() const { return file_.path(); }

 private:
  TemporaryFile file_;
  std::thread writer_;
};

TEST(Place, NamedPipe) {
  for (const std::string& bytes : {GoodText(), Gzip(GoodText()), Zstd(GoodText())}) {
    Pipe pipe("pipe");
    pipe.Feed(bytes);
    ExpectAllGood(OpenTrace(pipe.path(), OptionsOf({2, 300})));
  }
  Pipe empty("empty_pipe");
  empty.Feed("");
  ExpectRefusal(OpenTrace(empty.path(), {}).status(), empty.path());
}

TEST(Place, StandardInput) {
  Pipe pipe("stdin");
  const auto reads = [&] {
    // Fed from the child: a thread that runs while the process forks may leave the child a lock that nobody gives back.
    pipe.Feed(GoodText());
    const int end = open(pipe.path().c_str(), O_RDONLY);
    dup2(end, STDIN_FILENO);
    const Result<Trace> trace = OpenTrace("-", OptionsOf({2, 300}));
    return trace.ok() && trace->log().read() == kGood && trace->log().kept() == kGood;
  };
  EXPECT_TRUE(HoldsInChild(reads, size_t{1} << 30, 60));
  // A file as standard input that was read part-way by someone else is no trace from its beginning.
  const TemporaryFile file("stdin_file.json", GoodText());
  const auto reads_file = [&] {
    dup2(open(file.path().c_str(), O_RDONLY), STDIN_FILENO);
    const Result<Trace> trace = OpenTrace("-", {});
    return trace.ok() && trace->log().kept() == kGood;
  };
  EXPECT_TRUE(HoldsInChild(reads_file, size_t{1} << 30, 60));
}

// --- size

constexpr size_t kHuge = size_t{300} << 20;

// Writes head, `filler` up to kHuge bytes, tail.
void WriteHuge(const std::string& path, const std::string& head, const std::string& filler, const std::string& tail) {
  std::ofstream out(path, std::ios::binary);
  out << head;
  std::string block;
  while (block.size() < (size_t{1} << 20)) block += filler;
  for (size_t size = 0; size < kHuge; size += block.size()) out << block;
  out << tail;
}

// Says why on stderr when it does not: only a bool comes back from the child.
bool ReadsGood(const std::string& path, int64_t events) {
  const Result<Trace> trace = OpenTrace(path, OptionsOf({2, size_t{1} << 20}));
  if (!trace.ok()) {
    std::fprintf(stderr, "%s\n", trace.status().message().c_str());
    return false;
  }
  const bool good = trace->log().read() == events && InTrace(*trace) >= kGood;
  if (!good)
    std::fprintf(stderr, "read %lld: %s\n", static_cast<long long>(trace->log().read()), CausesOf(trace->log()).c_str());
  return good;
}

// The memory goal for any input: half of its size.
constexpr size_t kMostMemory = kHuge / 2;

std::string FileWith(const std::string& event) { return GoodTraceWith(event).text; }

void ExpectHugeStringIsRead(const std::string& event) {
  const std::string text = FileWith(event);
  const size_t at = text.find("HUGE");
  const TemporaryFile file("huge.json");
  WriteHuge(file.path(), text.substr(0, at), "0123456789abcdef", text.substr(at + 4));
  EXPECT_TRUE(HoldsInChild([&] { return ReadsGood(file.path(), kGood + 1); }, kMostMemory, 120));
}

TEST(Size, OneArgumentOf300MB) {
  ExpectHugeStringIsRead(OpWith(R"("ts": 5108452590200.5, "dur": 4, "args": { "stack": "HUGE" })"));
}

TEST(Size, OneNameOf300MB) {
  ExpectHugeStringIsRead(
      R"({ "ph": "X", "cat": "cpu_op", "name": "HUGE", "pid": 1, "tid": 2, "ts": 5108452590200.5, "dur": 4 })");
}

// So much before the first event may be refused, but not with the memory that it takes to hold it.
bool ReadsOrRefuses(const std::string& path) {
  const Result<Trace> trace = OpenTrace(path, OptionsOf({2, size_t{1} << 20}));
  if (trace.ok()) return InTrace(*trace) == kGood;
  return trace.status().kind() == StatusKind::kUnreadable && trace.status().message().find(path) != std::string::npos;
}

TEST(Size, OneStringOf300MBInTheMetadata) {
  const TemporaryFile file("huge_metadata.json");
  const std::string text = GoodText();
  const size_t at = text.find("\"traceEvents\"");
  WriteHuge(file.path(), text.substr(0, at) + "\"note\": \"", "0123456789abcdef", "\", " + text.substr(at));
  EXPECT_TRUE(HoldsInChild([&] { return ReadsOrRefuses(file.path()); }, kMostMemory, 120));
}

TEST(Size, WhiteSpaceOf300MBInTheMetadata) {
  const TemporaryFile file("huge_space.json");
  const std::string text = GoodText();
  const size_t at = text.find("\"traceEvents\"");
  WriteHuge(file.path(), text.substr(0, at), " \n", text.substr(at));
  EXPECT_TRUE(HoldsInChild([&] { return ReadsOrRefuses(file.path()); }, kMostMemory, 120));
}

TEST(Size, WhiteSpaceOf300MBBetweenEvents) {
  const TemporaryFile file("huge_gap.json");
  const TraceText good = MakeTrace(GoodEvents());
  WriteHuge(file.path(), good.text.substr(0, good.event_end[3]), " \n", good.text.substr(good.event_end[3]));
  EXPECT_TRUE(HoldsInChild([&] { return ReadsGood(file.path(), kGood); }, kMostMemory, 120));
}

TEST(Size, StringThatNeverEnds) {
  const TraceText good = MakeTrace(GoodEvents());
  const TemporaryFile file("endless.json");
  WriteHuge(file.path(), good.text.substr(0, good.event_end[8]) + R"(, {"ph": "X", "name": ")", "0123456789abcdef", "");
  const auto reads = [&] {
    const Result<Trace> trace = OpenTrace(file.path(), {});
    return trace.ok() && InTrace(*trace) == kGood && SaysDamaged(trace->log());
  };
  EXPECT_TRUE(HoldsInChild(reads, kMostMemory, 120));
}

// A small file that inflates to much: spaces compress a thousand times.
TEST(Size, GzipBomb) {
  const TraceText good = MakeTrace(GoodEvents());
  const std::string spaces = Gzip(std::string(size_t{16} << 20, ' '));
  std::string stored = Gzip(good.text.substr(0, good.event_end[3]));
  for (int i = 0; i < 64; ++i) stored += spaces;
  stored += Gzip(good.text.substr(good.event_end[3]));
  const TemporaryFile file("bomb.json.gz", stored);
  EXPECT_TRUE(HoldsInChild([&] { return ReadsGood(file.path(), kGood); }, kMostMemory, 120));
}

// Damage in every event must not make reading slower than the file is long.
TEST(Size, ManyDamagedEventsTakeLinearTime) {
  std::vector<std::string> events = GoodEvents();
  for (int i = 0; i < 40000; ++i) {
    events.push_back(R"({ "ph": "X", "cat": "cpu_op", "name": "raw "quote" )" + std::to_string(i) +
                     R"(", "pid": 1, "tid": 2, "ts": )" + std::to_string(5108452590300 + i) + R"(, "dur": NaN })");
  }
  const std::string text = MakeTrace(events).text;
  const auto reads = [&] {
    const Result<Trace> trace = OpenTraceBytes(text, "damaged.json", OptionsOf({1, size_t{1} << 16}));
    return trace.ok() && trace->log().read() == kGood + 40000;
  };
  EXPECT_TRUE(HoldsInChild(reads, size_t{1} << 30, 60));
}

TEST(Size, ManyNamesThreadsAndStreams) {
  std::vector<std::string> events = GoodEvents();
  for (int i = 0; i < 50000; ++i) {
    const std::string n = std::to_string(i);
    events.push_back(R"({ "ph": "X", "cat": "cpu_op", "name": "op)" + n + R"(", "pid": )" + n + R"(, "tid": "t)" + n +
                     R"(", "ts": 5108452590300, "dur": 1 })");
    events.push_back(R"({ "ph": "X", "cat": "kernel", "name": "kernel)" + n + R"(", "pid": 0, "tid": )" + n +
                     R"(, "ts": 5108452590300, "dur": 1, "args": { "device": )" + std::to_string(i % 1000) +
                     R"(, "stream": )" + n + R"(, "correlation": )" + n + " } }");
  }
  const std::string text = MakeTrace(events).text;
  const auto reads = [&] {
    const Result<Trace> trace = OpenTraceBytes(text, "wide.json", OptionsOf({2, size_t{1} << 16}));
    return trace.ok() && trace->log().kept() == kGood + 100000 && trace->gpu().size() == 50002;
  };
  EXPECT_TRUE(HoldsInChild(reads, size_t{1} << 30, 60));
}

}  // namespace
}  // namespace warpsight::testing::hostile_files_test
