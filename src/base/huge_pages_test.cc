// What the system was asked for, by its own account: the flag "hg" of a mapping in /proc/self/smaps.
#include "base/huge_pages.h"

#include <gtest/gtest.h>
#include <malloc.h>
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

TEST(HugePagesTest, PlacesWithoutAWholePageAreLeftAlone) {
  WantHugePages(0, 0);
  WantHugePages(1, kHugePageBytes);
  WantHugePages(~uintptr_t{0} - 1, ~uintptr_t{0});
}

#if defined(__GLIBC__) && !defined(WARPSIGHT_SANITIZED)

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

// In a child, since the policy and the heap are the process's; what malloc's heap has is not asked of yet.
int ExitStatusOf(int (*work)()) {
  const pid_t child = fork();
  if (child == 0) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

uintptr_t EndOfHeap() { return reinterpret_cast<uintptr_t>(sbrk(0)); }
bool IsWantedBelow(uintptr_t end) { return IsWanted(end - 2 * kHugePageBytes); }

TEST(HugePagesTest, LargeVectorsWantThem) {
  if (!SystemHasHugePages()) GTEST_SKIP() << "this system has no transparent huge pages";
  EXPECT_EQ(ExitStatusOf([] {
              const LargeVector<uint32_t> mapped(size_t{16} << 20);
              const LargeVector<uint32_t> on_heap(size_t{3} << 20);
              const LargeVector<uint32_t> small(size_t{1} << 20);
              if (!IsWanted(MiddleOf(mapped))) return 1;
              if (!IsWanted(MiddleOf(on_heap))) return 2;
              return IsWanted(MiddleOf(small)) ? 3 : 0;
            }),
            0);
}

TEST(ProcessMemoryTest, WhatTheHeapGrowsByIsWantedToo) {
  if (!SystemHasHugePages()) GTEST_SKIP() << "this system has no transparent huge pages";
  EXPECT_EQ(ExitStatusOf([] {
              constexpr size_t kPiece = size_t{1} << 20;
              constexpr size_t kMost = 600;
              std::vector<std::unique_ptr<char[]>> pieces;  // untouched: no memory, but address space
              pieces.reserve(kMost);
              ExpectGrownMemory();
              if (IsWanted(EndOfHeap() - 1)) return 1;  // nothing before the program asks
              PrepareProcessMemory();
              const uintptr_t prepared = EndOfHeap();
              if (!IsWantedBelow(prepared)) return 2;
              while (EndOfHeap() < prepared + 4 * kHugePageBytes && pieces.size() < kMost)
                pieces.emplace_back(new char[kPiece]);
              const uintptr_t grown = EndOfHeap();
              if (grown < prepared + 4 * kHugePageBytes) return 3;
              if (IsWantedBelow(grown)) return 4;
              ExpectGrownMemory();
              if (!IsWantedBelow(grown)) return 5;
              // Given back, and taken again.
              std::unique_ptr<char[]> last(pieces.back().release());
              pieces.clear();
              ReturnFreeMemory();
              if (IsWantedBelow(prepared)) return 6;
              last.reset();
              ReturnFreeMemory();
              if (EndOfHeap() >= prepared) return 7;
              while (EndOfHeap() < grown && pieces.size() < kMost) pieces.emplace_back(new char[kPiece]);
              if (IsWantedBelow(grown)) return 8;
              ExpectGrownMemory();
              return IsWantedBelow(grown) && IsWantedBelow(prepared) ? 0 : 9;
            }),
            0);
}

#endif

}  // namespace
}  // namespace warpsight
