#include "analysis/work_costs_pass.h"

#include <algorithm>

#include "analysis/enclosing_events.h"
#include "analysis/kernel_family.h"
#include "analysis/kernel_grid_cost.h"
#include "analysis/op_cost_table.h"

namespace warpsight {
namespace {

constexpr std::string_view kHostLink =
    "a copy over the host's or another device's link, which is not bound by device memory";
constexpr std::string_view kCollectiveReason = "a collective: bound by the link between devices, not by their memory";
constexpr std::string_view kNoOp = "no op is known for it: recorded without CPU activity, or launched outside of ops";
constexpr std::string_view kNoFormula = "no formula is known for its op";
constexpr std::string_view kBeside = "a helper of an op whose work another op below it does";

class Charging {
 public:
  Charging(const Trace& trace, WorkCosts& result)
      : trace_(trace),
        gpu_(trace.gpu()),
        host_(trace.host()),
        result_(result),
        table_(trace),
        families_(trace),
        call_of_op_(trace.host().size(), kNoRow),
        rank_below_(trace.host().size(), 0),
        backward_(trace.strings().size(), 0) {}

  void Run() {
    result_.reasons = {""};
    result_.call_of.assign(gpu_.size(), kNoRow);
    result_.reason_of.assign(gpu_.size(), 0);
    result_.calls.reserve(gpu_.size());
    for (uint32_t row = 0; row < gpu_.size(); ++row) Charge(row);
    TakeInEarlier();
    TakeBackDoubles();
    result_.costs = table_.costs();
  }

 private:
  void Charge(uint32_t row) {
    if (gpu_.kind[row] == GpuKind::kMemcpy && IsOverLink(row)) return Refuse(row, kHostLink);
    const bool kernel = gpu_.kind[row] == GpuKind::kKernel;
    if (kernel && (gpu_.collective[row] != 0 || families_.family(row) == "collective"))
      return Refuse(row, kCollectiveReason);
    std::string_view reason;
    if (ChargeToOp(row, reason) || ChargeByItself(row)) return;
    Refuse(row, reason);
  }

  bool IsOverLink(uint32_t row) const {
    return gpu_.copy_kind[row] != CopyKind::kDeviceToDevice && gpu_.copy_kind[row] != CopyKind::kNone;
  }

  bool ChargeToOp(uint32_t row, std::string_view& reason) {
    const KernelHint& hint = table_.HintOfKernel(gpu_.name[row]);
    const int32_t device = trace_.device_of(row);
    reason = {};
    for (const uint32_t op : EnclosingEvents(host_, gpu_.op[row])) {
      const OpCostEntry* entry = table_.EntryOf(op);
      if (entry == nullptr) continue;
      if (const uint32_t call = call_of_op_[op]; call != kNoRow && result_.calls[call].device == device) {
        AddWork(row, call);
        return true;
      }
      const OpCostTable::Answer answer = table_.Find(op, hint);
      if (answer.cost == kNoRow) {
        if (reason.empty()) reason = answer.reason;
        continue;
      }
      call_of_op_[op] = static_cast<uint32_t>(result_.calls.size());
      result_.calls.push_back({op, device, row, answer.cost, 0, false});
      MarkAbove(op, CostRank(entry->kind));
      AddWork(row, call_of_op_[op]);
      return true;
    }
    if (reason.empty()) reason = WhyNoFormula(row);
    return false;
  }

  std::string_view WhyNoFormula(uint32_t row) const {
    if (gpu_.graph_id[row] != 0 || gpu_.graph_node_id[row] != 0) return kGraphReplay;
    const uint32_t launch = gpu_.launch[row];
    if (launch != kNoRow && trace_.Text(host_.name[launch]).find("GraphLaunch") != std::string_view::npos)
      return kGraphReplay;
    const uint32_t op = gpu_.op[row];
    return op != kNoRow && host_.kind[op] == HostKind::kOp ? kNoFormula : kNoOp;
  }

  bool ChargeByItself(uint32_t row) {
    std::optional<OpCost> cost;
    if (gpu_.kind[row] == GpuKind::kKernel) {
      const std::optional<GridFormula> formula = FormulaOf(gpu_.name[row]);
      if (formula) cost = CostFromGrid(*formula, trace_.launch_config(gpu_.launch_config[row]));
    } else if (gpu_.bytes[row] >= 0) {
      cost = OpCost{.kind = CostKind::kCopy};
      cost->bytes = static_cast<double>(gpu_.bytes[row]) * (gpu_.kind[row] == GpuKind::kMemcpy ? 2 : 1);
    }
    if (!cost) return false;
    const uint32_t call = static_cast<uint32_t>(result_.calls.size());
    const uint32_t op = gpu_.kind[row] == GpuKind::kKernel ? gpu_.op[row] : kNoRow;
    result_.calls.push_back({op, trace_.device_of(row), row, table_.Add(*cost), 0, false});
    AddWork(row, call);
    return true;
  }

