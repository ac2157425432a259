#include "analysis/counters/joined_counters_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "analysis/counters/hot_line.h"
#include "analysis/counters/launch_filter.h"
#include "analysis/counters/timeline_kernels.h"
#include "analysis/kernel_family.h"
#include "analysis/steps_pass.h"
#include "analysis/thresholds.h"
#include "counters/raw_page.h"

namespace warpsight {
namespace {

// Numbers of steps come from the file.
constexpr int64_t kMostStepsBefore = 1'000'000'000;

double ShareOf(Ns part, Ns whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

// Which kernels of the timeline a profiled one can be.
class KernelNames {
 public:
  explicit KernelNames(const TimelineKernels& timeline) : timeline_(timeline) {
    for (size_t i = 0; i < timeline.names.size(); ++i) {
      by_text_.emplace(timeline.names[i], i);
      by_comparable_[timeline.comparable[i].whole].push_back(i);
      by_function_[timeline.comparable[i].base].push_back(i);
    }
  }

  std::vector<size_t> Find(const ProfiledKernel& kernel, NameMatch how) const {
    switch (how) {
      case NameMatch::kExact:
        return FindExact(kernel);
      case NameMatch::kComparable:
        return FindComparable(kernel);
      case NameMatch::kFunction:
        return FindFunction(kernel);
    }
    return {};
  }

 private:
  using Index = std::unordered_map<std::string_view, std::vector<size_t>>;

  static void AddAll(const Index& index, std::string_view key, std::set<size_t>& found) {
    if (const auto known = index.find(key); known != index.end() && !key.empty())
      found.insert(known->second.begin(), known->second.end());
  }

  std::vector<size_t> FindExact(const ProfiledKernel& kernel) const {
    for (const std::string_view name : {kernel.full_name, kernel.mangled_name}) {
      if (const auto known = by_text_.find(name); known != by_text_.end() && !name.empty()) return {known->second};
    }
    return {};
  }

  std::vector<size_t> FindComparable(const ProfiledKernel& kernel) const {
    std::set<size_t> found;
    for (const std::string_view name : {kernel.full_name, kernel.mangled_name})
      AddAll(by_comparable_, MakeComparableName(name).whole, found);
    return {found.begin(), found.end()};
  }

  // Of two names with template arguments the function says too little.
  std::vector<size_t> FindFunction(const ProfiledKernel& kernel) const {
    const ComparableName name = MakeComparableName(kernel.full_name.empty() ? kernel.function_name : kernel.full_name);
    std::set<size_t> found;
    AddAll(by_function_, name.base, found);
    std::erase_if(found, [&](size_t i) { return name.has_arguments && timeline_.comparable[i].has_arguments; });
    return {found.begin(), found.end()};
  }

  const TimelineKernels& timeline_;
  std::unordered_map<std::string_view, size_t> by_text_;
  Index by_comparable_;
  Index by_function_;
};

class CounterJoiner {
 public:
  CounterJoiner(Analysis& analysis, TimelineKernels timeline)
      : analysis_(analysis), timeline_(std::move(timeline)), names_(timeline_) {}

  JoinedCounters Join() {
    for (const CounterReport* report : analysis_.given().counter_reports) {
      for (const ProfiledKernel& kernel : report->kernels()) Attach({report, &kernel});
    }
    for (auto& [at, joined] : joined_of_kernel_) result_.matched.push_back(std::move(joined));
    const auto more_time = [](const auto& a, const auto& b) {
      return a.gpu_ns != b.gpu_ns ? a.gpu_ns > b.gpu_ns : a.name < b.name;
    };
    std::ranges::stable_sort(result_.matched, more_time);
    ChooseLaunches();
    FindMissing();
    std::ranges::stable_sort(result_.missing, more_time);
    return std::move(result_);
  }

 private:
  void Attach(const ProfiledLaunch& launch) {
    std::vector<size_t> of_other_launches;
    for (const NameMatch how : {NameMatch::kExact, NameMatch::kComparable, NameMatch::kFunction}) {
      const std::vector<size_t> names = names_.Find(*launch.kernel, how);
      bool attached = false;
      for (const size_t name : names) {
        for (const size_t at : timeline_.of_name[name]) attached = AttachTo(at, how, launch) || attached;
      }
      if (attached) return;
      if (of_other_launches.empty()) of_other_launches = names;
    }
    result_.unmatched.push_back({launch, WhyUnmatched(of_other_launches)});
  }

  bool AttachTo(size_t at, NameMatch how, const ProfiledLaunch& launch) {
    const TimelineKernel& kernel = timeline_.kernels[at];
    const bool both_say = kernel.has_launch() && launch.kernel->block[0] > 0;
    if (both_say && (kernel.grid != launch.kernel->grid || kernel.block != launch.kernel->block)) return false;
    JoinedKernel& joined = joined_of_kernel_[at];
    joined.name = timeline_.names[kernel.name];
    joined.grid = kernel.grid;
    joined.block = kernel.block;
    joined.calls = kernel.calls;
    joined.gpu_ns = kernel.gpu_ns;
    joined.gpu_share = ShareOf(kernel.gpu_ns, timeline_.gpu_work_ns);
    joined.match = std::max(joined.match, how);
    joined.has_launch = joined.has_launch && both_say;
    if (kernel.calls > 0) joined.mean_ns = static_cast<double>(kernel.whole_ns) / static_cast<double>(kernel.calls);
    if (joined.launches.empty()) {
      TriageGiven given = GivenOfReport(*launch.report, *launch.kernel, analysis_.given().read_code);
      given.unprofiled_ns = joined.mean_ns;
      joined.triage = TriageKernel(*launch.report, *launch.kernel, given);
    }
    joined.launches.push_back(launch);
    return true;
  }

  std::string WhyUnmatched(const std::vector<size_t>& names) const {
    if (names.empty()) return "no kernel of this name";
    constexpr size_t kMostLaunches = 3;
    std::string launches;
    size_t count = 0;
    for (const size_t name : names) {
      for (const size_t at : timeline_.of_name[name]) {
        if (++count > kMostLaunches) continue;
        launches += fmt::format("{}{} x {}", launches.empty() ? "" : ", ", ExtentText(timeline_.kernels[at].grid),
                                ExtentText(timeline_.kernels[at].block));
      }
    }
    return fmt::format("another grid or block: the timeline has {}{}", launches, count > kMostLaunches ? ", ..." : "");
  }

  // The launches to profile: those of the step of median wall time, else of the window.
  void ChooseLaunches() {
    window_ = analysis_.window();
    const Result<StepsResult>& steps = analysis_.Get<StepsPass>();
    if (!steps.ok() || steps->steps.empty()) return;
    std::vector<const StepWindow*> by_wall;
    for (const StepWindow& step : steps->steps) by_wall.push_back(&step);
    std::ranges::stable_sort(by_wall, {}, [](const StepWindow* step) { return step->time.duration(); });
    const StepWindow& step = *by_wall[(by_wall.size() - 1) / 2];
    step_ = step.time;
    result_.step = step.name;
    if (steps->source == StepSource::kProfilerStep) {
      const std::vector<StepWindow> recorded = FindProfilerSteps(analysis_.trace());
      if (!recorded.empty()) result_.steps_before = std::max<int64_t>(recorded.front().index, 0);
    }
  }

  void FindMissing() {
    const double least = ThresholdShare("joined_missing_share");
    for (size_t name = 0; name < timeline_.names.size(); ++name) {
      MissingCounters missing;
      for (const size_t at : timeline_.of_name[name]) {
        if (joined_of_kernel_.contains(at)) continue;
        missing.gpu_ns = SaturatingAdd(missing.gpu_ns, timeline_.kernels[at].gpu_ns);
        missing.calls += timeline_.kernels[at].calls;
      }
      missing.gpu_share = ShareOf(missing.gpu_ns, timeline_.gpu_work_ns);
      if (missing.gpu_ns == 0 || missing.gpu_share < least) continue;
      missing.name = timeline_.names[name];
      if (KernelFamilies::Embedded().Classify(missing.name) == "collective") {
        missing.not_profiled =
            "a collective that is replayed alone waits for the other ranks forever: judge it by the times of all ranks";
      } else {
        CountLaunches(name, missing);
      }
      result_.missing.push_back(std::move(missing));
    }
  }

  void CountLaunches(size_t name, MissingCounters& missing) const {
    LaunchFilter filter = MakeLaunchFilter(timeline_.comparable, name);
    std::vector<bool> passes(timeline_.names.size());
    for (const size_t passed : filter.passed) passes[passed] = true;
    missing.filter = std::move(filter.options);
    missing.other_kernels = static_cast<int64_t>(filter.passed.size()) - 1;
    int64_t before = 0;
    int64_t inside = 0;
    for (const TimelineKernels::Launch& launch : timeline_.launches) {
      if (!passes[timeline_.kernels[launch.kernel].name]) continue;
      before += step_ && launch.at_ns < step_->start ? 1 : 0;
      inside += step_ && step_->Contains(launch.at_ns) ? 1 : 0;
    }
    missing.launch_skip = before;
    missing.launch_count = inside;
    if (inside == 0 || !HasUncovered(name)) CountFirstLaunches(name, passes, missing);
    if (inside > 0 && result_.steps_before > 0 && result_.steps_before <= kMostStepsBefore)
      missing.launch_skip_from_first_step = missing.launch_skip + result_.steps_before * inside;
    missing.launches_of_step = inside;
  }

  // Whether the step launches the kernel in a form without counters.
  bool HasUncovered(size_t name) const {
    return std::ranges::any_of(timeline_.launches, [&](const TimelineKernels::Launch& launch) {
      return step_->Contains(launch.at_ns) && IsUncovered(launch, name);
    });
  }
  bool IsUncovered(const TimelineKernels::Launch& launch, size_t name) const {
    return timeline_.kernels[launch.kernel].name == name && !joined_of_kernel_.contains(launch.kernel);
  }

  // Without a step that has it: from the first launch in the window on until every form of it was seen once.
  void CountFirstLaunches(size_t name, const std::vector<bool>& passes, MissingCounters& missing) const {
    std::set<size_t> seen;
    int64_t passed = 0;
    missing.launch_skip = 0;
    missing.launch_count = 1;
    for (const TimelineKernels::Launch& launch : timeline_.launches) {
      if (!passes[timeline_.kernels[launch.kernel].name]) continue;
      ++passed;
      if (launch.at_ns < window_.start || !IsUncovered(launch, name) || !seen.insert(launch.kernel).second) continue;
      if (timeline_.kernels[launch.kernel].calls == 0) continue;
      if (seen.size() == 1) missing.launch_skip = passed - 1;
      missing.launch_count = passed - missing.launch_skip;
    }
  }

  Analysis& analysis_;
  TimelineKernels timeline_;
  KernelNames names_;
  Interval window_;
  std::optional<Interval> step_;
  std::map<size_t, JoinedKernel> joined_of_kernel_;
  JoinedCounters result_;
};

}  // namespace

Result<JoinedCounters> JoinedCountersPass::Run(Analysis& analysis) {
  if (analysis.given().counter_reports.empty())
    return LacksError("no counter report is given: add an Nsight Compute report of the program's kernels to the files");
  return CounterJoiner(analysis, CollectTimelineKernels(analysis)).Join();
}

}  // namespace warpsight
