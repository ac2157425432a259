// `warpsight profile` without Nsight Compute: a script stands for ncu and writes down what it was asked.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "base/temporary_folder.h"

namespace warpsight::profile_test {
namespace {

class ProfileTest : public ::testing::Test {
 protected:
  // Puts an `ncu` on the path that copies a report to where it is asked to write one, and ends with `status`.
  void MakeNcu(int status) {
    std::ofstream(folder_.File("ncu")) << "#!/bin/sh\nprintf '%s\\n' \"$@\" > " << folder_.File("asked")
                                       << "\ncp " WARPSIGHT_TESTDATA_DIR "/one_kernel.ncu-rep \"$7\"\nexit " << status
                                       << "\n";
    ASSERT_EQ(chmod(folder_.File("ncu").c_str(), 0755), 0);
  }
  int Run(const std::string& options) {
    const std::string command = "cd " + folder_.path() + "; PATH=" + folder_.path() +
                                ":/usr/bin:/bin \"" WARPSIGHT_BINARY "\" profile " + options + " > out 2> err";
    const int ended = std::system(command.c_str());
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  }
  std::string Text(const std::string& name) const {
    std::ifstream file(folder_.File(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

TEST_F(ProfileTest, NcuIsAskedAndItsReportJudged) {
  MakeNcu(0);
  EXPECT_EQ(Run("-k regex:gemm --launch-skip 88 --launch-count 2 -o run -- ./app --quiet -o x"), 0) << Text("err");
  EXPECT_EQ(Text("asked"),
            "--set\nfull\n--import-source\nyes\n-f\n-o\nrun.ncu-rep\n--kernel-name\nregex:gemm\n--launch-skip\n88\n"
            "--launch-count\n2\n./app\n--quiet\n-o\nx\n");
  EXPECT_NE(Text("out").find("Verdict"), std::string::npos) << Text("out");
}

TEST_F(ProfileTest, TheExitStatusIsNcus) {
  MakeNcu(9);
  EXPECT_EQ(Run("--quiet ./app"), 9);
  EXPECT_EQ(Text("out"), "");
}

TEST_F(ProfileTest, WrongUsageRunsNothing) {
  MakeNcu(0);
  EXPECT_EQ(Run(""), 2);
  EXPECT_EQ(Run("--launch-count 0 -- ./app"), 2);
  EXPECT_EQ(Run("-o ncu -- ./app"), 0);
  EXPECT_EQ(Run("-o ncu -- ./app"), 2);  // the report of before
  EXPECT_NE(Text("err").find("exists"), std::string::npos);
}

TEST_F(ProfileTest, AReportOfBeforeIsNotJudged) {
  MakeNcu(0);
  ASSERT_EQ(Run("-o run -- ./app"), 0);
  EXPECT_NE(Text("out").find("Verdict"), std::string::npos) << Text("out");
  std::ofstream(folder_.File("ncu")) << "#!/bin/sh\necho no kernels\nexit 1\n";
  EXPECT_EQ(Run("-f -o run -- ./app"), 1);
  EXPECT_EQ(Text("out"), "no kernels\n");
  MakeNcu(0);
  EXPECT_EQ(Run("-f -o run -- ./app"), 0);
  EXPECT_NE(Text("out").find("Verdict"), std::string::npos) << Text("out");
}

}  // namespace
}  // namespace warpsight::profile_test
