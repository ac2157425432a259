// JoinedCountersPass: the counters of kernels (Given::counter_reports) attached to the kernels of the timeline.
//
// A kernel of the timeline is a name with a grid and a block. Counters belong to it when the three agree. Names are compared
// as recorded, then without what recorders write differently (comparable_name.h), then by the function alone where one of
// the files has no template arguments; `match` says which. Kernels with a large share of the GPU time (threshold
// joined_missing_share) and no counters are missing, with the launches to profile: those of the step of median wall time,
// counted as the profiler counts them, from the start of the recording.
// Place in the flow: Trace, steps, counter reports -> this -> joined_document. Times are the timeline's alone. Units: ns;
// shares 0..1. Errors: kLacks without counter reports. Texts are borrowed from the trace and the reports. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/triage.h"
#include "analysis/pass.h"
#include "counters/counter_report.h"

namespace warpsight {

// By what counters and kernel were found to belong together, the surest first.
enum class NameMatch : uint8_t { kExact, kComparable, kFunction };

// One launch in a counter report.
struct ProfiledLaunch {
  const CounterReport* report = nullptr;
  const ProfiledKernel* kernel = nullptr;
};

struct JoinedKernel {
  std::string_view name;  // as in the timeline
  Extent grid{};          // zeros: not recorded
  Extent block{};
  int64_t calls = 0;
  Ns gpu_ns = 0;                  // cut at the window
  double gpu_share = 0;           // of all GPU work in the window
  std::optional<double> mean_ns;  // of a call, not cut; absent: no call starts in the window
  NameMatch match = NameMatch::kExact;
  bool has_launch = true;  // false: the timeline or the report lacks grid and block, the name was compared alone
  std::vector<ProfiledLaunch> launches;  // at least one, in the order of the files
  Triage triage;                         // of the first of them
};

struct UnmatchedCounters {
  ProfiledLaunch launch;
  std::string reason;
};

struct MissingCounters {
  std::string_view name;
  int64_t calls = 0;  // launches without counters, in the window
  Ns gpu_ns = 0;
  double gpu_share = 0;
  int64_t launch_skip = 0;   // launches that pass `filter` before those to profile
  int64_t launch_count = 0;  // launches to profile
  // The same skip with the steps before the recording, if they launched as many as the one to profile; absent: there were
  // none, or it is not known how many launches they had.
  std::optional<int64_t> launch_skip_from_first_step;
  int64_t launches_of_step = 0;  // that pass `filter`, in the step to profile
  std::string filter;            // options that choose the kernel by its name
  std::string not_profiled;      // why it can't be: then there is nothing to count; empty otherwise
  int64_t other_kernels = 0;     // names in the timeline that the filter lets through as well
};

struct JoinedCounters {
  std::vector<JoinedKernel> matched;  // most GPU time first
  std::vector<UnmatchedCounters> unmatched;
  std::vector<MissingCounters> missing;  // most GPU time first
  std::string step;                      // whose launches are to be profiled; empty: those of the window
  int64_t steps_before = 0;              // that ran before the recording, by the numbers of its steps
};

struct JoinedCountersPass {
  using Output = JoinedCounters;
  static constexpr std::string_view kName = "joined_counters";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
