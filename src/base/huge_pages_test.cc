// What the system was asked for, by its own account: the flag "hg" of a mapping in /proc/self/smaps.
#include "base/huge_pages.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "base/process_memory.h"

namespace warpsight {
namespace {

bool SystemHasHugePages() { return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good(); }

bool IsWanted(uintptr_t address) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool holds = false;
  while (std::getline(maps, line)) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) holds = begin <= address && address < end;
    if (holds && line.rfind("VmFlags:", 0) == 0) return (line + " ").find(" hg ") != std::string::npos;
  }
  return false;
}

template <typename T>
uintptr_t MiddleOf(const LargeVector<T>& values) {
  return reinterpret_cast<uintptr_t>(values.data() + values.size() / 2);
}

TEST(HugePagesTest, LargeVectorsWantThem) {
  if (!SystemHasHugePages()) GTEST_SKIP() << "this system has no transparent huge pages";
  const LargeVector<uint32_t> large(size_t{16} << 20);
  EXPECT_TRUE(IsWanted(MiddleOf(large)));
  const LargeVector<uint32_t> small(size_t{1} << 18);
  EXPECT_FALSE(IsWanted(MiddleOf(small)));
}

TEST(HugePagesTest, PlacesWithoutAWholePageAreLeftAlone) {
  WantHugePages(0, 0);
  WantHugePages(1, kHugePageBytes);
  WantHugePages(~uintptr_t{0} - 1, ~uintptr_t{0});
}

#if defined(__GLIBC__) && !defined(WARPSIGHT_SANITIZED)

// In a child, since the policy is the process's.
int ExitStatusOf(int (*work)()) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool TopOfHeapIsWanted() { return IsWanted(reinterpret_cast<uintptr_t>(sbrk(0)) - 2 * kHugePageBytes); }

TEST(ProcessMemoryTest, WhatTheHeapGrowsByIsWantedToo) {
  if (!SystemHasHugePages()) GTEST_SKIP() << "this system has no transparent huge pages";
  EXPECT_EQ(ExitStatusOf([] {
              ExpectGrownMemory();
              const auto first = reinterpret_cast<uintptr_t>(sbrk(0));
              if (IsWanted(first - 1)) return 1;  // nothing before the program asks
              PrepareProcessMemory();
              if (!TopOfHeapIsWanted()) return 2;
              std::vector<std::unique_ptr<char[]>> pieces;  // untouched: no memory, but address space
              const auto prepared = reinterpret_cast<uintptr_t>(sbrk(0));
              while (reinterpret_cast<uintptr_t>(sbrk(0)) == prepared) pieces.emplace_back(new char[size_t{1} << 20]);
              if (TopOfHeapIsWanted()) return 3;
              ExpectGrownMemory();
              if (!TopOfHeapIsWanted()) return 4;
              // Given back and taken again.
              pieces.clear();
              ReturnFreeMemory();
              if (reinterpret_cast<uintptr_t>(sbrk(0)) >= prepared) return 5;
              for (int i = 0; i < 400; ++i) pieces.emplace_back(new char[size_t{1} << 20]);
              ExpectGrownMemory();
              return TopOfHeapIsWanted() ? 0 : 6;
            }),
            0);
}

#endif

}  // namespace
}  // namespace warpsight
