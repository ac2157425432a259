// How a file is cut, by how many threads, and through what it is read changes nothing: the trace and the ledger are the same
// to the last column.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "formats/open_trace.h"
#include "hostile/compressed.h"
#include "hostile/opening.h"
#include "hostile/sample_files.h"

namespace warpsight::testing::torch_json_blocks_test {
namespace {

// tests/data and examples/ always; our recordings beside the repository when they are there.
std::vector<std::string> Samples() {
  std::vector<std::string> paths = TracesIn(WARPSIGHT_TESTDATA_DIR);
  for (const std::string& path : TracesIn(WARPSIGHT_EXAMPLES_DIR, true)) paths.push_back(path);
  if (TracesIn(WARPSIGHT_EXAMPLES_DIR, true).empty()) {
    for (const std::string& path : TracesIn(SharedData() / "h200/torch", true)) paths.push_back(path);
  }
  return paths;
}

class BlockBorders : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    text_ = ReadText(GetParam());
    const Result<Trace> whole = OpenTraceBytes(text_, "sample", OptionsOf({1, text_.size() + 1}));
    ASSERT_TRUE(whole.ok()) << whole.status().message();
    EXPECT_EQ(BrokenTraceRule(*whole), "");
    whole_ = DumpTrace(*whole);
  }
  void ExpectSame(const Result<Trace>& trace, const std::string& how) {
    ASSERT_TRUE(trace.ok()) << how << ": " << trace.status().message();
    EXPECT_EQ(FirstDifference(whole_, DumpTrace(*trace)), "") << how;
  }

  std::string text_;
  std::string whole_;  // the trace of the file read in one piece
};

std::string Describe(Cutting cutting) {
  return std::to_string(cutting.threads) + " threads, blocks of " + std::to_string(cutting.block_bytes);
}

TEST_P(BlockBorders, DoNotShow) {
  // The tiniest blocks only where the file is small: each costs a lock and a handful of allocations.
  const size_t smallest = text_.size() < (size_t{1} << 17) ? 1 : text_.size() < (size_t{4} << 20) ? 257 : 4096;
  for (const size_t block_bytes :
       {size_t{1}, size_t{17}, size_t{64}, size_t{257}, size_t{4096}, size_t{65536}, size_t{1} << 20}) {
    if (block_bytes < smallest) continue;
    for (const int threads : {1, 2, 8}) {
      const Cutting cutting{threads, block_bytes};
      ExpectSame(OpenTraceBytes(text_, "sample", OptionsOf(cutting)), Describe(cutting));
    }
  }
}

// Every small shift of the borders, on files small enough for it.
TEST_P(BlockBorders, MayLieAnywhere) {
  if (text_.size() > 20000) GTEST_SKIP() << "large file";
  for (size_t block_bytes = 1; block_bytes < 600; ++block_bytes) {
    ExpectSame(OpenTraceBytes(text_, "sample", OptionsOf({1, block_bytes})), Describe({1, block_bytes}));
  }
}

TEST_P(BlockBorders, SourceDoesNotShow) {
  const TemporaryFile file("sample.json", text_);
  const TemporaryFile gzip_file("sample.json.gz", Gzip(text_));
  const TemporaryFile pipe_place("sample_pipe");
  for (const Cutting cutting : {Cutting{1, 4096}, Cutting{2, 65536}, Cutting{8, 65536}}) {
    ExpectSame(OpenTrace(file.path(), OptionsOf(cutting)), "file, " + Describe(cutting));
    ExpectSame(OpenTrace(gzip_file.path(), OptionsOf(cutting)), "gzip file, " + Describe(cutting));
    ExpectSame(OpenTraceBytes(Zstd(text_), "sample", OptionsOf(cutting)), "zstd, " + Describe(cutting));
    unlink(pipe_place.path().c_str());
    ASSERT_EQ(mkfifo(pipe_place.path().c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe_place.path(), std::ios::binary) << text_; });
    ExpectSame(OpenTrace(pipe_place.path(), OptionsOf(cutting)), "pipe, " + Describe(cutting));
    writer.join();
  }
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& tested) { return TestNameOf(tested.param); }

INSTANTIATE_TEST_SUITE_P(Samples, BlockBorders, ::testing::ValuesIn(Samples()), NameOf);

}  // namespace
}  // namespace warpsight::testing::torch_json_blocks_test
