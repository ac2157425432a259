// What-ifs: how long the step would be if one thing were otherwise. They answer "what is the most that this could bring",
// each for itself; unlike the findings' gains they may overlap and are not added.
//
// What shortens GPU time shortens the step only where the GPU is not waiting for the host. So those count from the busy
// time, as if the gaps were gone; all others count from the step. Place in the flow: step frame, frame work, diagnosis ->
// this -> report document. Units: ns per step (per window without steps). Every step_ns is what is left of from_ns. Errors:
// none; a what-if without input is left out.
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
  Ns from_ns = 0;    // the step, or its busy time
  Ns step_ns = 0;    // then
  Ns gain_ns = 0;
};

// GEMM time per step, and the least it could take.
struct GemmBound {
  Ns time_ns = 0;
  Ns bound_ns = 0;
};
// Of the judged device, from the roofline; absent without shapes or peaks.
std::optional<GemmBound> FindGemmBound(Analysis& analysis);

std::vector<WhatIf> MakeWhatIfs(Analysis& analysis, const Diagnosis& diagnosis, const std::optional<GemmBound>& gemms);

}  // namespace warpsight
