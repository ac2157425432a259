// A program that uses cuBLAS and NCCL through a framework, as far as the recorder can see.
//
// usage: fake_calls_program FAKE_CUPTI [+]FRAMEWORK...    opens the frameworks with RTLD_LOCAL, as Python does, + globally
//        fake_calls_linked FAKE_CUPTI                    is linked with one
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "record/fake_hooks.h"
#include "record/fake_injection.h"

#ifdef FAKE_LINKED
extern "C" void RunFramework(const FakeHooks* hooks);
#endif

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  InitialiseNvtx();
  InitialiseDriver();
  FakeHooks hooks = {};
  if (void* const cupti = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))
    hooks.launch = reinterpret_cast<decltype(hooks.launch)>(dlsym(cupti, "FakeLaunch"));
  hooks.push = domain_push;
  hooks.pop = domain_pop;
  hooks.nccl_domain = create_domain("NCCL");
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
