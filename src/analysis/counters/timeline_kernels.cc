#include "analysis/counters/timeline_kernels.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpsight {
namespace {

Extent ExtentOf(const std::array<int32_t, 3>& recorded) {
  Extent extent{};
  for (size_t i = 0; i < 3; ++i) extent[i] = static_cast<uint64_t>(std::max(recorded[i], 0));
  return extent;
}

class TimelineKernelCollector {
 public:
  explicit TimelineKernelCollector(const Analysis& analysis)
      : trace_(analysis.trace()),
        gpu_(trace_.gpu()),
        selection_(analysis.selection()),
        name_of_text_(trace_.strings().size(), kNoName) {}

  TimelineKernels Collect() {
    for (const Device& device : trace_.devices()) {
      if (!device.has_work || (selection_.device && device.id != *selection_.device)) continue;
      for (uint32_t row = device.first_work; row < device.end_work; ++row) AddRow(row);
    }
    std::ranges::stable_sort(found_.launches, {}, &TimelineKernels::Launch::at_ns);
    for (const std::string_view name : found_.names) found_.comparable.push_back(MakeComparableName(name));
    return std::move(found_);
  }

 private:
  static constexpr size_t kNoName = ~size_t{0};

  void AddRow(uint32_t row) {
    const Interval whole{gpu_.start_ns[row], gpu_.end_ns[row]};
    const Ns inside = (selection_.range ? Intersect(whole, *selection_.range) : whole).duration();
    found_.gpu_work_ns = SaturatingAdd(found_.gpu_work_ns, inside);
    if (gpu_.kind[row] != GpuKind::kKernel) return;
    const size_t at = KernelOf(gpu_.name[row], gpu_.launch_config[row]);
    TimelineKernel& kernel = found_.kernels[at];
    kernel.gpu_ns = SaturatingAdd(kernel.gpu_ns, inside);
    if (!selection_.range || selection_.range->Contains(whole.start)) {
      ++kernel.calls;
      kernel.whole_ns = SaturatingAdd(kernel.whole_ns, whole.duration());
    }
    const uint32_t launch = gpu_.launch[row];
    found_.launches.push_back({launch == kNoRow ? whole.start : trace_.host().start_ns[launch], at});
  }

  size_t KernelOf(StringId text, LaunchIndex config) {
    const uint64_t key = uint64_t{static_cast<uint32_t>(text)} << 32 | config;
    const auto [known, is_new] = kernel_of_config_.try_emplace(key, 0);
    if (is_new) known->second = AddKernel(text, config);
    return known->second;
  }

  // Configurations that differ in registers or shared memory alone are one kernel here.
  size_t AddKernel(StringId text, LaunchIndex config) {
    size_t& name = name_of_text_[static_cast<uint32_t>(text)];
    if (name == kNoName) {
      name = found_.names.size();
      found_.names.push_back(trace_.Text(text));
      found_.of_name.emplace_back();
    }
    TimelineKernel kernel;
    kernel.name = name;
    kernel.grid = ExtentOf(trace_.launch_config(config).grid);
    kernel.block = ExtentOf(trace_.launch_config(config).block);
    const auto [known, is_new] = kernel_of_launch_.try_emplace({name, kernel.grid, kernel.block}, found_.kernels.size());
    if (is_new) {
      found_.of_name[name].push_back(found_.kernels.size());
      found_.kernels.push_back(kernel);
    }
    return known->second;
  }

  const Trace& trace_;
  const GpuWork& gpu_;
  const Selection& selection_;
  std::vector<size_t> name_of_text_;
  std::unordered_map<uint64_t, size_t> kernel_of_config_;
  std::map<std::tuple<size_t, Extent, Extent>, size_t> kernel_of_launch_;
  TimelineKernels found_;
};

}  // namespace

TimelineKernels CollectTimelineKernels(const Analysis& analysis) { return TimelineKernelCollector(analysis).Collect(); }

}  // namespace warpsight
