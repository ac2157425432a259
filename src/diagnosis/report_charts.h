// The charts of a report, from typed results or plain numbers.
//
// Place in the flow: passes -> these -> blocks of the report document that the page draws. Units: ns; shares 0..1; scatter
// axes in FLOP/B and FLOP/s. Errors: none. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/idle_pass.h"
#include "analysis/kernels_pass.h"
#include "document/chart.h"

namespace warpsight {

// Busy and the classes of idle time of one device, as pieces of its window.
BarChart MakeIdleChart(const IdleDevice& device);

// GPU work by kernel family, largest first.
BarChart MakeFamilyChart(const KernelsResult& kernels);

// GPU time of one part of a model.
struct PartTime {
  std::string part;
  Ns gpu_ns = 0;
  double gpu_share = 0;
  std::string note;
};
// In the order given; parts without time are left out.
BarChart MakePartsChart(std::span<const PartTime> parts);

// One op or kernel against the roof.
struct RooflineMark {
  std::string label;
  double flops_per_byte = 0;
  double flops_per_s = 0;
  Ns time_ns = 0;  // in all: the mark's size
  std::string series;
};
// Series take the colours in the order of their first mark. `caption` says which peaks were used and where they are from.
Scatter MakeRooflineChart(std::span<const RooflineMark> marks, std::vector<Roof> roofs, std::string caption);

}  // namespace warpsight
