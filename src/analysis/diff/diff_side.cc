#include "analysis/diff/diff_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "analysis/gpu_busy.h"
#include "analysis/idle_pass.h"
#include "analysis/key_averages_pass.h"
#include "analysis/op_tree.h"
#include "analysis/steps_pass.h"
#include "analysis/work_parts_pass.h"

namespace warpsight {
namespace {

constexpr std::string_view kOutsideOfOps = "(no op)";
constexpr std::string_view kGpuKinds[] = {"kernel", "memcpy", "memset"};

std::string_view HostKindWord(KeyAverageKind kind) {
  switch (kind) {
    case KeyAverageKind::kApi:
      return "api";
    case KeyAverageKind::kOverhead:
      return "overhead";
    case KeyAverageKind::kAnnotation:
      return "range";
    default:
      return "op";
  }
}

// Ranges that carry a number are one: step#3 and step#4.
std::string_view UnnumberedRange(std::string_view name) {
  const size_t digits = name.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < name.size() && name[digits] == '#' ? name.substr(0, digits) : name;
}

DiffKey HostKey(const Trace& trace, uint32_t row) {
  const std::string_view kind = HostKindWord(KeyAverageKindOf(trace.host(), row));
  const std::string_view name = trace.Text(trace.host().name[row]);
  return {kind, kind == "range" ? UnnumberedRange(name) : name};
}

// Groups by the number of their name, so that the map is asked once a name and not once a row.
class GroupCache {
 public:
  GroupCache(DiffGroups& groups, size_t names) : groups_(groups), by_name_(names * kKinds) {}
  template <typename MakeKey>
  DiffGroup& Of(StringId name, size_t kind, const MakeKey& key) {
    DiffGroup*& group = by_name_[static_cast<size_t>(name) * kKinds + kind];
    if (group == nullptr) group = &groups_[key()];
    return *group;
  }

 private:
  static constexpr size_t kKinds = 16;
  DiffGroups& groups_;
  std::vector<DiffGroup*> by_name_;
};

// Which step a row of GPU work belongs to, and with how much of its time.
class WorkOfSteps {
 public:
  explicit WorkOfSteps(const DiffSide& side) : side_(side), trace_(side.trace()), finder_(side.windows) {}

  struct Share {
    size_t step = kNoStep;
    Ns time_ns = 0;
    bool counts = false;
  };
  Share Of(uint32_t row) {
    const GpuWork& gpu = trace_.gpu();
    const Interval whole{gpu.start_ns[row], gpu.end_ns[row]};
    const std::optional<int32_t>& device = side_.analysis->selection().device;
    if (device && trace_.device_of(row) != *device) return {};
    if (!side_.has_steps) {
      const Interval window = side_.windows.front().time;
      const Ns inside = Intersect(whole, window).duration();
      // The capture ends with its last event, which may take no time.
      const bool counts = window.Contains(whole.start) || !side_.analysis->selection().range;
      return {counts || inside > 0 ? 0 : kNoStep, inside, counts};
    }
    const uint32_t launch = gpu.launch[row];
    return {finder_.At(launch == kNoRow ? whole.start : trace_.host().start_ns[launch]), whole.duration(), true};
  }

