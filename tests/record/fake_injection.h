// What the driver and NVTX do in a program that uses them: load the libraries that the environment names, and keep NVTX's
// functions where an injected library fills them in. For the programs of this folder, one source file each.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

#include "capture/nvtx/nvtx_abi.h"

namespace {

using warpsight::capture::nvtx::AnyFunction;
using warpsight::capture::nvtx::CallbacksTable;
using warpsight::capture::nvtx::Core2Call;
using warpsight::capture::nvtx::CoreCall;
using warpsight::capture::nvtx::EventAttributes;

int (*push)(const char*) = [](const char*) { return -2; };
int (*push_wide)(const wchar_t*) = [](const wchar_t*) { return -2; };
int (*push_with)(const EventAttributes*) = [](const EventAttributes*) { return -2; };
void (*name_category)(uint32_t, const char*) = [](uint32_t, const char*) {};
int (*pop)() = [] { return -2; };
uint64_t (*start)(const char*) = [](const char*) -> uint64_t { return 0; };
void (*end)(uint64_t) = [](uint64_t) {};
const void* (*create_domain)(const char*) = [](const char*) -> const void* { return nullptr; };
const void* (*register_text)(const void*, const char*) = [](const void*, const char*) -> const void* { return nullptr; };
int (*domain_push)(const void*, const EventAttributes*) = [](const void*, const EventAttributes*) { return -2; };
int (*domain_pop)(const void*) = [](const void*) { return -2; };

// NVTX's side: the places of its functions, which the injection fills.
AnyFunction* core[16] = {};
AnyFunction* core2[16] = {};
template <typename Call, typename Function>
void Place(AnyFunction** table, Call call, Function*& function) {
  table[static_cast<size_t>(call)] = reinterpret_cast<AnyFunction*>(&function);
}
int GetTable(uint32_t module, AnyFunction*** table, unsigned int* size) {
  if (module != 1 && module != 5) return 0;
  Place(core, CoreCall::kRangePushA, push);
  Place(core, CoreCall::kRangePushW, push_wide);
  Place(core, CoreCall::kRangePushEx, push_with);
  Place(core, CoreCall::kNameCategoryA, name_category);
  Place(core, CoreCall::kRangePop, pop);
  Place(core, CoreCall::kRangeStartA, start);
  Place(core, CoreCall::kRangeEnd, end);
  Place(core2, Core2Call::kDomainCreateA, create_domain);
  Place(core2, Core2Call::kDomainRegisterStringA, register_text);
  Place(core2, Core2Call::kDomainRangePushEx, domain_push);
  Place(core2, Core2Call::kDomainRangePop, domain_pop);
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

void* InitialiseDriver() {
  void* const library = LoadInjection("CUDA_INJECTION64_PATH");
  if (library == nullptr) return nullptr;
  if (auto* initialise = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))) initialise();
  return library;
}

void InitialiseNvtx() {
  void* const library = LoadInjection("NVTX_INJECTION64_PATH");
  if (library == nullptr) return;
  using Initialise = int (*)(const void* (*)(uint32_t));
  if (auto* initialise = reinterpret_cast<Initialise>(dlsym(library, "InitializeInjectionNvtx2")))
    initialise(GetExportTable);
}

}  // namespace
