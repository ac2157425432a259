#include "diagnosis/report_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "document/units.h"

namespace warpsight {
namespace {

// Colours of the idle classes, in the order of IdleClass; busy time has the first colour.
constexpr std::array<std::size_t, kIdleClassCount> kIdleCategories = {7, 3, 1, 4, 2, 6, 5};

double ShareOf(Ns part_ns, Ns whole_ns) {
  return whole_ns <= 0 ? 0 : static_cast<double>(part_ns) / static_cast<double>(whole_ns);
}

}  // namespace

BarChart MakeIdleChart(const IdleDevice& device) {
  BarChart chart;
  const Ns window_ns = device.window.duration();
  chart.title = fmt::format("Device {}: where {} went", device.device, FormatDuration(window_ns));
  chart.stacked = true;
  chart.bars.push_back({"busy", device.busy_ns, ShareOf(device.busy_ns, window_ns), 0, "work on at least one stream"});
  for (std::size_t i = 0; i < kIdleClassCount; ++i) {
    if (device.classes[i] == 0) continue;
    const IdleClassInfo& info = InfoOf(static_cast<IdleClass>(i));
    chart.bars.push_back({std::string(info.label), device.classes[i], ShareOf(device.classes[i], window_ns),
                          kIdleCategories[i], std::string(info.brief)});
  }
  std::stable_sort(chart.bars.begin() + 1, chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.time_ns > b.time_ns; });
  chart.caption = "Shares are of the window. The pieces add up to it exactly.";
  return chart;
}

BarChart MakeFamilyChart(const KernelsResult& kernels) {
  struct Family {
    Ns time_ns = 0;
    int64_t calls = 0;
  };
  std::map<std::string_view, Family> families;
  for (const KernelRow& row : kernels.rows) {
    Family& family = families[row.family];
    family.time_ns = SaturatingAdd(family.time_ns, row.total_ns);
    family.calls += row.calls;
  }
  BarChart chart;
  chart.title = "GPU work by kernel family";
  for (const auto& [name, family] : families) {
    chart.bars.push_back({std::string(name), family.time_ns, ShareOf(family.time_ns, kernels.gpu_work_ns), 0,
                          fmt::format("{} calls", FormatCount(family.calls))});
  }
  std::stable_sort(chart.bars.begin(), chart.bars.end(), [](const Bar& a, const Bar& b) { return a.time_ns > b.time_ns; });
  chart.caption = "Shares are of GPU work summed over streams. A family is told from the kernel's name alone.";
  return chart;
}

BarChart MakePartsChart(std::span<const PartTime> parts) {
  BarChart chart;
  chart.title = "GPU time by part of the model";
  for (const PartTime& part : parts) {
    if (part.gpu_ns > 0) chart.bars.push_back({part.part, part.gpu_ns, part.gpu_share, 0, part.note});
  }
  chart.caption = "Shares are of GPU time.";
  return chart;
}

Scatter MakeRooflineChart(std::span<const RooflineMark> marks, std::vector<Roof> roofs, std::string caption) {
  Scatter chart;
  chart.title = "Roofline";
  chart.x_label = "FLOP per byte";
  chart.y_label = "FLOP/s";
  chart.roofs = std::move(roofs);
  chart.caption = std::move(caption);
  Ns largest_ns = 1;
  for (const RooflineMark& mark : marks) largest_ns = std::max(largest_ns, mark.time_ns);
  for (const RooflineMark& mark : marks) {
    auto series = std::find(chart.series.begin(), chart.series.end(), mark.series);
    if (series == chart.series.end()) series = chart.series.insert(series, mark.series);
    chart.points.push_back({mark.flops_per_byte, mark.flops_per_s, ShareOf(mark.time_ns, largest_ns), mark.label,
                            static_cast<std::size_t>(series - chart.series.begin())});
  }
  return chart;
}

}  // namespace warpsight
