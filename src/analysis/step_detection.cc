#include "analysis/step_detection.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "analysis/thresholds.h"

namespace warpsight {
namespace {

// A multiplier whose powers do not repeat modulo 2^64 for any length that fits in memory; collisions are caught later, when
// the period is checked symbol by symbol.
constexpr uint64_t kBase = 0x9E3779B97F4A7C15u;
// Periods that pass the hash test but cover too little; more than a few means that there is no clean repetition.
constexpr int kMaxExtensions = 16;

// Hash of any subrange in O(1).
class PrefixHashes {
 public:
  explicit PrefixHashes(std::span<const uint64_t> symbols) : hashes_(symbols.size() + 1, 0), powers_(symbols.size() + 1, 1) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      hashes_[i + 1] = hashes_[i] * kBase + symbols[i] + 1;
      powers_[i + 1] = powers_[i] * kBase;
    }
  }
  uint64_t Of(size_t first, size_t end) const { return hashes_[end] - hashes_[first] * powers_[end - first]; }

 private:
  std::vector<uint64_t> hashes_;
  std::vector<uint64_t> powers_;
};

Repetition Extend(std::span<const uint64_t> symbols, size_t period, size_t first, size_t end) {
  // `first` and `end` bound the compared positions; the repetition itself reaches one period further.
  while (first > 0 && symbols[first - 1] == symbols[first - 1 + period]) --first;
  while (first < end && symbols[first] != symbols[first + period]) ++first;
  size_t last = first;
  while (last + period < symbols.size() && symbols[last] == symbols[last + period]) ++last;
  return {period, first, last + period};
}

// One launch call, or one top-level event.
struct Unit {
  Ns start = 0;
  uint32_t row = 0;  // host row; GPU row when the recording has no launches
  uint64_t symbol = 0;
  Ns end = 0;       // of the call and of all GPU work that it launched
  size_t work = 0;  // GPU rows that it launched
};

void SortByStart(std::vector<Unit>& units) {
  const auto earlier = [](const Unit& a, const Unit& b) { return std::tie(a.start, a.row) < std::tie(b.start, b.row); };
  if (!std::is_sorted(units.begin(), units.end(), earlier)) std::sort(units.begin(), units.end(), earlier);
}

uint64_t SymbolOf(StringId name, uint64_t kind) { return (static_cast<uint64_t>(name) * 4 + kind) * kBase; }

std::vector<Unit> LaunchUnits(const Trace& trace) {
  const GpuWork& gpu = trace.gpu();
  std::vector<uint32_t> unit_of(trace.host().size(), kNoRow);
  std::vector<Unit> units;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const uint32_t launch = gpu.launch[row];
    if (launch == kNoRow) continue;
    if (unit_of[launch] == kNoRow) {
      unit_of[launch] = static_cast<uint32_t>(units.size());
      units.push_back({trace.host().start_ns[launch], launch, 0, trace.host().end_ns[launch], 0});
    }
    Unit& unit = units[unit_of[launch]];
    // A sum, since the nodes of a graph may run in any order on several streams.
    unit.symbol += SymbolOf(gpu.name[row], static_cast<uint64_t>(gpu.kind[row])) | 1;
    unit.end = std::max(unit.end, gpu.end_ns[row]);
    ++unit.work;
  }
  SortByStart(units);
  return units;
}

// For recordings without calls: the work of the device that has most, in the order in which it ran.
std::vector<Unit> WorkUnits(const Trace& trace) {
  const Device* most = nullptr;
  for (const Device& device : trace.devices()) {
    if (most == nullptr || device.end_work - device.first_work > most->end_work - most->first_work) most = &device;
  }
  std::vector<Unit> units;
  if (most == nullptr) return units;
  const GpuWork& gpu = trace.gpu();
  for (uint32_t row = most->first_work; row < most->end_work; ++row) {
    units.push_back(
        {gpu.start_ns[row], row, SymbolOf(gpu.name[row], static_cast<uint64_t>(gpu.kind[row])), gpu.end_ns[row], 1});
  }
  return units;
}

// The parent of a row, calls of other libraries left out: whether cuBLAS was recorded around a launch changes no structure.
uint32_t OutsideOfLibraries(const HostEvents& host, uint32_t row) {
  constexpr int kDeepest = 8;  // libraries over libraries; a hostile file may nest without end
  uint32_t parent = host.parent[row];
  for (int up = 0; up < kDeepest && parent != kNoRow; ++up) {
    if (host.kind[parent] != HostKind::kOther || host.types[parent] == StringId::kEmpty) break;
    parent = host.parent[parent];
  }
  return parent;
}

// Top-level ops and calls of the thread that launches most, or has most of them when nothing was launched.
std::vector<Unit> TopLevelUnits(const Trace& trace) {
  const HostEvents& host = trace.host();
  const auto counts_as_event = [&host](uint32_t row) {
    const bool counts = host.kind[row] == HostKind::kOp || host.kind[row] == HostKind::kApi;
    return counts && OutsideOfLibraries(host, row) == kNoRow;
  };
  std::vector<std::pair<size_t, size_t>> weight(trace.threads().size());  // launches, top-level events
  for (uint32_t launch : trace.gpu().launch) {
    if (launch != kNoRow) ++weight[host.thread[launch]].first;
  }
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (counts_as_event(row)) ++weight[host.thread[row]].second;
  }
  const auto heaviest = std::max_element(weight.begin(), weight.end());
  std::vector<Unit> units;
  if (heaviest == weight.end()) return units;
  const Thread& thread = trace.threads()[static_cast<size_t>(heaviest - weight.begin())];
  for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
    if (counts_as_event(row)) {
      units.push_back(
          {host.start_ns[row], row, SymbolOf(host.name[row], static_cast<uint64_t>(host.kind[row])), host.end_ns[row], 0});
    }
  }
  return units;
}

