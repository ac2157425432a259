#include "analysis/roofline_pass.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "analysis/recorder_advice.h"
#include "analysis/work_steps_pass.h"
#include "base/rounded_ns.h"

namespace warpsight {
namespace {

uint64_t Mixed(uint64_t hash, uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

struct RowKey {
  StringId name;
  StringId shapes;
  StringId types;
  CostKind kind;
  friend bool operator==(const RowKey&, const RowKey&) = default;
};
struct RowKeyHash {
  size_t operator()(const RowKey& key) const {
    uint64_t hash = Mixed(static_cast<uint32_t>(key.name), static_cast<uint32_t>(key.shapes));
    return Mixed(Mixed(hash, static_cast<uint32_t>(key.types)), static_cast<uint64_t>(key.kind));
  }
};
struct UncostedKey {
  StringId name;
  uint8_t reason;
  friend bool operator==(const UncostedKey&, const UncostedKey&) = default;
};
struct UncostedKeyHash {
  size_t operator()(const UncostedKey& key) const { return Mixed(static_cast<uint32_t>(key.name), key.reason); }
};

// The sums of a row, exact; rounded once at the end.
struct RowSum {
  RooflineRow row;
  double bound_ns = 0;
  Ns bounded_ns = 0;
  BoundTime time;
};

class DeviceRoofline {
 public:
  DeviceRoofline(Analysis& analysis, const WorkCosts& work, const Device& device, const GpuPeaks& peaks,
                 const WorkSteps& steps)
      : trace_(analysis.trace()),
        work_(work),
        device_(device),
        cut_(analysis.selection().range.has_value()),
        window_(analysis.selection().range.value_or(Interval{kMinNs, kMaxNs})),
        steps_(steps),
        bounds_(work, peaks),
        sum_of_cost_(work.costs.size(), nullptr) {
    result_.peaks = peaks;
    result_.step = {.device = device.id, .steps = std::max<int64_t>(steps.steps, 1), .has_steps = steps.any()};
  }

  void Run(RooflineResult& result) {
    for (uint32_t row = device_.first_work; row < device_.end_work; ++row) Add(row);
    FinishStep();
    FinishRows(result.rows);
    for (auto& [key, sum] : uncosted_) result.uncosted.push_back(sum);
    result.devices.push_back(result_);
  }

 private:
  void Add(uint32_t row) {
    const Interval whole{trace_.gpu().start_ns[row], trace_.gpu().end_ns[row]};
    const Ns inside = Intersect(whole, window_).duration();
    const bool starts = window_.Contains(whole.start);
    const uint32_t call = work_.call_of[row];
    if (call != kNoRow) AddToStep(row, work_.calls[call], starts ? whole.duration() : 0, starts);
    if (!starts && inside == 0) return;
    result_.work_ns = SaturatingAdd(result_.work_ns, inside);
    if (call == kNoRow) return AddUncosted(row, inside, starts);
    result_.costed_ns = SaturatingAdd(result_.costed_ns, inside);
    AddToRow(row, work_.calls[call], inside, starts);
  }

  // The share of a call that this piece of its work stands for. Nothing is cut without a window, and sums stay exact.
  double Share(const ChargedCall& call, uint32_t row, Ns inside, bool starts) const {
    if (!cut_) return row == call.first_work ? 1 : 0;
    if (call.work_ns > 0) return static_cast<double>(inside) / static_cast<double>(call.work_ns);
    return row == call.first_work && starts ? 1 : 0;
  }

  void AddToRow(uint32_t row, const ChargedCall& call, Ns inside, bool starts) {
    const OpCost& cost = work_.costs[call.cost];
    RowSum& sum = SumOf(call, cost);
    const double share = Share(call, row, inside, starts);
    const int64_t first = row == call.first_work && starts ? 1 : 0;
    sum.row.calls += first;
    sum.row.gpu_ns = SaturatingAdd(sum.row.gpu_ns, inside);
    sum.row.flops += share * cost.flops;
    sum.row.bytes += share * cost.bytes;
    sum.row.causal_unknown = sum.row.causal_unknown || cost.causal_unknown;
    sum.row.from_grid = sum.row.from_grid || cost.from_grid;
    RooflineKind& kind = result_.kinds[static_cast<size_t>(cost.kind)];
    kind.calls += first;
    kind.gpu_ns = SaturatingAdd(kind.gpu_ns, inside);
    kind.flops += share * cost.flops;
    kind.bytes += share * cost.bytes;
    const std::optional<BoundTime> bound = bounds_.Of(call);
    if (!bound) return;
    sum.bounded_ns = SaturatingAdd(sum.bounded_ns, inside);
    sum.bound_ns += share * bound->ns();
    sum.time.compute_ns += share * bound->compute_ns;
    sum.time.memory_ns += share * bound->memory_ns;
    kind.bounded_ns = SaturatingAdd(kind.bounded_ns, inside);
    kind_bound_ns_[static_cast<size_t>(cost.kind)] += share * bound->ns();
  }

  RowSum& SumOf(const ChargedCall& call, const OpCost& cost) {
    RowSum*& known = sum_of_cost_[call.cost];
    if (known == nullptr) known = &FindSum(call, cost);
    return *known;
  }

  RowSum& FindSum(const ChargedCall& call, const OpCost& cost) {
    const HostEvents& host = trace_.host();
    const bool has_op = call.op != kNoRow;
    RowKey key{has_op ? host.name[call.op] : trace_.gpu().name[call.first_work], StringId::kEmpty, StringId::kEmpty,
               cost.kind};
    if (has_op && !cost.from_grid) {
      key.shapes = host.shapes[call.op];
      key.types = host.types[call.op];
    }
    const auto [found, is_new] = rows_.try_emplace(key);
    if (is_new) {
      found->second.row = {.op = trace_.Text(key.name),
                           .shapes = trace_.Text(key.shapes),
                           .types = trace_.Text(key.types),
                           .device = device_.id,
                           .kind = cost.kind,
                           .arithmetic = cost.arithmetic};
    }
    return found->second;
  }

  void AddUncosted(uint32_t row, Ns inside, bool starts) {
    const uint32_t op = trace_.gpu().op[row];
    const bool has_op =
        op != kNoRow && trace_.host().kind[op] == HostKind::kOp && trace_.gpu().kind[row] == GpuKind::kKernel;
    const UncostedKey key{has_op ? trace_.host().name[op] : trace_.gpu().name[row], work_.reason_of[row]};
    UncostedRow& sum = uncosted_[key];
    sum.name = trace_.Text(key.name);
    sum.reason = work_.reasons[key.reason];
    sum.device = device_.id;
    sum.calls += starts ? 1 : 0;
    sum.gpu_ns = SaturatingAdd(sum.gpu_ns, inside);
  }

  // Steps are whole, so their work counts whole, in the step that launched it.
  void AddToStep(uint32_t row, const ChargedCall& call, Ns in_window_ns, bool starts) {
    const OpCost& cost = work_.costs[call.cost];
    if (cost.kind != CostKind::kGemm && cost.kind != CostKind::kAttention) return;
    if (steps_.any() ? !steps_.Holds(row) : !starts) return;
    const bool first = row == call.first_work;
    if (cost.kind == CostKind::kGemm) {
      const Ns time = steps_.any() ? trace_.gpu().duration_ns(row) : in_window_ns;
      gemm_ns_ = SaturatingAdd(gemm_ns_, time);
      if (!first) return;
      ++gemms_;
      const std::optional<BoundTime> bound = bounds_.Of(call);
      gemm_bound_ns_ += bound ? bound->ns() : 0;
      gemms_bounded_ = gemms_bounded_ && bound;
    }
    if (!first || call.backward) return;
    weight_gemms_ += cost.weight_bytes > 0 ? 1 : 0;
    weight_bytes_ += cost.weight_bytes;
    key_value_bytes_ += cost.key_value_bytes;
  }

  void FinishStep() {
    StepNeeds& step = result_.step;
    const double steps = static_cast<double>(step.steps);
    step.gemms = static_cast<double>(gemms_) / steps;
    step.gemm_ns = gemm_ns_ / step.steps;
    if (gemms_bounded_ && gemms_ > 0) step.gemm_bound_ns = RoundedNs(gemm_bound_ns_ / steps);
    step.weight_gemms = static_cast<double>(weight_gemms_) / steps;
    step.weight_bytes = weight_bytes_ / steps;
    step.key_value_bytes = key_value_bytes_ / steps;
    if (const auto& bandwidth = result_.peaks.memory_bytes_per_s) {
      if (weight_gemms_ > 0) step.weight_bound_ns = RoundedNs(step.weight_bytes / *bandwidth * 1e9);
      if (key_value_bytes_ > 0) step.key_value_bound_ns = RoundedNs(step.key_value_bytes / *bandwidth * 1e9);
    }
    for (size_t i = 0; i < kCostKindCount; ++i) result_.kinds[i].bound_ns = RoundedNs(kind_bound_ns_[i]);
  }

  void FinishRows(std::vector<RooflineRow>& rows) {
    for (auto& [key, sum] : rows_) {
      // A row whose calls have no bound in part would compare all the time with a part of the bound.
      if (sum.bounded_ns == sum.row.gpu_ns && result_.peaks.memory_bytes_per_s && (sum.bound_ns > 0 || sum.row.bytes == 0)) {
        sum.row.bound_ns = RoundedNs(sum.bound_ns);
        sum.row.bound = sum.time.bound();
      }
      rows.push_back(sum.row);
    }
  }

  const Trace& trace_;
  const WorkCosts& work_;
  const Device& device_;
  bool cut_;
  Interval window_;
  const WorkSteps& steps_;
  CallBounds bounds_;
  RooflineDevice result_;
  std::unordered_map<RowKey, RowSum, RowKeyHash> rows_;
  std::vector<RowSum*> sum_of_cost_;  // by cost: a cost belongs to one op with one set of operands
  std::unordered_map<UncostedKey, UncostedRow, UncostedKeyHash> uncosted_;
  std::array<double, kCostKindCount> kind_bound_ns_ = {};
  int64_t gemms_ = 0;
  int64_t weight_gemms_ = 0;
  Ns gemm_ns_ = 0;
  double gemm_bound_ns_ = 0;
  bool gemms_bounded_ = true;
  double weight_bytes_ = 0;
  double key_value_bytes_ = 0;
};

// What is missing: shapes of ops, or the ops themselves.
Status WithoutShapes(const Trace& trace, const WorkCosts& work) {
  const auto graph = std::find(work.reasons.begin(), work.reasons.end(), kGraphReplay);
  if (graph == work.reasons.end()) return CheckNeeds(trace, Needs::kShapes);
  const auto replayed =
      std::count(work.reason_of.begin(), work.reason_of.end(), static_cast<uint8_t>(graph - work.reasons.begin()));
  if (static_cast<size_t>(replayed) * 2 < work.reason_of.size()) return CheckNeeds(trace, Needs::kShapes);
  return LacksError("most GPU work was launched by graph replays, which have no ops and so no operand shapes: " +
                    std::string(RecorderAdvice(trace, "eager_shapes")));
}

}  // namespace

std::optional<double> RooflineRow::Efficiency() const {
  if (!bound_ns || gpu_ns == 0) return std::nullopt;
  return static_cast<double>(*bound_ns) / static_cast<double>(gpu_ns);
}

Result<RooflineResult> RooflinePass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const Result<WorkCosts>& work = analysis.Get<WorkCostsPass>();
  if (!work.ok()) return work.status();
  if (!trace.recording().has_shapes) return WithoutShapes(trace, *work);
  const Result<WorkSteps>& steps = analysis.Get<WorkStepsPass>();
  if (!steps.ok()) return steps.status();
  RooflineResult result;
  for (const Device& device : trace.devices()) {
    if (!device.has_work || analysis.selection().device.value_or(device.id) != device.id) continue;
    DeviceRoofline(analysis, *work, device, PeaksOf(trace, device, analysis.given()), *steps).Run(result);
  }
  std::sort(result.rows.begin(), result.rows.end(), [](const RooflineRow& a, const RooflineRow& b) {
    return std::tie(b.gpu_ns, a.op, a.shapes, a.types, a.device, a.kind) <
           std::tie(a.gpu_ns, b.op, b.shapes, b.types, b.device, b.kind);
  });
  std::sort(result.uncosted.begin(), result.uncosted.end(), [](const UncostedRow& a, const UncostedRow& b) {
    return std::tie(b.gpu_ns, a.name, a.reason, a.device) < std::tie(a.gpu_ns, b.name, b.reason, b.device);
  });
  return result;
}

}  // namespace warpsight
