// What-ifs: how long the step would be if one thing were otherwise. They answer "what is the most that this could bring",
// each for itself; unlike the findings' gains they may overlap and are not added.
//
// Place in the flow: step frame, frame work, diagnosis -> this -> report document. Units: ns per step (per window without
// steps). Every step_ns is what is left, between 0 and the step. Errors: none; a what-if without input is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pass.h"
#include "diagnosis/diagnose.h"

namespace warpsight {

struct WhatIf {
  std::string id;    // "gaps_removed"
  std::string what;  // "gaps removed"
  Ns step_ns = 0;
  Ns gain_ns = 0;
};

// GEMM time per step, and the least it could take; known where shapes and peaks are.
struct GemmBound {
  Ns time_ns = 0;
  Ns bound_ns = 0;
};

std::vector<WhatIf> MakeWhatIfs(Analysis& analysis, const Diagnosis& diagnosis, const std::optional<GemmBound>& gemms);

}  // namespace warpsight
