#include "capture/loaded_libraries.h"

#include <inttypes.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "capture/elf_file.h"

namespace warpsight::capture {
namespace {

constexpr uintptr_t kPageBytes = 4096;

// Address in memory - address in the file, of a part of the file that begins at `offset`.
uintptr_t LoadOffset(const std::string& path, uintptr_t begin, uint64_t offset) {
  const ElfFile file(path);
  for (const Elf64_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_LOAD || segment.p_offset / kPageBytes * kPageBytes > offset ||
        offset >= segment.p_offset + segment.p_filesz)
      continue;
    return begin - (segment.p_vaddr - segment.p_offset + offset);
  }
  return begin - offset;
}

}  // namespace

std::vector<LoadedCode> LoadedLibraries() {
  std::vector<LoadedCode> parts;
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(fopen("/proc/self/maps", "re"), fclose);
  if (maps == nullptr) return parts;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, maps.get()) > 0) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    uint64_t offset = 0;
    char rights[5] = {};
    int path_at = 0;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %" SCNx64 " %*s %*s %n", &begin, &end, rights, &offset, &path_at) < 4 ||
        rights[2] != 'x')
      continue;
    std::string path = path_at == 0 ? "" : line + path_at;
    if (!path.empty() && path.back() == '\n') path.pop_back();
    const bool is_file = !path.empty() && path.front() == '/';
    const uintptr_t load_offset = is_file ? LoadOffset(path, begin, offset) : begin;
    parts.push_back({begin, end, load_offset, std::move(path)});
  }
  free(line);
  return parts;
}

LoadCounts CountLoads() {
  LoadCounts counts;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* out) {
        *static_cast<LoadCounts*>(out) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &counts);
  return counts;
}

}  // namespace warpsight::capture
