#include "analysis/collectives_pass.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "analysis/collective_busy.h"
#include "analysis/collective_facts.h"
#include "analysis/gpu_busy.h"
#include "analysis/gpu_peaks.h"
#include "analysis/work_steps_pass.h"

namespace warpsight {
namespace {

std::optional<double> PerSecond(std::optional<int64_t> bytes, std::optional<Ns> time) {
  if (!bytes || !time || *time <= 0) return std::nullopt;
  return static_cast<double>(*bytes) / static_cast<double>(*time) * 1e9;
}

// Rows under construction: the durations of the calls that start in the window, for the median.
class RowSums {
 public:
  RowSums(const Trace& trace, Interval window, const WorkSteps& steps)
      : trace_(trace), window_(window), steps_(steps), facts_(trace) {}

  void AddDevice(const CollectiveBusy& busy) {
    for (const uint32_t row : busy.rows) AddCall(busy, row);
  }
  void Finish(CollectivesResult& result);

 private:
  using Key = std::tuple<int32_t, const CollectiveKind*, StringId, std::string_view, std::optional<int64_t>, StringId,
                         StringId, std::optional<int64_t>>;

  uint32_t RowOf(const CollectiveBusy& busy, uint32_t gpu_row) {
    const CollectiveFacts facts = facts_.Facts(gpu_row);
    // Names of one kind are one row; where the kind is not known the name is all there is.
    const Key key{busy.device,       facts.kind,      facts.kind == nullptr ? facts.name : StringId::kEmpty,
                  facts.dtype,       facts.bytes,     facts.group,
                  facts.group_ranks, facts.group_size};
    const auto [at, added] = row_of_.try_emplace(key, static_cast<uint32_t>(rows_.size()));
    if (added) {
      CollectiveRow& row = rows_.emplace_back();
      row.kind = facts.kind;
      row.name = trace_.Text(facts.name);
      row.kernel = trace_.Text(trace_.gpu().name[gpu_row]);
      row.dtype = facts.dtype;
      row.group = trace_.Text(facts.group);
      row.group_ranks = trace_.Text(facts.group_ranks);
      row.group_size = facts.group_size;
      row.bytes = facts.bytes;
      row.device = busy.device;
      durations_.emplace_back();
      calls_in_steps_.push_back(0);
    }
    return at->second;
  }

  void AddCall(const CollectiveBusy& busy, uint32_t gpu_row) {
    const Interval time{trace_.gpu().start_ns[gpu_row], trace_.gpu().end_ns[gpu_row]};
    const bool starts = window_.Contains(time.start);
    const Ns inside = Intersect(time, window_).duration();
    if (!starts && inside == 0) return;
    const uint32_t index = RowOf(busy, gpu_row);
    CollectiveRow& row = rows_[index];
    row.total_ns = SaturatingAdd(row.total_ns, inside);
    row.exposed_ns = SaturatingAdd(row.exposed_ns, busy.ExposedOf(time, window_));
    if (!starts) return;
    const uint32_t step = steps_.Of(gpu_row);
    durations_[index].push_back(time.duration());
    calls_in_steps_[index] += step != kNoRow ? 1 : 0;
    calls_.push_back({gpu_row, index, step == kNoRow ? -1 : static_cast<int32_t>(step)});
  }

  const Trace& trace_;
  Interval window_;
  const WorkSteps& steps_;
  CollectiveFactsOf facts_;
  std::map<Key, uint32_t> row_of_;
  std::vector<CollectiveRow> rows_;
  std::vector<std::vector<Ns>> durations_;  // by row
  std::vector<int64_t> calls_in_steps_;     // by row
  std::vector<CollectiveCall> calls_;
};

void SetDurations(std::vector<Ns> durations, CollectiveRow& row) {
  row.calls = static_cast<int64_t>(durations.size());
  if (durations.empty()) return;
  std::sort(durations.begin(), durations.end());
  Ns sum = 0;
  for (const Ns duration : durations) sum = SaturatingAdd(sum, duration);
  row.mean_ns = sum / row.calls + (sum % row.calls * 2 >= row.calls ? 1 : 0);
  const Ns low = durations[(durations.size() - 1) / 2];
  row.median_ns = low + (durations[durations.size() / 2] - low) / 2;
  row.min_ns = durations.front();
  row.max_ns = durations.back();
}

void RowSums::Finish(CollectivesResult& result) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    SetDurations(std::move(durations_[i]), rows_[i]);
    if (steps_.any()) rows_[i].calls_per_step = static_cast<double>(calls_in_steps_[i]) / static_cast<double>(steps_.steps);
  }
  std::vector<uint32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return rows_[a].total_ns > rows_[b].total_ns; });
  std::vector<uint32_t> place(rows_.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    result.rows.push_back(rows_[order[i]]);
  }
  result.calls = std::move(calls_);
  for (CollectiveCall& call : result.calls) call.row = place[call.row];
}

CollectiveTime TimeOf(const CollectiveBusy& busy, const DeviceBusy& device, Interval window) {
  CollectiveTime time;
  time.device = busy.device;
  time.window_ns = window.duration();
  time.busy_ns = device.Busy(window);
  time.collective_ns = busy.collectives.Measure(window);
  time.exposed_ns = busy.Exposed(window);
  time.overlapped_ns = time.collective_ns - time.exposed_ns;
  return time;
}

}  // namespace

std::optional<double> CollectiveRow::AlgorithmBytesPerSecond(std::optional<Ns> time) const { return PerSecond(bytes, time); }

std::optional<double> CollectiveRow::BusBytesPerSecond(std::optional<Ns> time) const {
  const std::optional<double> algorithm = PerSecond(bytes, time);
  const std::optional<double> factor = kind == nullptr ? std::nullopt : kind->Factor(group_size.value_or(0));
  if (!algorithm || !factor) return std::nullopt;
  return *algorithm * *factor;
}

const CollectiveTime* CollectivesResult::Find(int32_t device) const {
  const auto found =
      std::find_if(devices.begin(), devices.end(), [device](const CollectiveTime& one) { return one.device == device; });
  return found == devices.end() ? nullptr : &*found;
}

Result<CollectivesResult> CollectivesPass::Run(Analysis& analysis) {
  const Result<std::vector<CollectiveBusy>>& collectives = analysis.Get<CollectiveBusyPass>();
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  if (!collectives.ok()) return collectives.status();
  if (!busy.ok()) return busy.status();
  CollectivesResult result;
  if (collectives->empty()) return result;
  const Result<WorkSteps>& steps = analysis.Get<WorkStepsPass>();
  if (!steps.ok()) return steps.status();
  RowSums sums(analysis.trace(), analysis.window(), *steps);
  for (const CollectiveBusy& device : *collectives) {
    if (analysis.selection().device.value_or(device.device) != device.device) continue;
    CollectiveTime& time = result.devices.emplace_back(TimeOf(device, *busy->Find(device.device), analysis.window()));
    const GpuPeaks peaks = PeaksOf(analysis.trace(), *analysis.trace().FindDevice(device.device), analysis.given());
    if (peaks.entry != nullptr) time.link_bytes_per_s = peaks.entry->nvlink_bytes_per_s;
    sums.AddDevice(device);
  }
  sums.Finish(result);
  return result;
}

}  // namespace warpsight
