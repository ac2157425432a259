// The optimizer's update: what it costs, and what one fused pass over its tensors would cost.
//
// An update done op by op (a loop over parameters, or foreach over lists of them) reads and writes the same tensors again
// and again. Each op moves a known number of tensors (kTraffic); a fused update moves each once. The fused time is the
// recorded time scaled by the traffic, so it needs neither the number of parameters nor the device's bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "analysis/thresholds.h"
#include "diagnosis/enclosing_names.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr std::string_view kStepRange = "Optimizer.step#";

bool IsOptimizerStep(std::string_view name) { return name.starts_with(kStepRange); }

// Tensors that an op of an update reads and writes; in place ops write what they read, and Adam's addcmul squares one.
struct Traffic {
  std::string_view op;  // without "aten::", "_foreach_" and the trailing "_"
  int tensors = 0;
};
constexpr std::array<Traffic, 9> kTraffic = {
    {{"mul", 2}, {"lerp", 3}, {"addcmul", 3}, {"addcdiv", 4}, {"sqrt", 2}, {"div", 2}, {"add", 2}, {"sub", 2}, {"copy", 2}}};
// Adam in one pass: parameter, gradient and two moments are read, all but the gradient written.
constexpr int kFusedAdamTensors = 7;

// 0 when the op is none of the table.
int TensorsOf(std::string_view name) {
  for (const std::string_view prefix : {"aten::", "_foreach_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  if (name.ends_with("_")) name.remove_suffix(1);
  const auto found = std::ranges::find(kTraffic, name, &Traffic::op);
  return found == kTraffic.end() ? 0 : found->tensors;
}

struct Update {
  std::vector<uint32_t> rows;
  Ns time_ns = 0;
  int64_t kernels = 0;
  bool foreach_ops = false;
  bool fused = false;
  bool wide = false;       // kernels on 32-bit floats
  std::string_view range;  // "Optimizer.step#AdamW.step"
  double tensors = 0;      // moved by one update of one parameter; 0 = not known
};

// Tensors that the ops of one update move; 0 when it can't be told. Every update of a parameter (of a list of them) ends
// with one addcdiv. Ops count when they launched GPU work (the step counters live on the host), wherever it ran.
double TensorsPerUpdate(const Trace& trace, const FrameWork& work, const std::vector<uint8_t>& inside) {
  const HostEvents& host = trace.host();
  std::vector<int> of_name(trace.strings().size(), -1);
  std::vector<bool> counted(host.size(), false);
  int64_t updates = 0;
  int64_t tensors = 0;
  for (uint32_t gpu_row = work.first_row; gpu_row < work.end_row(); ++gpu_row) {
    const uint32_t op = trace.gpu().op[gpu_row];
    if (op == kNoRow || counted[op] || inside[op] == 0) continue;
    counted[op] = true;
    int& known = of_name[static_cast<uint32_t>(host.name[op])];
    if (known < 0) known = TensorsOf(trace.Text(host.name[op]));
    if (known == 0) return 0;  // an op whose traffic is not known
    tensors += known;
    const std::string_view name = trace.Text(host.name[op]);
    if (name == "aten::_foreach_addcdiv_" || name == "aten::addcdiv_") ++updates;
  }
  return updates == 0 ? 0 : static_cast<double>(tensors) / static_cast<double>(updates);
}

// What the kernels' names say of how the update runs.
void ReadKernelName(std::string_view kernel, Update& update) {
  const auto has = [kernel](std::string_view word) { return kernel.find(word) != std::string_view::npos; };
  update.fused = update.fused || has("FusedAdam") || has("FusedSgd");
  update.foreach_ops = update.foreach_ops || has("multi_tensor_apply");
  update.wide = update.wide || (has("float") && !has("Half") && !has("BFloat16"));
}

Update FindUpdate(const Trace& trace, const FrameWork& work, const std::vector<uint8_t>& inside) {
  const GpuWork& gpu = trace.gpu();
  Update update;
  std::unordered_set<StringId> names;
  for (const std::vector<uint32_t>& rows : work.by_stream) {
    for (const uint32_t row : rows) {
      const uint32_t op = gpu.op[row] != kNoRow ? gpu.op[row] : gpu.launch[row];
      // Work of a step before the recording has no launch: there the name must do.
      const bool by_name = (op == kNoRow || inside.empty()) && work.Family(row) == "optimizer";
      if (!by_name && (op == kNoRow || inside.empty() || inside[op] == 0)) continue;
      update.rows.push_back(row);
      update.time_ns = SaturatingAdd(update.time_ns, work.OwnNs(row));
      ++update.kernels;
      if (names.insert(gpu.name[row]).second) ReadKernelName(trace.Text(gpu.name[row]), update);
    }
  }
  if (inside.empty()) return update;
  for (uint32_t row = 0; row < trace.host().size() && update.range.empty(); ++row) {
    if (trace.host().kind[row] == HostKind::kRange && inside[row] != 0) update.range = trace.Text(trace.host().name[row]);
  }
  update.tensors = TensorsPerUpdate(trace, work, inside);
  return update;
}

// Whether no family of kernels takes more of the steps than the update does.
bool IsTopCost(const Trace& trace, const FrameWork& work, const Update& update) {
  std::vector<Ns> by_name(trace.strings().size(), 0);
  std::vector<std::string_view> family_of_name(by_name.size());
  const auto name_of = [&trace](uint32_t row) { return static_cast<uint32_t>(trace.gpu().name[row]); };
  for (uint32_t row = work.first_row; row < work.end_row(); ++row) {
    by_name[name_of(row)] += work.OwnNs(row);
    family_of_name[name_of(row)] = work.Family(row);
  }
  for (const uint32_t row : update.rows) by_name[name_of(row)] -= work.OwnNs(row);
  std::map<std::string_view, Ns> by_family;
  for (size_t name = 0; name < by_name.size(); ++name) {
    if (!family_of_name[name].empty()) by_family[family_of_name[name]] += by_name[name];
  }
  return std::ranges::all_of(by_family, [&](const auto& family) { return family.second <= update.time_ns; });
}

std::string_view HowItRuns(const Update& update) {
  if (update.fused) return "fused: one kernel an update";
  return update.foreach_ops ? "op by op over lists of parameters (foreach)" : "op by op in a loop over the parameters";
}

void ClaimUnfusedPart(const FrameWork& work, const Update& update, Finding& finding) {
  const double left = kFusedAdamTensors / update.tensors;
  for (const uint32_t row : update.rows) {
    finding.claims.Add(row, static_cast<Ns>(static_cast<double>(work.OwnNs(row)) * (1 - left)));
  }
}

}  // namespace

void RunOptimizer(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return;
  const Trace& trace = analysis.trace();
  const Update update = FindUpdate(trace, *work, RowsInside(trace, IsOptimizerStep));
  if (update.time_ns == 0) return;
  const bool can_fuse = !update.fused && update.tensors > kFusedAdamTensors;
  const bool top =
      static_cast<double>(update.time_ns) >= ThresholdShare("optimizer_top_share") * static_cast<double>(frame->busy_ns);
  if (!top && !can_fuse) return;
  const std::string name(update.range.empty() ? "" : update.range.substr(kStepRange.size()));
  Finding finding;
  finding.id = "optimizer";
  finding.title =
      fmt::format("The {}optimizer{} {}", update.wide ? "FP32 " : "",
                  IsTopCost(trace, *work, update) ? ", the top cost on the GPU," : "",
                  can_fuse ? "is not fused: it reads and writes its tensors again and again" : "takes much of the step");
  finding.evidence.push_back(fmt::format("{}{} of {} ({} of the GPU's busy time), kernels: {}; it runs {}",
                                         name.empty() ? "" : name + ": ", FormatDuration(frame->PerStep(update.time_ns)),
                                         frame->Unit(), FormatShare(update.time_ns, frame->busy_ns),
                                         FormatNumber(frame->PerStepCount(update.kernels)), HowItRuns(update)));
  if (can_fuse) {
    ClaimUnfusedPart(*work, update, finding);
    finding.least_ns = LeastBusyGain(*frame);
    finding.evidence.push_back(fmt::format(
        "every parameter's update moves {} tensors through memory, fused Adam {}: {} instead of {} at the same bandwidth",
        FormatNumber(update.tensors), kFusedAdamTensors,
        FormatDuration(
            frame->PerStep(static_cast<Ns>(static_cast<double>(update.time_ns) * kFusedAdamTensors / update.tensors))),
        FormatDuration(frame->PerStep(update.time_ns))));
    finding.advice = "Pass fused=True to the optimizer (torch.optim.AdamW(..., fused=True))";
  } else {
    finding.advice =
        "It is bound by memory: shard its state over the ranks (ZeRO, FSDP), keep moments in 16 or 8 bits, or step less "
        "often "
        "(gradient accumulation)";
  }
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
