// PairKernels: which kernel that vanished is which kernel that appeared: another tile, another architecture's variant,
// another library's kernel for the same work.
//
// Tried in this order, each for what is left: the same op, shapes and model part; the same op and part; the same part and
// family, only where each side has one such kernel. Of several candidates those that share most calls are paired first.
// Confidence: high = op, shapes and part agree for nine of ten calls of both; medium = less of them, or op and part alone
// for nine of ten; low = the rest.
// Place in the flow: rows of diff.h that are on one side -> pairs -> rows that are renamed. Threads: pure function.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/diff/diff.h"

namespace warpsight {

struct OneSidedKernel {
  size_t row = 0;  // the caller's
  std::string_view family;
  const WorkOrigins* origins = nullptr;
};

struct PairedKernels {
  size_t vanished = 0;  // rows of the caller
  size_t appeared = 0;
  KernelPair pair;
};

std::vector<PairedKernels> PairKernels(const std::vector<OneSidedKernel>& vanished,
                                       const std::vector<OneSidedKernel>& appeared);

}  // namespace warpsight