 private:
  const DiffSide& side_;
  const Trace& trace_;
  StepFinder finder_;
};

void SumWorkOfSide(DiffSide& side) {
  const Trace& trace = side.trace();
  const GpuWork& gpu = trace.gpu();
  const Result<WorkParts>& parts = side.analysis->Get<WorkPartsPass>();
  GroupCache kernels(side.kernels, trace.strings().size());
  GroupCache ops(side.ops, trace.strings().size());
  std::array<DiffGroup*, kPartCount> part_groups = {};
  DiffGroup* no_op = nullptr;
  WorkOfSteps shares(side);
  std::vector<int64_t>& work = side.metrics[kDiffWork];
  work.assign(side.windows.size(), 0);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const WorkOfSteps::Share share = shares.Of(row);
    if (share.step == kNoStep) continue;
    const auto step = static_cast<uint32_t>(share.step);
    work[step] = SaturatingAdd(work[step], share.time_ns);
    const auto kind = static_cast<size_t>(gpu.kind[row]);
    DiffGroup& kernel = kernels.Of(gpu.name[row], kind, [&] { return DiffKey{kGpuKinds[kind], trace.Text(gpu.name[row])}; });
    kernel.calls += share.counts ? 1 : 0;
    kernel.AddGpu(step, share.time_ns);
    if (kernel.example == kNoRow) kernel.example = row;
    const uint32_t op = gpu.op[row];
    if (op == kNoRow && no_op == nullptr) no_op = &side.ops[{"op", kOutsideOfOps}];
    DiffGroup& of_op = op == kNoRow ? *no_op
                                    : ops.Of(trace.host().name[op], static_cast<size_t>(KeyAverageKindOf(trace.host(), op)),
                                             [&] { return HostKey(trace, op); });
    of_op.AddGpu(step, share.time_ns);
    if (!parts.ok()) continue;
    DiffGroup*& part = part_groups[static_cast<size_t>(parts->part(row))];
    if (part == nullptr) part = &side.parts[{"part", PartName(parts->part(row))}];
    part->calls += share.counts ? 1 : 0;
    part->AddGpu(step, share.time_ns);
  }
}

// Self times of what starts in a step, whole; of the window, cut to it.
void SumHostOfSide(DiffSide& side) {
  const Trace& trace = side.trace();
  const HostEvents& host = trace.host();
  const OpTree tree(trace, side.has_steps ? Selection{} : side.analysis->selection());
  GroupCache ops(side.ops, trace.strings().size());
  StepFinder finder(side.windows);
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (!tree.Has(row) || host.kind[row] == HostKind::kRange) continue;
    const size_t found = side.has_steps                                    ? finder.At(host.start_ns[row])
                         : (tree.duration_ns(row) > 0 || tree.Starts(row)) ? 0
                                                                           : kNoStep;
    if (found == kNoStep) continue;
    const uint32_t node = tree.NodeOf(row);
    DiffGroup& op =
        ops.Of(host.name[node], static_cast<size_t>(KeyAverageKindOf(host, node)), [&] { return HostKey(trace, node); });
    op.AddCpu(static_cast<uint32_t>(found), tree.self_ns(row));
    op.calls += node == row && (side.has_steps || tree.Starts(row)) ? 1 : 0;
  }
}

int64_t CountLaunches(const DiffSide& side, Interval window, const std::vector<uint32_t>& launching) {
  const HostEvents& host = side.trace().host();
  return std::count_if(launching.begin(), launching.end(),
                       [&](uint32_t row) { return window.Contains(host.start_ns[row]); });
}

// Host rows of the calls that launched work of the selected devices.
std::vector<uint32_t> LaunchingCalls(const DiffSide& side) {
  const Trace& trace = side.trace();
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    const std::optional<int32_t>& device = side.analysis->selection().device;
    if (trace.gpu().launch[row] == kNoRow || (device && trace.device_of(row) != *device)) continue;
    rows.push_back(trace.gpu().launch[row]);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void MeasureOneDevice(DiffSide& side, const DeviceBusy& busy, const IdleTimeline* idle) {
  for (size_t step = 0; step < side.windows.size(); ++step) {
    const Interval window = side.windows[step].time;
    const auto add = [&](size_t metric, int64_t value) {
      side.metrics[metric].resize(side.windows.size(), 0);
      side.metrics[metric][step] = SaturatingAdd(side.metrics[metric][step], value);
    };
    const Ns busy_ns = busy.Busy(window);
    add(kDiffBusy, busy_ns);
    add(kDiffIdle, window.duration() - busy_ns);
    const GpuCounts counts = busy.Counts(window);
    add(kDiffKernels, counts.kernels);
    add(kDiffCopies, counts.memcpys);
    if (idle == nullptr) continue;
    const IdleParts parts = idle->Cut(window);
    for (size_t kind = 0; kind < kIdleClassCount; ++kind) add(kFirstIdleMetric + kind, parts[kind]);
  }
}

void MeasureDevices(DiffSide& side) {
  const Result<GpuBusy>& busy = side.analysis->Get<GpuBusyPass>();
  if (!busy.ok()) return;
  side.has_gpu = true;
  const Result<std::vector<IdleTimeline>>& idle = side.analysis->Get<IdleTimelinesPass>();
  const std::optional<int32_t>& selected = side.analysis->selection().device;
  for (const DeviceBusy& device : busy->devices) {
    if (selected.value_or(device.device()) != device.device()) continue;
    const IdleTimeline* timeline = nullptr;
    for (size_t i = 0; idle.ok() && i < idle->size(); ++i) {
      if ((*idle)[i].device() == device.device()) timeline = &(*idle)[i];
    }
    MeasureOneDevice(side, device, timeline);
  }
  const std::vector<uint32_t> launching = LaunchingCalls(side);
  side.has_calls = !launching.empty();
  if (!side.has_calls) return;
  std::vector<int64_t>& launches = side.metrics[kDiffLaunches];
  launches.assign(side.windows.size(), 0);
  if (!side.has_steps) {
    launches[0] = CountLaunches(side, side.windows[0].time, launching);
    return;
  }
  StepFinder finder(side.windows);
  for (const uint32_t row : launching) {
    const size_t step = finder.At(side.trace().host().start_ns[row]);
    if (step != kNoStep) ++launches[step];
  }
}

// Rows of a step mostly come one after another.
void AddToStep(StepValues& values, uint32_t step, Ns time) {
  if (values.empty() || values.back().first != step) values.emplace_back(step, 0);
  values.back().second = SaturatingAdd(values.back().second, time);
}

std::array<DiffMetricInfo, kDiffMetricCount> MakeInfos() {
  std::array<DiffMetricInfo, kDiffMetricCount> infos;
  infos[kDiffStep] = {"step", "step"};
  infos[kDiffBusy] = {"busy", "busy"};
  infos[kDiffIdle] = {"idle", "idle"};
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    const IdleClassInfo& info = InfoOf(static_cast<IdleClass>(kind));
    infos[kFirstIdleMetric + kind] = {fmt::format("idle_{}", info.key), fmt::format("idle: {}", info.label)};
  }
  infos[kDiffWork] = {"work", "GPU work"};
  infos[kDiffKernels] = {"kernels", "kernels", false};
  infos[kDiffCopies] = {"copies", "copies", false};
  infos[kDiffLaunches] = {"launches", "launches", false};
  return infos;
}

}  // namespace

