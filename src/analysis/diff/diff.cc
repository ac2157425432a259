#include "analysis/diff/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

#include "analysis/diff/diff_facts.h"
#include "analysis/diff/kernel_pairs.h"
#include "analysis/kernel_family.h"
#include "analysis/model_pass.h"
#include "analysis/steps_pass.h"
#include "base/parallel.h"

namespace warpsight {
namespace {

std::optional<double> ShareOfA(int64_t change, int64_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(change) / static_cast<double>(of);
}

DiffMetricRow CompareMetric(DiffMetric metric, const DiffSide& a, const DiffSide& b) {
  DiffMetricRow row;
  row.metric = metric;
  if (!a.metrics[metric].empty()) row.a = StatisticsOf(a.metrics[metric]);
  if (!b.metrics[metric].empty()) row.b = StatisticsOf(b.metrics[metric]);
  if (!row.a || !row.b) return row;
  row.change = SaturatingSubtract(row.b->median, row.a->median);
  row.change_share = ShareOfA(*row.change, row.a->median);
  row.noise = NoiseOf(*row.a, *row.b);
  row.within_noise = IsWithin(*row.change, row.noise);
  return row;
}

// Times a step of every group of one side, by key.
std::map<DiffKey, Ns> MeansOf(const DiffGroups& groups, int64_t steps, Ns DiffGroup::*time) {
  ReconciledMeans means(steps);
  std::map<DiffKey, Ns> result;
  for (const auto& [key, group] : groups) result[key] = means.Next(group.*time);
  return result;
}

// The rows of one grouping.
class Joining {
 public:
  Joining(const DiffSide& a, const DiffSide& b, DiffGroups DiffSide::*groups, bool has_cpu)
      : a_(a),
        b_(b),
        groups_a_(a.*groups),
        groups_b_(b.*groups),
        gpu_a_(MeansOf(groups_a_, a.steps(), &DiffGroup::gpu_ns)),
        gpu_b_(MeansOf(groups_b_, b.steps(), &DiffGroup::gpu_ns)),
        has_cpu_(has_cpu) {
    if (!has_cpu) return;
    cpu_a_ = MeansOf(groups_a_, a.steps(), &DiffGroup::cpu_ns);
    cpu_b_ = MeansOf(groups_b_, b.steps(), &DiffGroup::cpu_ns);
  }

  // A row of what is called `key_a` in A and `key_b` in B; null = not there.
  DiffRow RowOf(const DiffKey* key_a, const DiffKey* key_b) const {
    const DiffGroup* a = key_a != nullptr ? &groups_a_.at(*key_a) : nullptr;
    const DiffGroup* b = key_b != nullptr ? &groups_b_.at(*key_b) : nullptr;
    DiffRow row;
    row.kind = (key_b != nullptr ? key_b : key_a)->first;
    if (key_a != nullptr) row.name_a = key_a->second;
    if (key_b != nullptr) row.name_b = key_b->second;
    row.change = a == nullptr ? DiffChange::kAppeared : b == nullptr ? DiffChange::kVanished : DiffChange::kBoth;
    if (a != nullptr) row.calls_a = static_cast<double>(a->calls) / static_cast<double>(a_.steps());
    if (b != nullptr) row.calls_b = static_cast<double>(b->calls) / static_cast<double>(b_.steps());
    row.gpu = TimesOf(a, b, &DiffGroup::gpu_by_step);
    if (a != nullptr) row.gpu.a_ns = gpu_a_.at(*key_a);
    if (b != nullptr) row.gpu.b_ns = gpu_b_.at(*key_b);
    row.gpu.within_noise = IsWithin(row.gpu.change_ns(), row.gpu.noise_ns);
    if (!has_cpu_) return row;
    row.cpu = TimesOf(a, b, &DiffGroup::cpu_by_step);
    if (a != nullptr) row.cpu->a_ns = cpu_a_.at(*key_a);
    if (b != nullptr) row.cpu->b_ns = cpu_b_.at(*key_b);
    row.cpu->within_noise = IsWithin(row.cpu->change_ns(), row.cpu->noise_ns);
    return row;
  }

