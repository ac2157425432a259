#include "capture/loaded_libraries.h"

#include <inttypes.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "capture/elf_file.h"

namespace warpsight::capture {
namespace {

// Address in memory - address in the file, of an executable part that begins at `offset` of the file.
uintptr_t LoadOffset(const std::string& path, uintptr_t begin, uint64_t offset) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const ElfFile file(path);
  for (const Elf64_Phdr& segment : file.segments()) {
    // Linkers may let the end of one segment and the begin of the next share a page of the file: it is mapped twice then.
    const bool is_code = segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
    if (!is_code || segment.p_offset / page * page > offset || offset >= segment.p_offset + segment.p_filesz) continue;
    return begin - (segment.p_vaddr - segment.p_offset + offset);
  }
  return begin - offset;
}

}  // namespace

std::vector<LoadedCode> LoadedLibraries(const std::vector<LoadedCode>& before) {
  std::vector<LoadedCode> parts;
  auto old = before.begin();  // both are in the order of the addresses
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
    while (old != before.end() && old->begin < begin) ++old;
    const bool is_old = old != before.end() && old->begin == begin && old->end == end && old->path == path;
    const uintptr_t load_offset = is_old ? old->load_offset : is_file ? LoadOffset(path, begin, offset) : begin;
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

void WhileNothingIsUnloaded(void (*work)(void* context), void* context) {
  struct Call {
    void (*work)(void*);
    void* context;
  } call = {work, context};
  dl_iterate_phdr(
      [](dl_phdr_info*, size_t, void* wanted) {
        const auto& one = *static_cast<const Call*>(wanted);
        one.work(one.context);
        return 1;
      },
      &call);
}

}  // namespace warpsight::capture
