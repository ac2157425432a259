#include "formats/cubin/disassembler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"

namespace warpsight {
namespace {

FunctionCode TwoInstructions() {
  FunctionCode code;
  code.name = "k";
  code.symbol = 7;
  code.instructions.resize(2);
  code.instructions[1].offset = 16;
  return code;
}

constexpr const char* kNvdisasmOutput =
    "\t.headerflags\t@\"EF_CUDA_SM90\"\n"
    ".text.other:\n"
    "        /*0000*/                   NOP ;\n"
    ".text.k:\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    ".L_x_1:\n"
    "        /*0010*/              @!P0 BRA `(.L_x_1) ;\n"
    "        /*0020*/                   NOP ;\n";

constexpr const char* kCuobjdumpOutput =
    "\t\tFunction : k\n"
    "        /*0000*/                   MOV R1, c[0x0][0x28] ;     /* 0x00000a0000017a02 */\n"
    "                                                              /* 0x000fe40000000f00 */\n"
    "        /*0010*/                   EXIT ;                     /* 0x000000000000794d */\n"
    "\t\tFunction : other\n"
    "        /*0000*/                   NOP ;\n";

TEST(DisassemblerTest, TextsOfTheWantedFunction) {
  FunctionCode code = TwoInstructions();
  EXPECT_EQ(TakeSassTexts(kNvdisasmOutput, code), 2u);
  EXPECT_EQ(code.instructions[0].text, "LDC R1, c[0x0][0x28]");
  EXPECT_EQ(code.instructions[1].text, "@!P0 BRA `(.L_x_1)");
  EXPECT_EQ(TakeSassTexts(kCuobjdumpOutput, code), 2u);
  EXPECT_EQ(code.instructions[0].text, "MOV R1, c[0x0][0x28]");
  EXPECT_EQ(code.instructions[1].text, "EXIT");
  EXPECT_EQ(TakeSassTexts("/*", code), 0u);
  EXPECT_EQ(TakeSassTexts("", code), 0u);
}

class DisassemblerOnPathTest : public ::testing::Test {
 protected:
  DisassemblerOnPathTest() : path_before_(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "") {
    setenv("PATH", (folder_.path() + ":" + path_before_).c_str(), 1);
  }
  ~DisassemblerOnPathTest() override { setenv("PATH", path_before_.c_str(), 1); }

  void AddProgram(const std::string& name, const std::string& script) {
    const std::string file = folder_.File(name);
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  const TemporaryFolder folder_;
  std::string path_before_;
};

TEST_F(DisassemblerOnPathTest, NvdisasmIsAskedForTheFunction) {
  AddProgram("nvdisasm", std::string("[ \"$1 $2 $3\" = '-c -fun 7' ] || exit 1\ncat <<'END'\n") + kNvdisasmOutput + "END\n");
  FunctionCode code = TwoInstructions();
  EXPECT_EQ(AddSassTexts("program", code), "nvdisasm");
  EXPECT_EQ(code.instructions[0].text, "LDC R1, c[0x0][0x28]");
}

TEST_F(DisassemblerOnPathTest, CuobjdumpIsAskedWhenNvdisasmFails) {
  AddProgram("nvdisasm", "exit 1\n");
  AddProgram("cuobjdump", std::string("[ \"$2 $3\" = '-fun k' ] || exit 1\ncat <<'END'\n") + kCuobjdumpOutput + "END\n");
  FunctionCode code = TwoInstructions();
  EXPECT_EQ(AddSassTexts("program", code), "cuobjdump");
  EXPECT_EQ(code.instructions[1].text, "EXIT");
}

TEST_F(DisassemblerOnPathTest, NoneGivesNoText) {
  AddProgram("nvdisasm", "exit 1\n");
  AddProgram("cuobjdump", "echo nothing known\n");
  FunctionCode code = TwoInstructions();
  EXPECT_EQ(AddSassTexts("program", code), "");
  EXPECT_EQ(code.instructions[0].text, "");
}

}  // namespace
}  // namespace warpsight