  std::vector<DiffRow> Rows() const {
    std::vector<DiffRow> rows;
    for (const auto& [key, group] : groups_a_) rows.push_back(RowOf(&key, groups_b_.contains(key) ? &key : nullptr));
    for (const auto& [key, group] : groups_b_) {
      if (!groups_a_.contains(key)) rows.push_back(RowOf(nullptr, &key));
    }
    return rows;
  }

 private:
  DiffTimes TimesOf(const DiffGroup* a, const DiffGroup* b, StepValues DiffGroup::*values) const {
    DiffTimes times;
    const auto statistics = [&](const DiffGroup* group, int64_t steps) {
      return StatisticsOfSome(group != nullptr ? group->*values : StepValues(), steps);
    };
    times.noise_ns = NoiseOf(statistics(a, a_.steps()), statistics(b, b_.steps()));
    return times;
  }

  const DiffSide& a_;
  const DiffSide& b_;
  const DiffGroups& groups_a_;
  const DiffGroups& groups_b_;
  std::map<DiffKey, Ns> gpu_a_;
  std::map<DiffKey, Ns> gpu_b_;
  std::map<DiffKey, Ns> cpu_a_;
  std::map<DiffKey, Ns> cpu_b_;
  bool has_cpu_;
};

void AddTimes(DiffTimes& sum, const DiffTimes& times) {
  sum.a_ns = SaturatingAdd(sum.a_ns, times.a_ns);
  sum.b_ns = SaturatingAdd(sum.b_ns, times.b_ns);
}

DiffTable DiffTableOf(std::vector<DiffRow> rows, bool has_cpu) {
  DiffTable table;
  table.rows = std::move(rows);
  if (has_cpu) table.cpu.emplace();
  for (const DiffRow& row : table.rows) {
    AddTimes(table.gpu, row.gpu);
    if (has_cpu) AddTimes(*table.cpu, *row.cpu);
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const DiffRow& x, const DiffRow& y) {
    const auto key = [](const DiffRow& row) { return std::tuple(row.name(), row.kind, row.name_a); };
    return x.size_ns() != y.size_ns() ? x.size_ns() > y.size_ns() : key(x) < key(y);
  });
  return table;
}

// The keys of the rows that are on one side, with their origins and families.
struct OneSided {
  std::vector<DiffKey> keys;
  std::map<DiffKey, WorkOrigins> origins;
  std::vector<OneSidedKernel> kernels;
};

OneSided OneSidedOf(const std::vector<DiffRow>& rows, DiffChange change, const DiffSide& side) {
  OneSided found;
  for (const DiffRow& row : rows) {
    if (row.change == change && row.kind == "kernel") found.keys.push_back({row.kind, row.name()});
  }
  found.origins = OriginsOf(side, found.keys);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].change == change && rows[i].kind == "kernel")
      found.kernels.push_back({i, rows[i].family, &found.origins.at({rows[i].kind, rows[i].name()})});
  }
  return found;
}

DiffTable CompareKernels(const DiffSide& a, const DiffSide& b) {
  const Joining joining(a, b, &DiffSide::kernels, false);
  std::vector<DiffRow> rows = joining.Rows();
  FamiliesOf families_a(a.trace());
  FamiliesOf families_b(b.trace());
  for (DiffRow& row : rows) {
    const DiffKey key{row.kind, row.name()};
    row.family =
        row.name_b.empty() ? families_a.family(a.kernels.at(key).example) : families_b.family(b.kernels.at(key).example);
  }
  const OneSided vanished = OneSidedOf(rows, DiffChange::kVanished, a);
  const OneSided appeared = OneSidedOf(rows, DiffChange::kAppeared, b);
  std::vector<bool> joined(rows.size(), false);
  for (PairedKernels& pair : PairKernels(vanished.kernels, appeared.kernels)) {
    const DiffKey key_a{rows[pair.vanished].kind, rows[pair.vanished].name_a};
    const DiffKey key_b{rows[pair.appeared].kind, rows[pair.appeared].name_b};
    DiffRow row = joining.RowOf(&key_a, &key_b);
    row.change = DiffChange::kRenamed;
    row.pair = std::move(pair.pair);
    row.family = rows[pair.appeared].family;
    rows[pair.appeared] = std::move(row);
    joined[pair.vanished] = true;
  }
  std::vector<DiffRow> kept;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!joined[i]) kept.push_back(std::move(rows[i]));
  }
  return DiffTableOf(std::move(kept), false);
}

