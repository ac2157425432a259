// Opening hostile input in a test: several cuttings that must agree, and a child process that bounds time and memory.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/open_trace.h"
#include "trace_dump.h"
#include "trace_invariants.h"

namespace warpsight::testing {

#ifdef WARPSIGHT_SANITIZED
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

struct Cutting {
  int threads;
  size_t block_bytes;
};

inline ImportOptions OptionsOf(Cutting cutting) {
  ImportOptions options;
  options.threads = cutting.threads;
  options.block_bytes = cutting.block_bytes;
  return options;
}

// Opens `bytes` whole and in small blocks, expects the same outcome, and checks what must hold for every trace.
inline Result<Trace> OpenInSeveralCuttings(std::string_view bytes, const std::string& name = "hostile.json") {
  Result<Trace> whole = OpenTraceBytes(bytes, name, OptionsOf({1, size_t{1} << 20}));
  for (const Cutting cutting : {Cutting{1, 64}, Cutting{2, 257}, Cutting{3, 4096}}) {
    Result<Trace> cut = OpenTraceBytes(bytes, name, OptionsOf(cutting));
    EXPECT_EQ(whole.ok(), cut.ok()) << cutting.threads << " threads, blocks of " << cutting.block_bytes;
    if (!whole.ok() || !cut.ok()) continue;
    EXPECT_EQ(FirstDifference(DumpTrace(*whole), DumpTrace(*cut)), "")
        << cutting.threads << " threads, blocks of " << cutting.block_bytes;
  }
  EXPECT_EQ(whole.ok() ? BrokenTraceRule(*whole) : "", "");
  return whole;
}

// For text that is no JSON: where an event is broken, the borders of the blocks may decide how much is lost with it, the
// number of threads never. Calls `check` with the outcome of every cutting.
template <typename Check>
void OpenDamagedInSeveralCuttings(std::string_view bytes, const Check& check) {
  for (const size_t block_bytes : {size_t{1} << 20, size_t{4096}, size_t{257}, size_t{64}}) {
    SCOPED_TRACE("blocks of " + std::to_string(block_bytes));
    const Result<Trace> one = OpenTraceBytes(bytes, "hostile.json", OptionsOf({1, block_bytes}));
    const Result<Trace> three = OpenTraceBytes(bytes, "hostile.json", OptionsOf({3, block_bytes}));
    ASSERT_TRUE(one.ok()) << one.status().message();
    ASSERT_TRUE(three.ok()) << three.status().message();
    EXPECT_EQ(FirstDifference(DumpTrace(*one), DumpTrace(*three)), "");
    EXPECT_EQ(BrokenTraceRule(*one), "");
    check(*one);
  }
}

// One line that names the input and says more than that.
inline void ExpectRefusal(const Status& status, const std::string& name) {
  EXPECT_EQ(status.kind(), StatusKind::kUnreadable);
  EXPECT_NE(status.message().find(name), std::string::npos) << status.message();
  EXPECT_EQ(status.message().find('\n'), std::string::npos) << status.message();
  EXPECT_GE(status.message().size(), name.size() + 20) << "says no more than the name: " << status.message();
  // A refusal quotes at most a little of the file.
  EXPECT_LE(status.message().size(), name.size() + 400) << status.message();
}

inline void ExpectRefused(std::string_view bytes) {
  const Result<Trace> result = OpenInSeveralCuttings(bytes);
  ASSERT_FALSE(result.ok()) << result->log().read() << " events were read";
  ExpectRefusal(result.status(), "hostile.json");
}

// Whether the log has a cause with this effect.
inline bool HasCause(const ImportLog& log, Effect effect) {
  const std::vector<ImportCause> causes = log.causes();
  return std::any_of(causes.begin(), causes.end(), [&](const ImportCause& cause) { return cause.effect == effect; });
}

// The log says that something is wrong, whatever the effect.
inline bool SaysDamaged(const ImportLog& log) {
  const std::vector<ImportCause> causes = log.causes();
  return std::any_of(causes.begin(), causes.end(),
                     [](const ImportCause& cause) { return cause.severity != ImportSeverity::kInfo; });
}

inline std::string CausesOf(const ImportLog& log) {
  std::string all;
  for (const ImportCause& cause : log.causes()) all += cause.cause + " x" + std::to_string(cause.count) + " ";
  return all;
}

// A file in the test's temporary folder that goes with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, std::string_view bytes = {})
      : path_(::testing::TempDir() + "warpsight_" + std::to_string(getpid()) + "_" + name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Runs `work` in a child that may allocate `data_bytes` of private memory and run `seconds` of wall time; true when it
// returned true. A crash, a refused allocation and a hang are all failures. (RLIMIT_DATA counts heap and anonymous maps, not
// mapped files.)
inline bool HoldsInChild(const std::function<bool()>& work, size_t data_bytes, unsigned seconds) {
  const pid_t child = fork();
  if (child == 0) {
    // The sanitizer's own shadow would not fit.
    if (!kAddressSanitizer) {
      const rlimit limit{data_bytes, data_bytes};
      setrlimit(RLIMIT_DATA, &limit);
    }
    alarm(seconds);
    try {
      _exit(work() ? 0 : 1);
    } catch (...) {  // bad_alloc: the limit was met, and nobody dealt with it
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) ADD_FAILURE() << "the child ended by signal " << WTERMSIG(status);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace warpsight::testing
