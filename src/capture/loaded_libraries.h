// LoadedLibraries: the libraries of this process and where their code lies, as the kernel's list of its memory says.
//
// Not by dl_iterate_phdr: while another thread is in the middle of loading a library with variables of threads (TLS) of its
// own, glibc (seen in 2.39) reads beyond its list of such libraries there, which ended programs that load many, PyTorch
// above all. Only its very first answer, which is of the program itself, is safe and asked for: how many libraries have
// come and gone. Cost of the list: some ms in a program of hundreds of libraries, so it is read again when that number has
// changed. Errors: an empty list. Threads: safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsight::capture {

// One executable part.
struct LoadedCode {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t load_offset = 0;  // address in memory - address in the file
  std::string path;           // "[vdso]" of the kernel's own; empty = code that is in no file
};
// `before`: an earlier list, of which what still lies where it did is taken over; files are read of the rest alone.
std::vector<LoadedCode> LoadedLibraries(const std::vector<LoadedCode>& before = {});

struct LoadCounts {
  uint64_t loads = 0;  // since the process began
  uint64_t unloads = 0;
  friend bool operator==(const LoadCounts&, const LoadCounts&) = default;
};
LoadCounts CountLoads();

// Calls `work(context)` while the loader can unload nothing: inside of its first answer, under its lock. To be short, and to
// load nothing itself.
void WhileNothingIsUnloaded(void (*work)(void* context), void* context);

}  // namespace warpsight::capture