const DiffMetricInfo& InfoOfMetric(size_t metric) {
  static const std::array<DiffMetricInfo, kDiffMetricCount> kInfos = MakeInfos();
  return kInfos[metric];
}

void DiffGroup::AddGpu(uint32_t step, Ns time) {
  gpu_ns = SaturatingAdd(gpu_ns, time);
  AddToStep(gpu_by_step, step, time);
}

void DiffGroup::AddCpu(uint32_t step, Ns time) {
  cpu_ns = SaturatingAdd(cpu_ns, time);
  AddToStep(cpu_by_step, step, time);
}

DiffSide MeasureSide(Analysis& analysis, bool by_steps) {
  DiffSide side;
  side.analysis = &analysis;
  if (const Result<StepsResult>& steps = analysis.Get<StepsPass>(); by_steps && steps.ok() && !steps->steps.empty()) {
    side.has_steps = true;
    side.source = steps->source;
    side.windows = steps->steps;
    side.first_is_slow = SlowFirstStep(side.windows).has_value();
  } else {
    side.windows.push_back({"window", 0, analysis.window(), kNoRow});
  }
  for (const StepWindow& window : side.windows) side.metrics[kDiffStep].push_back(window.time.duration());
  MeasureDevices(side);
  if (side.has_gpu) SumWorkOfSide(side);
  SumHostOfSide(side);
  return side;
}

std::map<DiffKey, WorkOrigins> OriginsOf(const DiffSide& side, const std::vector<DiffKey>& wanted) {
  std::map<DiffKey, WorkOrigins> origins;
  if (wanted.empty()) return origins;
  const Trace& trace = side.trace();
  const GpuWork& gpu = trace.gpu();
  const HostEvents& host = trace.host();
  const Result<WorkParts>& parts = side.analysis->Get<WorkPartsPass>();
  std::vector<WorkOrigins*> by_name(trace.strings().size(), nullptr);
  for (const DiffKey& key : wanted) {
    const DiffGroup& group = side.kernels.at(key);
    by_name[static_cast<size_t>(gpu.name[group.example])] = &origins[key];
  }
  WorkOfSteps shares(side);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    WorkOrigins* const of_name = by_name[static_cast<size_t>(gpu.name[row])];
    if (of_name == nullptr) continue;
    const WorkOfSteps::Share share = shares.Of(row);
    if (share.step == kNoStep || !share.counts) continue;
    const uint32_t op = gpu.op[row];
    const bool is_op = op != kNoRow && host.kind[op] == HostKind::kOp;
    ++(*of_name)[{is_op ? trace.Text(host.name[op]) : std::string_view(),
                  is_op ? trace.Text(host.shapes[op]) : std::string_view(),
                  parts.ok() ? PartName(parts->part(row)) : std::string_view()}];
  }
  return origins;
}

std::string DamageOf(const DiffSide& side) {
  constexpr size_t kMostCauses = 3;
  std::string text;
  size_t causes = 0;
  for (const ImportCause& cause : side.trace().log().causes()) {
    if (cause.severity != ImportSeverity::kError) continue;
    if (++causes > kMostCauses) return text + ", ...";
    text += (text.empty() ? "" : ", ") + cause.cause;
  }
  return text;
}

}  // namespace warpsight
