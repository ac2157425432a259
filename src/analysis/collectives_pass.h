// CollectivesPass: what the collectives of one rank moved, how fast, and how much of their time nothing hid.
//
// Bytes and factors: data/collectives.toml. Algorithm bandwidth = bytes / time, bus bandwidth = that x factor: what the link
// must carry, one way. A collective's time on one rank holds its wait for the other ranks, so both are lower bounds of what
// the links do; ranks.h parts wait from transfer where several ranks are given. What is not recorded is absent, never 0.
// Time is cut at the window; calls count where they start, and min, mean, median, max are of those calls, whole.
// Place in the flow: collective_busy + collective_facts + steps -> this -> collectives_document, ranks, rules.
// Units: ns, bytes, bytes/s. Errors: kLacks without GPU work; a recording without collectives has no rows.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/collective_kind.h"
#include "analysis/pass.h"

namespace warpsight {

// Calls of one collective: same device, kind, type, bytes and process group.
struct CollectiveRow {
  const CollectiveKind* kind = nullptr;  // null when the names do not say
  std::string_view name;                 // as recorded (collective, else op, else kernel)
  std::string_view kernel;               // of the first call
  std::string_view dtype;                // empty = not recorded, like group and group_ranks
  std::string_view group;
  std::string_view group_ranks;
  std::optional<int64_t> group_size;
  std::optional<int64_t> bytes;
  int32_t device = 0;
  int64_t calls = 0;
  std::optional<double> calls_per_step;
  Ns total_ns = 0;    // summed over calls, cut at the window
  Ns exposed_ns = 0;  // the part of it in which nothing but collectives ran; calls that overlap each other both count it
  std::optional<Ns> mean_ns;
  std::optional<Ns> median_ns;
  std::optional<Ns> min_ns;
  std::optional<Ns> max_ns;

  // Of a call that lasts `time`; absent when bytes (or the group, for the bus) are not known.
  std::optional<double> AlgorithmBytesPerSecond(std::optional<Ns> time) const;
  std::optional<double> BusBytesPerSecond(std::optional<Ns> time) const;
};

struct CollectiveCall {
  uint32_t gpu_row = 0;
  uint32_t row = 0;   // index into rows
  int32_t step = -1;  // the step that launched it, index into StepsResult::steps; -1 = none
};

// All collectives of a device, as unions over streams.
struct CollectiveTime {
  int32_t device = 0;
  Ns window_ns = 0;
  Ns busy_ns = 0;        // all GPU work
  Ns collective_ns = 0;  // = exposed + overlapped
  Ns exposed_ns = 0;     // nothing but collectives ran
  Ns overlapped_ns = 0;
  // One way, of the links between the GPUs; absent when the device's peaks are not known.
  std::optional<double> link_bytes_per_s;
};

struct CollectivesResult {
  std::vector<CollectiveTime> devices;  // selected devices that ran collectives
  std::vector<CollectiveRow> rows;      // longest total first
  std::vector<CollectiveCall> calls;    // that start in the window, by device and start

  const CollectiveTime* Find(int32_t device) const;
};

struct CollectivesPass {
  using Output = CollectivesResult;
  static constexpr std::string_view kName = "collectives";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