// How long the host paused before each border, on average, when the first period begins at unit `first`.
double MeanPause(std::span<const Unit> units, const Repetition& repetition, size_t first) {
  double sum = 0;
  size_t borders = 0;
  for (size_t at = first + repetition.period; at + repetition.period <= repetition.end; at += repetition.period) {
    sum += static_cast<double>(SaturatingSubtract(units[at].start, units[at - 1].start));
    ++borders;
  }
  return borders == 0 ? 0 : sum / static_cast<double>(borders);
}

// Where the periods begin. The program's own border is most likely where the host paused longest between two launches. Of
// the borders that keep every whole period the best one is taken; one that gives a period up (a recording that starts inside
// of a step) must be clearly better.
size_t FirstBorder(std::span<const Unit> units, const Repetition& repetition) {
  const double clearly_better = ThresholdRatio("step_detection_clearly_better");
  const size_t length = repetition.end - repetition.first;
  const size_t free = length % repetition.period;
  size_t best = repetition.first;
  double best_pause = -1;
  for (size_t offset = 0; offset < repetition.period; ++offset) {
    if (offset > free && length / repetition.period <= 2) break;
    const double pause = MeanPause(units, repetition, repetition.first + offset);
    if (pause <= best_pause * (offset > free ? clearly_better : 1)) continue;
    best = repetition.first + offset;
    best_pause = offset > free ? pause / clearly_better : pause;
  }
  return best;
}

// Whether [first, end) holds a symbol that the repetition does not have.
bool HasForeign(std::span<const uint64_t> symbols, const Repetition& repetition, size_t first, size_t end) {
  const std::span<const uint64_t> period = symbols.subspan(repetition.first, repetition.period);
  const std::unordered_set<uint64_t> known(period.begin(), period.end());
  return std::any_of(symbols.begin() + static_cast<ptrdiff_t>(first), symbols.begin() + static_cast<ptrdiff_t>(end),
                     [&known](uint64_t symbol) { return !known.contains(symbol); });
}

// Repetitions that are no iterations of the program.
bool IsStepLike(std::span<const uint64_t> symbols, const Repetition& found, size_t least_period) {
  if (found.period < least_period) return false;
  // A few launches are quickly alike by chance: short periods must come more often.
  const auto short_period = static_cast<size_t>(ThresholdCount("step_detection_short_period"));
  const size_t least_times = found.period < short_period && found.period > 1 ? 3 : 2;
  if (found.end - found.first < least_times * found.period) return false;
  // An embedding before, a head behind and the same thing in between are the layers of one step.
  return !HasForeign(symbols, found, 0, found.first) || !HasForeign(symbols, found, found.end, symbols.size());
}

std::vector<StepWindow> ToSteps(std::span<const Unit> units, size_t least_period) {
  std::vector<uint64_t> symbols;
  symbols.reserve(units.size());
  for (const Unit& unit : units) symbols.push_back(unit.symbol);
  const std::optional<Repetition> found = FindRepetition(symbols, ThresholdShare("step_detection_coverage"));
  std::vector<StepWindow> steps;
  if (!found || !IsStepLike(symbols, *found, least_period)) return steps;
  for (size_t first = FirstBorder(units, *found); first + found->period <= found->end; first += found->period) {
    StepWindow step;
    step.name = "step (detected)";
    step.index = static_cast<int64_t>(steps.size());
    step.time = {units[first].start, units[first].end};
    for (size_t i = first; i < first + found->period; ++i) step.time.end = std::max(step.time.end, units[i].end);
    if (!steps.empty()) steps.back().time.end = step.time.start;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

std::optional<Repetition> FindRepetition(std::span<const uint64_t> symbols, double coverage) {
  const size_t count = symbols.size();
  const auto margin = static_cast<size_t>((1 - coverage) * static_cast<double>(count));
  const size_t first = margin;
  const size_t end = count - margin;
  const PrefixHashes hashes(symbols);
  int extensions = 0;
  for (size_t period = 1; period <= count / 2; ++period) {
    if (first + period >= end) break;
    if (hashes.Of(first, end - period) != hashes.Of(first + period, end)) continue;
    const Repetition found = Extend(symbols, period, first, end - period);
    const size_t length = found.end - found.first;
    if (length >= 2 * period && static_cast<double>(length) >= coverage * static_cast<double>(count)) return found;
    if (++extensions == kMaxExtensions) break;
  }
  return std::nullopt;
}

std::vector<StepWindow> DetectSteps(const Trace& trace) {
  std::vector<Unit> units = LaunchUnits(trace);
  if (units.empty()) units = WorkUnits(trace);
  // One launch over and over is a loop over a kernel, not a step, unless the launch is a whole graph.
  const bool graphs =
      !units.empty() && std::all_of(units.begin(), units.end(), [](const Unit& unit) { return unit.work > 1; });
  std::vector<StepWindow> steps = ToSteps(units, graphs ? 1 : 2);
  if (steps.empty() && units.size() < static_cast<size_t>(ThresholdCount("step_detection_few_launches")))
    steps = ToSteps(TopLevelUnits(trace), 2);
  return steps;
}

}  // namespace warpsight
