// A program that uses cuBLAS and NCCL through a framework, as far as the recorder can see.
//
// usage: fake_calls_program FAKE_CUPTI [+]FRAMEWORK...    opens the frameworks with RTLD_LOCAL, as Python does, + globally
//        fake_calls_linked FAKE_CUPTI                    is linked with one
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "capture/nvtx/nvtx_abi.h"
#include "record/fake_hooks.h"

namespace {

using warpsight::capture::nvtx::AnyFunction;
using warpsight::capture::nvtx::CallbacksTable;
using warpsight::capture::nvtx::EventAttributes;

int (*push)(const char*) = [](const char*) { return -2; };
int (*pop)() = [] { return -2; };
const void* (*make_domain)(const char*) = [](const char*) -> const void* { return nullptr; };
int (*domain_push)(const void*, const EventAttributes*) = [](const void*, const EventAttributes*) { return -2; };
int (*domain_pop)(const void*) = [](const void*) { return -2; };

AnyFunction* core[17] = {};
AnyFunction* core2[17] = {};
int GetTable(uint32_t module, AnyFunction*** table, unsigned int* size) {
  if (module != 1 && module != 5) return 0;
  core[9] = reinterpret_cast<AnyFunction*>(&push);
  core[11] = reinterpret_cast<AnyFunction*>(&pop);
  core2[4] = reinterpret_cast<AnyFunction*>(&domain_push);
  core2[5] = reinterpret_cast<AnyFunction*>(&domain_pop);
  core2[12] = reinterpret_cast<AnyFunction*>(&make_domain);
  *table = module == 1 ? core : core2;
  *size = 16;
  return 1;
}
const void* GetExportTable(uint32_t number) {
  static const CallbacksTable callbacks = {sizeof(CallbacksTable), GetTable};
  return number == 1 ? &callbacks : nullptr;
}

void* LoadInjection(const char* variable) {
  const char* path = std::getenv(variable);
  return path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

void Initialise() {
  using InitialiseNvtx = int (*)(const void* (*)(uint32_t));
  if (void* const library = LoadInjection("NVTX_INJECTION64_PATH"))
    reinterpret_cast<InitialiseNvtx>(dlsym(library, "InitializeInjectionNvtx2"))(GetExportTable);
  if (void* const library = LoadInjection("CUDA_INJECTION64_PATH"))
    reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))();
}

}  // namespace

#ifdef FAKE_LINKED
extern "C" void RunFramework(const FakeHooks* hooks);
#endif

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  Initialise();
  FakeHooks hooks = {};
  if (void* const cupti = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))
    hooks.launch = reinterpret_cast<decltype(hooks.launch)>(dlsym(cupti, "FakeLaunch"));
  hooks.push = domain_push;
  hooks.pop = domain_pop;
  hooks.nccl_domain = make_domain("NCCL");
  push("aten::mm, op_id = 3");
#ifdef FAKE_LINKED
  RunFramework(&hooks);
#else
  for (int i = 2; i < argc; ++i) {
    const bool global = argv[i][0] == '+';
    void* const framework = dlopen(argv[i] + (global ? 1 : 0), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (framework == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    reinterpret_cast<void (*)(const FakeHooks*)>(dlsym(framework, "RunFramework"))(&hooks);
  }
#endif
  pop();
  const char* preloaded = std::getenv("LD_PRELOAD");
  std::printf("message of the loader: %s\n", dlerror() == nullptr ? "none" : "some");
  std::fprintf(stderr, "LD_PRELOAD=%s\n", preloaded == nullptr ? "" : preloaded);
  return 7;
}
