// What the word-built GEMM names of cuBLAS, cuDNN, TensorRT and CUTLASS have in common: the core word "s16816gemm" and words
// such as "relu", "align8", "splitK".
//
// The core word is {accumulator letter}{instruction shape}{type multiplied}{operation}: s16816gemm accumulates in f32 with
// 16x8x16 instructions; s1688tf32gemm multiplies tf32; sgemm has no shape, which means that no tensor core is used;
// h884cudnn, s16816fprop and s16816wgrad are convolutions. Source: CUTLASS python/cutlass_library/gemm_operation.py
// (core_name) and conv2d_operation.py; cuBLAS and cuDNN name their kernels alike.
// Threads: thread-safe.
#pragma once

#include <string_view>

#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {

// Fills kind, direction, ops, accumulate and math types, instruction shape and tensor core use; false when it is no such
// word.
bool ReadCoreWord(std::string_view word, DecodedKernelName& decoded);

// "16816" -> 16x8x16; not told for digits that stand for no known instruction.
KernelExtent InstructionOfDigits(std::string_view digits);

// Epilogue, split-K, direction and alignment words; false when the word is none of them.
bool ReadOptionWord(std::string_view word, DecodedKernelName& decoded);

}  // namespace warpsight
