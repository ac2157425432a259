// TakeOver: puts our functions in the place of one copy of NVTX's.
//
// NVTX is compiled into programs and libraries; each copy asks the injected library for its functions once. Source of the
// tables' layout and numbers: nvToolsExt.h and nvtxDetail/nvtxTypes.h of NVTX 3; nvtx_abi_test.cc compares them with the
// headers where they are installed. Threads: safe.
#pragma once

#include <cstdint>

namespace warpsight::capture::nvtx {

// `export_table` is what NVTX gives the injection. False when this NVTX is not known.
bool TakeOver(const void* (*export_table)(uint32_t number));

// Around a fork, so that the child's NVTX does not wait for a thread that it does not have.
void LockForFork();
void UnlockAfterFork();

}  // namespace warpsight::capture::nvtx
