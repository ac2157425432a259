// What a kernel's name tells, in words: for people, from the decoder's fields (analysis/kernel_name).
//
// Place in the flow: a decoded name -> this -> explain.h. Only what the name tells is said, and what it does not tell is
// named, since an absent field never means "no". Errors: none. Threads: thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {

// "matrix product (GEMM)" of "gemm"; the kind itself when there is no better word.
std::string KernelKindWords(std::string_view kind);

// In a sentence or two: what it does, whose it is, how it was built.
std::string KernelSentence(const DecodedKernelName& decoded);

// Label and value, in the order in which an engineer reads them.
std::vector<std::pair<std::string, std::string>> KernelFacts(const DecodedKernelName& decoded);

}  // namespace warpsight
