// Where OS calls are all that is recorded: loads the injected library when the process starts, since neither the driver nor
// NVTX will.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_recorder.h"

namespace warpsight::calls::os {
namespace {

// After MakeKey and FindAll.
__attribute__((constructor)) void StartSession() {
  const char* const settings = getenv(kSettingsOfProcess);
  if (settings == nullptr || strstr(settings, kFromStart) == nullptr) return;
  Dl_info own = {};
  char path[4096];
  if (dladdr(reinterpret_cast<const void*>(&StartSession), &own) == 0 || own.dli_fname == nullptr) return;
  const char* const slash = strrchr(own.dli_fname, '/');
  const size_t folder_bytes = slash == nullptr ? 0 : static_cast<size_t>(slash - own.dli_fname) + 1;
  if (folder_bytes + strlen(kInjectedFile) >= sizeof(path)) return;
  memcpy(path, own.dli_fname, folder_bytes);
  strcpy(path + folder_bytes, kInjectedFile);
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    dlerror();
    return;
  }
  if (const auto start = reinterpret_cast<int (*)()>(dlsym(library, kStartFunction))) start();
}

}  // namespace
}  // namespace warpsight::calls::os