  const std::optional<GridFormula>& FormulaOf(StringId name) {
    const auto [found, is_new] = formulas_.try_emplace(name);
    if (is_new) found->second = GridFormulaOf(trace_.Text(name));
    return found->second;
  }

  void AddWork(uint32_t row, uint32_t call) {
    ChargedCall& charged = result_.calls[call];
    result_.call_of[row] = call;
    charged.work_ns = SaturatingAdd(charged.work_ns, gpu_.duration_ns(row));
    // A later kernel of the op may say more (the type of a list, a causal mask).
    if (charged.op == kNoRow || row == charged.first_work || gpu_.kind[row] != GpuKind::kKernel) return;
    KernelHint hint = table_.HintOfKernel(gpu_.name[charged.first_work]);
    const uint32_t before = hint.Packed();
    hint.Merge(table_.HintOfKernel(gpu_.name[row]));
    if (hint.Packed() == before || table_.EntryOf(charged.op) == nullptr) return;
    if (const OpCostTable::Answer answer = table_.Find(charged.op, hint); answer.cost != kNoRow) charged.cost = answer.cost;
  }

  // Tells the ops around a charged one that work of this rank is below them.
  void MarkAbove(uint32_t op, int rank) {
    const uint8_t mark = static_cast<uint8_t>(rank + 1);
    bool backward = false;
    for (const uint32_t above : EnclosingEvents(host_, host_.parent[op])) {
      rank_below_[above] = std::max(rank_below_[above], mark);
      backward = backward || IsBackward(host_.name[above]);
    }
    result_.calls[call_of_op_[op]].backward = backward;
  }

  bool IsBackward(StringId name) {
    enum : uint8_t { kUnknown, kNo, kYes };
    uint8_t& known = backward_[static_cast<uint32_t>(name)];
    if (known == kUnknown) {
      const std::string_view text = trace_.Text(name);
      known = text.starts_with("autograd::") || text.find("Backward") != std::string_view::npos ? kYes : kNo;
    }
    return known == kYes;
  }

  // Where the types are told by kernels only, the op's first kernel may not tell them and a later one does: the call's time
  // is that of all its kernels.
  void TakeInEarlier() {
    for (uint32_t row = 0; row < gpu_.size(); ++row) {
      const uint32_t op = gpu_.op[row];
      if (result_.call_of[row] != kNoRow || op == kNoRow || call_of_op_[op] == kNoRow) continue;
      const uint32_t call = call_of_op_[op];
      if (result_.calls[call].op != op || result_.calls[call].device != trace_.device_of(row)) continue;
      if (gpu_.kind[row] != GpuKind::kKernel) continue;
      result_.reason_of[row] = 0;
      AddWork(row, call);
    }
  }

  // Calls that turned out to be seen from above lose their cost.
  void TakeBackDoubles() {
    std::vector<bool> doubled(result_.calls.size(), false);
    bool any = false;
    for (uint32_t call = 0; call < result_.calls.size(); ++call) {
      const uint32_t op = result_.calls[call].op;
      if (op == kNoRow || call_of_op_[op] != call) continue;
      const int rank = CostRank(table_.costs()[result_.calls[call].cost].kind);
      doubled[call] = rank > 0 && rank_below_[op] >= rank + 1;
      any = any || doubled[call];
    }
    for (uint32_t row = 0; any && row < gpu_.size(); ++row) {
      const uint32_t call = result_.call_of[row];
      if (call == kNoRow || !doubled[call]) continue;
      result_.call_of[row] = kNoRow;
      Refuse(row, kBeside);
    }
  }

  void Refuse(uint32_t row, std::string_view reason) {
    const auto found = std::find(result_.reasons.begin(), result_.reasons.end(), reason);
    result_.reason_of[row] = static_cast<uint8_t>(found - result_.reasons.begin());
    if (found == result_.reasons.end()) result_.reasons.push_back(reason);
  }

  const Trace& trace_;
  const GpuWork& gpu_;
  const HostEvents& host_;
  WorkCosts& result_;
  OpCostTable table_;
  FamiliesOf families_;
  std::unordered_map<StringId, std::optional<GridFormula>> formulas_;
  std::vector<uint32_t> call_of_op_;  // by host row
  std::vector<uint8_t> rank_below_;   // by host row: highest rank of charged ops below, + 1
  std::vector<uint8_t> backward_;     // by StringId: whether an event of this name is a step of autograd
};

}  // namespace

Result<WorkCosts> WorkCostsPass::Run(Analysis& analysis) {
  WorkCosts result;
  Charging(analysis.trace(), result).Run();
  return result;
}

}  // namespace warpsight
