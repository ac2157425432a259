// Files made to fill the memory, given to the built program with little of it: each is refused, or read, in order.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/temporary_folder.h"
#include "hostile/compressed.h"

namespace warpsight::testing::small_memory_test {
namespace {

class SmallMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef WARPSIGHT_SANITIZED
    GTEST_SKIP() << "the sanitizer takes more than any limit";
#endif
  }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.File(name), std::ios::binary) << bytes;
    return folder_.File(name);
  }
  std::string Said() const {
    std::ifstream file(folder_.File("err"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // Its exit status; -1 when it was killed.
  int Run(const std::string& verb, const std::string& file, int most_megabytes) const {
    const std::string command = "ulimit -v " + std::to_string(most_megabytes * 1024) + "; \"" WARPSIGHT_BINARY "\" " + verb +
                                " \"" + file + "\" >/dev/null 2>\"" + folder_.File("err") + "\"";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void ExpectOneLine(const std::string& words) const {
    const std::string said = Said();
    EXPECT_TRUE(said.starts_with("warpsight: ")) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(SmallMemoryTest, CompressedBombsAreRefused) {
  const std::string zeros(100 << 20, '\0');
  const struct {
    const char* verb;
    const char* name;
    std::string head;
  } cases[] = {{"report", "a.sqlite", std::string("SQLite format 3\0", 16)},
               {"report", "a.wscap", std::string("\x89WSC\r\n\x1a\n\1\0\0\0\x10\0\0\0", 16)},
               {"counters", "a.ncu-rep", std::string("NVR\0\0\0\0\0", 8)},
               {"counters", "a.csv", "\"ID\",\"Process ID\",\"x\"\n"}};
  for (const auto& one : cases) {
    // Frames that follow one another are one text.
    const std::string frame = Zstd(zeros);
    EXPECT_EQ(Run(one.verb, Write(one.name, Zstd(one.head) + frame + frame + frame + frame), 1200), 3) << one.name;
    ExpectOneLine("inflate to more than 268.4 MB");
  }
}

// Wherever memory ends: in a verb, in a worker, or where an exception already passes.
TEST_F(SmallMemoryTest, NoMemoryIsSaidInOneLine) {
  std::string text = R"({"schemaVersion": 1, "traceEvents": [)";
  for (int i = 0; i < 60'000; ++i) {
    text += R"({"ph": "X", "cat": "user_annotation", "name": "range )" + std::to_string(i) +
            R"(", "pid": 1, "tid": 2, "ts": )" + std::to_string(1000 + i) + R"(, "dur": 0.5},)" + "\n";
  }
  text += R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 1, "dur": 2}]})";
  const std::string file = Write("many.json", text);
  ASSERT_EQ(Run("stats", file, 4000), 0) << Said();
  for (const char* verb : {"stats", "report --json"}) {
    for (int megabytes = 220; megabytes <= 300; megabytes += 20) {
      const int status = Run(verb, file, megabytes);
      EXPECT_TRUE(status == 0 || status == 3) << verb << " " << megabytes << ": " << status << " " << Said();
      if (status == 3) ExpectOneLine("memory");
    }
  }
}

}  // namespace
}  // namespace warpsight::testing::small_memory_test
