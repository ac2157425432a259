// What the fake program (fake_calls_program.cc) gives the fake libraries that it calls.
#pragma once

#include <cstdint>

#include "capture/nvtx/nvtx_abi.h"

struct FakeHooks {
  void (*launch)(const char* name, uint32_t thread, uint32_t correlation);  // of fake_cupti.cc
  // NVTX of the domain "NCCL", as NCCL uses it.
  int (*push)(const void* domain, const warpsight::capture::nvtx::EventAttributes* attributes);
  int (*pop)(const void* domain);
  const void* nccl_domain;
};
