// Names of functions: of this program, of libraries with and without symbols, of files that are damaged.
#include "capture/sampling/function_names.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "base/temporary_folder.h"
#include "capture/sampling/elf_symbols.h"
#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {

// Of the linker's names none but this has it.
__attribute__((noinline)) int FunctionWithAName(int number) {
  asm volatile("");
  return number + 1;
}

namespace {

uintptr_t AddressOf(const void* function) { return reinterpret_cast<uintptr_t>(function); }

class FunctionNamesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    PrepareCodeObjects();
    names_.FollowLibraries();
  }
  FunctionNames names_;
};

TEST_F(FunctionNamesTest, FunctionsOfTheProgramAndOfLibraries) {
  const FunctionName own = names_.name(names_.At(AddressOf(reinterpret_cast<void*>(&FunctionWithAName)) + 1));
  EXPECT_NE(own.function.find("FunctionWithAName"), std::string::npos) << own.function;
  EXPECT_EQ(own.function.substr(0, 2), "_Z");
  EXPECT_EQ(own.module, "capture_test");
  const FunctionName library = names_.name(names_.At(AddressOf(dlsym(RTLD_DEFAULT, "l64a"))));
  EXPECT_EQ(library.function, "l64a");
  EXPECT_EQ(library.module, "libc.so.6");
  // All addresses of a function are one.
  EXPECT_EQ(names_.At(AddressOf(reinterpret_cast<void*>(&FunctionWithAName))),
            names_.At(AddressOf(reinterpret_cast<void*>(&FunctionWithAName)) + 2));
}

TEST_F(FunctionNamesTest, CodeOfNoLibraryIsUnknown) {
  const FunctionName unknown = names_.name(names_.At(AddressOf(this)));
  EXPECT_EQ(unknown.function, "[unknown]");
  EXPECT_TRUE(unknown.module.empty());
}

TEST_F(FunctionNamesTest, PythonFunctionsAreOthers) {
  const FunctionNumber native = names_.Intern({"f", "m", wire::FrameKind::kNative, false});
  const FunctionNumber python = names_.Intern({"f", "m", wire::FrameKind::kPython, false});
  EXPECT_NE(native, python);
  EXPECT_EQ(names_.Intern({"f", "m", wire::FrameKind::kPython, false}), python);
  EXPECT_TRUE(names_.name(names_.Intern({"_PyEval_EvalFrameDefault.cold", "python3", {}, false})).is_interpreter);
  // What is longer than anyone reads is cut.
  EXPECT_EQ(names_.name(names_.Intern({std::string(100'000, 'x'), "m", {}, false})).function.size(), 4096u);
}

TEST(ElfSymbolsTest, NamesByAddress) {
  Dl_info info = {};
  const auto* const function = reinterpret_cast<const void*>(&FunctionWithAName);
  ASSERT_NE(dladdr(function, &info), 0);
  const ElfSymbols symbols = ElfSymbols::Read("/proc/self/exe");
  ASSERT_GT(symbols.size(), 100u);
  const uint64_t offset = AddressOf(function) - AddressOf(info.dli_fbase);
  // A program that is loaded where its file says.
  const std::string_view name =
      symbols.NameAt(offset).empty() ? symbols.NameAt(AddressOf(function)) : symbols.NameAt(offset);
  EXPECT_NE(name.find("FunctionWithAName"), std::string_view::npos) << name;
  EXPECT_EQ(symbols.NameAt(0), "");
  EXPECT_EQ(symbols.NameAt(~uint64_t{0}), "");
}

TEST(ElfSymbolsTest, FilesMayBeAnything) {
  EXPECT_EQ(ElfSymbols::Read("/nothing/here").size(), 0u);
  EXPECT_EQ(ElfSymbols::Read("/").size(), 0u);
  EXPECT_EQ(ElfSymbols::Read("/proc/self/cmdline").size(), 0u);
  const TemporaryFolder folder;
  const std::string path = folder.File("damaged.so");
  Dl_info info = {};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "dlsym"), &info), 0);
  std::ifstream in("/lib/x86_64-linux-gnu/libdl.so.2", std::ios::binary);
  std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (whole.empty()) GTEST_SKIP() << "no small library here";
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    // In the header and in the table of sections, where it hurts.
    for (int i = 0; i < 4; ++i) bytes[random() % 64] = static_cast<char>(random());
    for (int i = 0; i < 8; ++i) bytes[bytes.size() - 1 - random() % 1500] = static_cast<char>(random());
    if (round % 2 == 0) std::copy_n(whole.begin(), 64, bytes.begin());
    if (round % 5 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path, std::ios::binary) << bytes;
    const ElfSymbols symbols = ElfSymbols::Read(path);
    for (int i = 0; i < 20; ++i) EXPECT_LE(symbols.NameAt(random() % 20'000).size(), bytes.size());
  }
}

}  // namespace
}  // namespace warpsight::capture::sampling
