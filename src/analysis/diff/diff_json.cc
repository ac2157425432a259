#include "analysis/diff/diff_json.h"

#include <string>
#include <string_view>

#include "analysis/ledger_document.h"
#include "document/absent.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json DiffSideData(const DiffSide& side) {
  const RecordingInfo& info = side.trace().recording();
  ordered_json devices = ordered_json::array();
  for (const Device& device : side.trace().devices()) {
    if (device.has_work) devices.push_back({{"id", device.id}, {"name", TextOrNull(device.name)}});
  }
  ordered_json data;
  data["file"] = info.file;
  data["producer"] = info.producer;
  data["devices"] = std::move(devices);
  data["steps"] = side.has_steps ? ordered_json(side.steps()) : ordered_json(nullptr);
  data["step_source"] = side.has_steps ? ordered_json(StepSourceName(side.source)) : ordered_json(nullptr);
  data["first_step_slow"] = side.has_steps ? ordered_json(side.first_is_slow) : ordered_json(nullptr);
  data["ledger"] = LedgerJson(side.trace().log());
  return data;
}

ordered_json StatisticsData(const std::optional<StepStatistics>& statistics, bool is_time) {
  if (!statistics) return nullptr;
  if (is_time) {
    return {{"median_ns", statistics->median}, {"mean_ns", statistics->mean()}, {"scatter_ns", OrNull(statistics->scatter)}};
  }
  return {{"median", statistics->median}, {"mean", statistics->exact_mean()}, {"scatter", OrNull(statistics->scatter)}};
}

ordered_json DiffMetricData(const DiffMetricRow& row) {
  const bool is_time = InfoOfMetric(row.metric).is_time;
  ordered_json data;
  data["a"] = StatisticsData(row.a, is_time);
  data["b"] = StatisticsData(row.b, is_time);
  data[is_time ? "change_ns" : "change"] = OrNull(row.change);
  data["change_share"] = OrNull(row.change_share);
  data[is_time ? "noise_ns" : "noise"] = OrNull(row.noise);
  data["within_noise"] = OrNull(row.within_noise);
  return data;
}

// Which sides recorded what the times are of: those of the others are null.
struct Recorded {
  bool a = true;
  bool b = true;
};

void PutTimes(ordered_json& data, std::string_view what, const DiffTimes& times, bool with_noise, Recorded recorded = {}) {
  const auto put = [&](std::string_view key, ordered_json value) {
    data[std::string(what) + std::string(key)] = std::move(value);
  };
  const bool both = recorded.a && recorded.b;
  put("_a_ns", recorded.a ? ordered_json(times.a_ns) : ordered_json(nullptr));
  put("_b_ns", recorded.b ? ordered_json(times.b_ns) : ordered_json(nullptr));
  put("_change_ns", both ? ordered_json(times.change_ns()) : ordered_json(nullptr));
  if (!with_noise) return;
  put("_noise_ns", both ? OrNull(times.noise_ns) : ordered_json(nullptr));
  put("_within_noise", both ? OrNull(times.within_noise) : ordered_json(nullptr));
}

ordered_json DiffRowData(const DiffRow& row, bool of_kernels, Recorded gpu) {
  ordered_json data;
  data["kind"] = row.kind;
  data["name"] = row.name();
  data["name_before"] = row.change == DiffChange::kRenamed ? ordered_json(row.name_a) : ordered_json(nullptr);
  data["change"] = DiffChangeName(row.change);
  if (of_kernels) {
    data["confidence"] = row.pair ? ordered_json(PairConfidenceName(row.pair->confidence)) : ordered_json(nullptr);
    data["reason"] = row.pair ? ordered_json(row.pair->reason) : ordered_json(nullptr);
    data["family"] = row.family;
  }
  data["calls_a"] = row.calls_a;
  data["calls_b"] = row.calls_b;
  PutTimes(data, "gpu", row.gpu, true, gpu);
  if (row.cpu) PutTimes(data, "cpu", *row.cpu, true);
  return data;
}

ordered_json DiffTableData(const DiffTable& table, bool of_kernels, Recorded gpu = {}) {
  ordered_json data;
  PutTimes(data, "gpu", table.gpu, false, gpu);
  if (table.cpu) PutTimes(data, "cpu", *table.cpu, false);
  data["rows"] = ordered_json::array();
  for (const DiffRow& row : table.rows) data["rows"].push_back(DiffRowData(row, of_kernels, gpu));
  return data;
}

ordered_json ConditionData(const ConditionAnswer& answer) {
  ordered_json data;
  data["condition"] = answer.text;
  data["holds"] = answer.holds;
  data[answer.is_time ? "a_ns" : "a"] = answer.a;
  data[answer.is_time ? "b_ns" : "b"] = answer.b;
  data[answer.is_time ? "change_ns" : "change"] = answer.change();
  data["change_share"] = OrNull(answer.change_share);
  data["within_noise"] = OrNull(answer.within_noise);
  return data;
}

}  // namespace

ordered_json DiffData(const DiffResult& diff, const std::vector<ConditionAnswer>& conditions) {
  ordered_json data;
  data["a"] = DiffSideData(diff.a);
  data["b"] = DiffSideData(diff.b);
  data["by_steps"] = diff.by_steps;
  data["facts"] = ordered_json::array();
  for (const DiffFact& fact : diff.facts) {
    if (fact.a.empty() && fact.b.empty()) continue;
    data["facts"].push_back(
        {{"what", fact.what}, {"a", TextOrNull(fact.a)}, {"b", TextOrNull(fact.b)}, {"differs", fact.differs()}});
  }
  for (const DiffMetricRow& row : diff.metrics) data["metrics"][InfoOfMetric(row.metric).key] = DiffMetricData(row);
  data["kernels"] = diff.kernels ? DiffTableData(*diff.kernels, true) : ordered_json(nullptr);
  data["parts"] = diff.parts ? DiffTableData(*diff.parts, false) : ordered_json(nullptr);
  data["ops"] = DiffTableData(diff.ops, false, {diff.a.has_gpu, diff.b.has_gpu});
  data["no_gpu"] = TextOrNull(diff.no_gpu);
  data["conditions"] = ordered_json::array();
  for (const ConditionAnswer& answer : conditions) data["conditions"].push_back(ConditionData(answer));
  return data;
}

}  // namespace warpsight
