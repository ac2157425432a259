#include "base/child_program.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/temporary_folder.h"

namespace warpsight {
namespace {

std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ChildProgramTest, OutputAndStatus) {
  const TemporaryFolder folder;
  const std::string out = folder.File("out");
  const ChildProgramEnd end = RunChildProgram({"echo", "a  b;c", "$HOME"}, out, ChildErrors::kDropped);
  EXPECT_TRUE(end.succeeded());
  EXPECT_EQ(TextOf(out), "a  b;c $HOME\n") << "no shell has seen the words";
  EXPECT_EQ(RunChildProgram({"false"}, out, ChildErrors::kWithOutput).status, 1);
}

TEST(ChildProgramTest, MissingProgramIsNotFound) {
  const TemporaryFolder folder;
  const ChildProgramEnd end = RunChildProgram({"no-such-program-here"}, folder.File("out"), ChildErrors::kDropped);
  EXPECT_FALSE(end.found);
  EXPECT_FALSE(end.succeeded());
}

TEST(ChildProgramTest, ProgramThatDoesNotEndIsEnded) {
  const TemporaryFolder folder;
  const ChildProgramEnd end = RunChildProgram({"sleep", "60"}, folder.File("out"), ChildErrors::kDropped, 1);
  EXPECT_TRUE(end.timed_out);
  EXPECT_FALSE(end.succeeded());
}

}  // namespace
}  // namespace warpsight
