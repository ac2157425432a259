// The list of libraries, asked for while another thread loads some.
#include "capture/loaded_libraries.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"

namespace warpsight::capture::record_loaded_libraries_test {
namespace {

const LoadedCode* CodeAt(const std::vector<LoadedCode>& list, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const LoadedCode& c) { return at >= c.begin && at < c.end; });
  return found == list.end() ? nullptr : &*found;
}

TEST(LoadedLibrariesTest, CodeIsWhereTheLoaderSays) {
  const std::vector<LoadedCode> list = LoadedLibraries();
  for (const void* function :
       {static_cast<const void*>(dlsym(RTLD_DEFAULT, "l64a")), reinterpret_cast<const void*>(&CountLoads)}) {
    Dl_info info = {};
    ASSERT_NE(dladdr(function, &info), 0);
    const LoadedCode* const code = CodeAt(list, function);
    ASSERT_NE(code, nullptr);
    EXPECT_TRUE(std::filesystem::equivalent(code->path, info.dli_fname));
    // A program that is loaded where its file says has no offset.
    EXPECT_TRUE(code->load_offset == reinterpret_cast<uintptr_t>(info.dli_fbase) || code->load_offset == 0);
  }
  EXPECT_EQ(CodeAt(list, &list), nullptr);
}

// A file whose code begins in the page where its data ends, as lld lays libraries out: only what is executable counts.
TEST(LoadedLibrariesTest, SegmentsMayShareAPageOfTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.File("shared.so");
  constexpr size_t kFileBytes = 8192;
  constexpr uint64_t kDataBytes = 0x590;
  std::vector<char> bytes(kFileBytes, 0);
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  Elf64_Phdr segments[2] = {};
  segments[0] = {PT_LOAD, PF_R, 0, 0, 0, kDataBytes, kDataBytes, 4096};
  segments[1] = {PT_LOAD, PF_R | PF_X, kDataBytes, 0x1000 + kDataBytes, 0x1000 + kDataBytes, 0x200, 0x200, 4096};
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), segments, sizeof(segments));
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const int file = open(path.c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  void* const code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  close(file);
  ASSERT_NE(code, MAP_FAILED);
  const std::vector<LoadedCode> list = LoadedLibraries();
  const LoadedCode* const found = CodeAt(list, code);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->load_offset, reinterpret_cast<uintptr_t>(code) - 0x1000);
  // What lies where it did is taken over.
  std::filesystem::remove(path);
  const std::vector<LoadedCode> again = LoadedLibraries(list);
  EXPECT_EQ(again.size(), list.size());
  munmap(code, 4096);
}

// glibc's list of libraries with variables of threads has room for some 60, then it grows: a thread that began shortly
// before, and goes over the libraries in glibc's own way at that moment, reads beyond the list.
TEST(LoadedLibrariesTest, MayBeAskedForWhileLibrariesAreLoaded) {
  constexpr int kBefore = 52;
  constexpr int kAfter = 20;
  const TemporaryFolder copies;
  std::atomic<bool> done{false};
  std::atomic<size_t> asked{0};
  std::thread asking;
  std::vector<void*> libraries;
  const LoadCounts counts = CountLoads();
  for (int i = 0; i < kBefore + kAfter; ++i) {
    if (i == kBefore) {
      asking = std::thread([&] {
        while (!done) {
          EXPECT_FALSE(LoadedLibraries().empty());
          EXPECT_GT(CountLoads().loads, counts.loads);
          ++asked;
        }
      });
    }
    const std::string copy = copies.File("lib" + std::to_string(i) + ".so");
    std::filesystem::copy_file(WARPSIGHT_FAKE_SLOW_LIBRARY, copy);
    libraries.push_back(dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL));
    ASSERT_NE(libraries.back(), nullptr) << dlerror();
  }
  done = true;
  asking.join();
  EXPECT_GT(asked, 0u);
  EXPECT_EQ(CountLoads().loads, counts.loads + kBefore + kAfter);
  const auto touch = reinterpret_cast<int (*)()>(dlsym(libraries[3], "FakeTouch"));
  const LoadedCode* code = nullptr;
  const std::vector<LoadedCode> with = LoadedLibraries();
  code = CodeAt(with, reinterpret_cast<const void*>(touch));
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(code->path, copies.File("lib3.so"));
  for (void* const library : libraries) dlclose(library);
  EXPECT_EQ(CountLoads().unloads, counts.unloads + kBefore + kAfter);
}

}  // namespace
}  // namespace warpsight::capture::record_loaded_libraries_test
