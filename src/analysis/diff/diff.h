// CompareRecordings: two recordings of the same program, step against step: what became slower or faster, and by how much.
//
// Both sides are compared by the step when both have steps, else window against window. Differences are B - A. In every
// grouping (kernels, ops, parts) the rows' times a step add up to the work a step exactly. Definitions: docs/diff.md.
// Place in the flow: DiffSide of each -> kernel_pairs -> this -> diff_document, diff_condition. Units: ns, shares 0..1.
// Texts are borrowed from the traces. Errors: kLacks when a side has no events. Threads: the sides are measured beside one
// another, each driving its analysis, so these must be two; the trace may be the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/diff_side.h"
#include "analysis/diff/step_scatter.h"
#include "analysis/pass.h"

namespace warpsight {

// A metric of both sides, by the step; medians are compared.
struct DiffMetricRow {
  DiffMetric metric = kDiffStep;
  std::optional<StepStatistics> a;
  std::optional<StepStatistics> b;
  std::optional<int64_t> change;       // of the medians
  std::optional<double> change_share;  // of A's; absent where that is 0
  std::optional<int64_t> noise;        // step_scatter.h; absent = not known
  std::optional<bool> within_noise;
};

// Mean time a step of a row on both sides, rounded so that the rows of a table add up.
struct DiffTimes {
  Ns a_ns = 0;
  Ns b_ns = 0;
  std::optional<Ns> noise_ns;
  std::optional<bool> within_noise;
  Ns change_ns() const { return SaturatingSubtract(b_ns, a_ns); }
};

enum class DiffChange : uint8_t { kBoth, kAppeared, kVanished, kRenamed };
// "both", "appeared", "vanished", "renamed".
std::string_view DiffChangeName(DiffChange change);

enum class PairConfidence : uint8_t { kHigh, kMedium, kLow };
std::string_view PairConfidenceName(PairConfidence confidence);

// Why two kernels of different names are taken for the same work.
struct KernelPair {
  PairConfidence confidence = PairConfidence::kLow;
  std::string reason;
};

struct DiffRow {
  std::string_view kind;    // "kernel", "memcpy", "memset", "op", "api", "overhead", "range", "part"
  std::string_view name_a;  // empty where it appeared
  std::string_view name_b;  // empty where it vanished
  DiffChange change = DiffChange::kBoth;
  std::optional<KernelPair> pair;  // of renamed ones
  double calls_a = 0;              // a step
  double calls_b = 0;
  DiffTimes gpu;
  std::optional<DiffTimes> cpu;  // self; ops only
  std::string_view family;       // kernels only

  std::string_view name() const { return name_b.empty() ? name_a : name_b; }
  Ns size_ns() const;  // by which rows are sorted: the larger of the changes, without sign
};

struct DiffTable {
  std::vector<DiffRow> rows;  // largest change first, ties by name
  DiffTimes gpu;              // sums of the rows
  std::optional<DiffTimes> cpu;
};

// A fact of the recordings that a comparison rests on.
struct DiffFact {
  std::string what;  // "GPU", "model", ...
  std::string a;     // empty = not known
  std::string b;
  bool is_serious = false;  // where it differs the recordings are not of the same thing
  bool differs() const { return a != b && !a.empty() && !b.empty(); }
};

struct DiffResult {
  DiffSide a;
  DiffSide b;
  bool by_steps = false;
  std::vector<DiffFact> facts;
  std::array<DiffMetricRow, kDiffMetricCount> metrics;
  // Absent where a side has no GPU work, which `no_gpu` says.
  std::optional<DiffTable> kernels;
  std::optional<DiffTable> parts;
  DiffTable ops;
  std::string no_gpu;
};

Result<DiffResult> CompareRecordings(Analysis& a, Analysis& b);

// --range for two recordings: each has a clock of its own, so a side that is given must count from the start of the capture.
Status CheckRangeOfTwo(std::string_view range);

}  // namespace warpsight
