#include "calls/next_function.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

namespace warpsight::calls {
namespace {

// Where the module of an address lies in memory. Asked in its own code, so that it does not go away; not by
// dl_iterate_phdr, in which glibc reads beyond its own tables while another thread loads libraries (seen in 2.39).
struct Module {
  uintptr_t begin;
  uintptr_t end;
};

bool FindModule(const void* address, Module& module) {
  Dl_info info = {};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return false;
  const auto* const header = static_cast<const ElfW(Ehdr)*>(info.dli_fbase);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  // Where the parts are listed behind the first page they may not be in memory: it is found anew each time then.
  constexpr size_t kFirstPage = 4096;
  if (header->e_phoff > kFirstPage || header->e_phnum * sizeof(ElfW(Phdr)) > kFirstPage - header->e_phoff) return false;
  const auto* const parts = reinterpret_cast<const ElfW(Phdr)*>(reinterpret_cast<uintptr_t>(header) + header->e_phoff);
  module = {UINTPTR_MAX, 0};
  for (int i = 0; i < header->e_phnum; ++i) {
    if (parts[i].p_type != PT_LOAD) continue;
    const uintptr_t from = map->l_addr + parts[i].p_vaddr;
    const uintptr_t to = from + parts[i].p_memsz;
    if (from < module.begin) module.begin = from;
    if (to > module.end) module.end = to;
  }
  const auto at = reinterpret_cast<uintptr_t>(address);
  return at >= module.begin && at < module.end;
}

const char* FileOf(const void* address) {
  Dl_info info = {};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

bool IsOurs(const void* address) {
  Dl_info own = {};
  Dl_info other = {};
  return dladdr(reinterpret_cast<const void*>(&IsOurs), &own) != 0 && dladdr(address, &other) != 0 &&
         own.dli_fbase == other.dli_fbase;
}

// A library that is loaded already, with one more reference to it.
void* Loaded(const char* file) { return *file == '\0' ? nullptr : dlopen(file, RTLD_LAZY | RTLD_NOLOAD); }

void* FunctionIn(const char* file, const char* name) {
  void* const library = Loaded(file);
  if (library == nullptr) return nullptr;
  void* const function = dlsym(library, name);
  dlclose(library);
  return function != nullptr && !IsOurs(function) ? function : nullptr;
}

// "libcublas.so.12" of "/usr/lib/libcublas.so.12".
const char* BaseName(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

// Whether both files are the library of that name, of different versions.
bool AreTwoVersions(const char* a, const char* b, const char* name) {
  a = BaseName(a);
  b = BaseName(b);
  const size_t size = strlen(name);
  return strncmp(a, name, size) == 0 && strncmp(b, name, size) == 0 && strcmp(a, b) != 0;
}

}  // namespace

void* NextFunction::Find(const void* caller) {
  const int error = errno;
  void* function = dlsym(RTLD_NEXT, name_);
  void* const local = FunctionIn(FileOf(caller), name_);
  if (function == nullptr || (local != nullptr && AreTwoVersions(FileOf(function), FileOf(local), file_->name)))
    function = local;
  for (const char* version : file_->versions) {
    if (function != nullptr || version == nullptr) break;
    char file[64];
    snprintf(file, sizeof(file), "%s%s", file_->name, version);
    function = FunctionIn(file, name_);
  }
  dlerror();  // what was not found here is not for the program to read
  if (function != nullptr) {
    // Kept for good, and so must be its library; the program itself can't be opened and never goes.
    (void)Loaded(FileOf(function));
    Keep(caller, function);
  }
  errno = error;
  return function;
}

void NextFunction::Keep(const void* caller, void* function) {
  Module module = {};
  if (!FindModule(caller, module)) return;
  if (keeping_.exchange(true, std::memory_order_acquire)) return;  // the next call will keep it
  for (Binding& binding : bindings_) {
    const uintptr_t begin = binding.begin.load(std::memory_order_relaxed);
    if (begin == module.begin) break;
    if (begin != 0) continue;
    binding.bytes = module.end - module.begin;
    binding.function = function;
    binding.begin.store(module.begin, std::memory_order_release);
    break;
  }
  keeping_.store(false, std::memory_order_release);
}

}  // namespace warpsight::calls