std::string NoGpuText(const DiffSide& a, const DiffSide& b) {
  if (a.has_gpu && b.has_gpu) return {};
  const char* const who = !a.has_gpu && !b.has_gpu ? "neither recording has" : !a.has_gpu ? "A has no" : "B has no";
  return fmt::format("{} GPU work: only steps and ops are compared", who);
}

}  // namespace

std::string_view DiffChangeName(DiffChange change) {
  constexpr std::string_view kNames[] = {"both", "appeared", "vanished", "renamed"};
  return kNames[static_cast<size_t>(change)];
}

std::string_view PairConfidenceName(PairConfidence confidence) {
  constexpr std::string_view kNames[] = {"high", "medium", "low"};
  return kNames[static_cast<size_t>(confidence)];
}

Ns DiffRow::size_ns() const {
  const auto size = [](Ns ns) { return ns < 0 ? SaturatingSubtract(0, ns) : ns; };
  return std::max(size(gpu.change_ns()), cpu ? size(cpu->change_ns()) : 0);
}

Result<DiffResult> CompareRecordings(Analysis& a, Analysis& b) {
  for (const Analysis* side : {&a, &b}) {
    if (side->trace().capture().empty())
      return LacksError(
          fmt::format("{} ({}) has no events to compare", side == &a ? "A" : "B", side->trace().recording().file));
  }
  const auto has_steps = [](Analysis& side) {
    const Result<StepsResult>& steps = side.Get<StepsPass>();
    return steps.ok() && !steps->steps.empty();
  };
  DiffResult result;
  result.by_steps = has_steps(a) && has_steps(b);
  // Beside one another: each side has an Analysis of its own, and traces are only read.
  std::atomic<int> next = 0;
  RunOnThreads(std::min(2, WorkerCount(0)), [&](int) {
    for (int side = next++; side < 2; side = next++) {
      Analysis& analysis = side == 0 ? a : b;
      (side == 0 ? result.a : result.b) = MeasureSide(analysis, result.by_steps);
      (void)analysis.Get<ModelPass>();
    }
  });
  result.facts = FactsOfBoth(a, b);
  for (size_t metric = 0; metric < kDiffMetricCount; ++metric)
    result.metrics[metric] = CompareMetric(static_cast<DiffMetric>(metric), result.a, result.b);
  result.no_gpu = NoGpuText(result.a, result.b);
  if (result.no_gpu.empty()) {
    result.kernels = CompareKernels(result.a, result.b);
    result.parts = DiffTableOf(Joining(result.a, result.b, &DiffSide::parts, false).Rows(), false);
  }
  result.ops = DiffTableOf(Joining(result.a, result.b, &DiffSide::ops, true).Rows(), true);
  return result;
}

Status CheckRangeOfTwo(std::string_view range) {
  const size_t colon = range.find(':');
  if (range.empty() || colon == std::string_view::npos) return OkStatus();
  for (const std::string_view side : {range.substr(0, colon), range.substr(colon + 1)}) {
    if (!side.empty() && side.front() != '+')
      return UsageError(
          "--range: the recordings have clocks of their own: count from the start of each, such as --range +10ms:+20ms");
  }
  return OkStatus();
}

}  // namespace warpsight
