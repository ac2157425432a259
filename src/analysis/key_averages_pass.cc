#include "analysis/key_averages_pass.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "analysis/frame_stacks.h"
#include "analysis/key_groups.h"
#include "analysis/op_tree.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

KeyAverageKind KindOf(GpuKind kind) {
  switch (kind) {
    case GpuKind::kMemcpy:
      return KeyAverageKind::kMemcpy;
    case GpuKind::kMemset:
      return KeyAverageKind::kMemset;
    default:
      return KeyAverageKind::kKernel;
  }
}

bool MayHaveGpuTime(KeyAverageKind kind) { return kind != KeyAverageKind::kApi && kind != KeyAverageKind::kOverhead; }

// The sums over one trace, in the order in which they need each other.
class KeyAveraging {
 public:
  KeyAveraging(const Trace& trace, const Selection& selection, const KeyAveragesOptions& options)
      : trace_(trace),
        selection_(selection),
        options_(options),
        tree_(trace, selection),
        groups_(trace.strings().size(), options.by_shape || options.stack_frames > 0) {
    if (options_.stack_frames > 0) stacks_.emplace(trace_, options_.stack_frames);
  }

  KeyAverages Run();

 private:
  void SumGpuWork();
  void SumHostEvents();
  void SumProjections();
  KeyGroup& GroupOf(uint32_t row);
  StringId RowName(StringId name, KeyAverageKind kind);
  Ns Cut(Ns start_ns, Ns end_ns) const {
    const Interval time{start_ns, end_ns};
    return (selection_.range ? Intersect(time, *selection_.range) : time).duration();
  }
  bool Starts(Ns start_ns) const { return !selection_.range || selection_.range->Contains(start_ns); }
  bool Selected(StreamIndex stream) const {
    return !selection_.device || trace_.streams()[stream].device == *selection_.device;
  }
  KeyAverageRow MakeRow(const KeyGroup& group) const;

  const Trace& trace_;
  const Selection& selection_;
  const KeyAveragesOptions& options_;
  const OpTree tree_;
  std::optional<FrameStacks> stacks_;
  KeyGroups groups_;
  std::vector<KeyGroup> gpu_groups_;
  std::vector<Ns> gpu_ns_;  // per host row: GPU work launched by it or by what it contains
  StringId first_step_ = StringId::kEmpty;
};

KeyAverages KeyAveraging::Run() {
  SumGpuWork();
  SumHostEvents();
  SumProjections();

  KeyAverages result;
  result.recorder = RecorderOf(trace_.recording());
  result.by_shape = options_.by_shape;
  result.by_stack = options_.stack_frames > 0;
  if (trace_.gpu().size() > 0) result.total_self_gpu_ns = 0;
  for (const std::span<const KeyGroup> groups : {std::span(groups_.all()), std::span<const KeyGroup>(gpu_groups_)}) {
    for (const KeyGroup& group : groups) {
      if (group.calls == 0 && group.self_cpu_ns == 0 && group.cpu_ns == 0 && group.gpu_ns == 0 && !group.has_projection)
        continue;
      result.rows.push_back(MakeRow(group));
      if (IsGpu(group.kind)) {
        result.total_self_gpu_ns = SaturatingAdd(result.total_self_gpu_ns.value_or(0), group.self_gpu_ns);
      } else if (group.has_host_events) {
        const Ns self_ns = group.kind == KeyAverageKind::kAnnotation ? 0 : group.self_cpu_ns;
        result.total_self_cpu_ns = SaturatingAdd(result.total_self_cpu_ns.value_or(0), self_ns);
      }
    }
  }
  return result;
}

void KeyAveraging::SumGpuWork() {
  const GpuWork& gpu = trace_.gpu();
  const HostEvents& host = trace_.host();
  KeyGroups groups(trace_.strings().size(), false);
  gpu_ns_.assign(host.size(), 0);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (!Selected(gpu.stream[row])) continue;
    const Ns time = Cut(gpu.start_ns[row], gpu.end_ns[row]);
    KeyGroup& group = groups.Find(gpu.name[row], KindOf(gpu.kind[row]));
    group.calls += Starts(gpu.start_ns[row]) ? 1 : 0;
    group.self_gpu_ns = group.gpu_ns = SaturatingAdd(group.gpu_ns, time);
    const uint32_t op = gpu.op[row];
    if (op == kNoRow || time == 0) continue;
    gpu_ns_[op] = SaturatingAdd(gpu_ns_[op], time);
    KeyGroup& op_group = GroupOf(tree_.NodeOf(op));
    op_group.self_gpu_ns = SaturatingAdd(op_group.self_gpu_ns, time);
  }
  gpu_groups_ = groups.all();

  // Parents stand before their children, so one backward pass gathers all descendants. Only the recorder's overhead may hang
  // below a later row, and it launches nothing.
  for (uint32_t row = host.size(); row-- > 0;) {
    const uint32_t parent = host.parent[row];
    if (gpu_ns_[row] != 0 && parent != kNoRow) gpu_ns_[parent] = SaturatingAdd(gpu_ns_[parent], gpu_ns_[row]);
  }
}

void KeyAveraging::SumHostEvents() {
  for (uint32_t row = 0; row < trace_.host().size(); ++row) {
    if (!tree_.Has(row)) continue;
    const Ns duration_ns = tree_.duration_ns(row);
    const bool starts = tree_.Starts(row);
    if (duration_ns == 0 && gpu_ns_[row] == 0 && !starts) continue;
    const uint32_t node = tree_.NodeOf(row);
    KeyGroup& group = GroupOf(node);
    group.self_cpu_ns = SaturatingAdd(group.self_cpu_ns, tree_.self_ns(row));
    if (node != row) continue;
    group.has_host_events = true;
    group.calls += starts ? 1 : 0;
    group.cpu_ns = SaturatingAdd(group.cpu_ns, duration_ns);
    group.gpu_ns = SaturatingAdd(group.gpu_ns, gpu_ns_[row]);
  }
}

KeyGroup& KeyAveraging::GroupOf(uint32_t row) {
  const HostEvents& host = trace_.host();
  const KeyAverageKind kind = KeyAverageKindOf(host, row);
  return groups_.Find(RowName(host.name[row], kind), kind, options_.by_shape ? host.shapes[row] : StringId::kEmpty,
                      stacks_ ? stacks_->stack_of(row) : 0);
}

// All steps of torch's profiler are one row: the first step's name stands for them.
StringId KeyAveraging::RowName(StringId name, KeyAverageKind kind) {
  if (kind != KeyAverageKind::kAnnotation || !IsProfilerStep(trace_.Text(name))) return name;
  if (first_step_ == StringId::kEmpty) first_step_ = name;
  return first_step_;
}

// The recorder's own projection of annotations onto the GPU. A span belongs to the annotation whose External id it carries;
// to the row of its name when the file has no ids.
void KeyAveraging::SumProjections() {
  const GpuSpans& spans = trace_.gpu_spans();
  const HostEvents& host = trace_.host();
  if (spans.size() == 0) return;
  std::unordered_map<uint32_t, uint32_t> annotations;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] == HostKind::kRange && host.external_id[row] != 0) annotations.emplace(host.external_id[row], row);
  }
  for (uint32_t span = 0; span < spans.size(); ++span) {
    if (spans.kind[span] != GpuSpanKind::kAnnotation || !Selected(spans.stream[span])) continue;
    const Ns time = Cut(spans.start_ns[span], spans.end_ns[span]);
    if (time == 0 && !Starts(spans.start_ns[span])) continue;
    const StringId name = RowName(spans.name[span], KeyAverageKind::kAnnotation);
    const auto annotation = annotations.find(spans.external_id[span]);
    KeyGroup* group = nullptr;
    if (annotation != annotations.end() && host.name[annotation->second] == spans.name[span]) {
      group = &GroupOf(annotation->second);
    } else if (group = groups_.FirstOf(name, KeyAverageKind::kAnnotation); group == nullptr) {
      group = &groups_.Find(name, KeyAverageKind::kAnnotation);
    }
    group->has_projection = true;
    group->projection_ns = SaturatingAdd(group->projection_ns, time);
  }
}

KeyAverageRow KeyAveraging::MakeRow(const KeyGroup& group) const {
  KeyAverageRow row;
  row.name = trace_.Text(group.name);
  if (group.kind == KeyAverageKind::kAnnotation && IsProfilerStep(row.name)) row.name = kAnyProfilerStep;
  row.kind = group.kind;
  row.calls = group.calls;
  if (!IsGpu(group.kind) && group.has_host_events) {
    row.self_cpu_ns = group.self_cpu_ns;
    row.cpu_ns = group.cpu_ns;
  }
  if (MayHaveGpuTime(group.kind) && trace_.gpu().size() > 0) {
    row.self_gpu_ns = group.self_gpu_ns;
    row.gpu_ns = group.gpu_ns;
  }
  if (group.has_projection) row.gpu_projection_ns = group.projection_ns;
  row.shapes = trace_.Text(group.shapes);
  if (!stacks_ || IsGpu(group.kind)) return row;
  for (const StringId frame : stacks_->names(group.stack)) row.frames.push_back(trace_.Text(frame));
  return row;
}

}  // namespace

std::string_view KeyAverageKindName(KeyAverageKind kind) {
  switch (kind) {
    case KeyAverageKind::kOp:
      return "op";
    case KeyAverageKind::kApi:
      return "api";
    case KeyAverageKind::kOverhead:
      return "overhead";
    case KeyAverageKind::kAnnotation:
      return "annotation";
    case KeyAverageKind::kKernel:
      return "kernel";
    case KeyAverageKind::kMemcpy:
      return "memcpy";
    case KeyAverageKind::kMemset:
      return "memset";
  }
  return "op";
}

// Calls of other traced libraries (OS runtime, cuBLAS, MPI) are calls; what a framework recorded under a category that we do
// not know is taken for an op.
KeyAverageKind KeyAverageKindOf(const HostEvents& host, uint32_t row) {
  switch (host.kind[row]) {
    case HostKind::kOther:
      return host.types[row] == StringId::kEmpty ? KeyAverageKind::kOp : KeyAverageKind::kApi;
    case HostKind::kRange:
      return KeyAverageKind::kAnnotation;
    case HostKind::kApi:
      return KeyAverageKind::kApi;
    case HostKind::kOverhead:
      return KeyAverageKind::kOverhead;
    default:
      return KeyAverageKind::kOp;
  }
}

KeyAverages ComputeKeyAverages(const Trace& trace, const Selection& selection, const KeyAveragesOptions& options) {
  return KeyAveraging(trace, selection, options).Run();
}

namespace {

// Sizes of library calls are shapes enough to part rows by, where ops have none.
bool HasCallSizes(const Trace& trace) {
  const HostEvents& host = trace.host();
  return std::any_of(host.shapes.begin(), host.shapes.end(), [](StringId shapes) { return shapes != StringId::kEmpty; });
}

}  // namespace

Status CheckKeyAverages(const Trace& trace, const KeyAveragesOptions& options) {
  if (trace.gpu().size() == 0) WARPSIGHT_RETURN_IF_ERROR(CheckNeeds(trace, Needs::kHostEvents));
  Needs needs = Needs::kNothing;
  if (options.by_shape && !HasCallSizes(trace)) needs = needs | Needs::kShapes;
  if (options.stack_frames > 0) needs = needs | Needs::kFrames;
  return CheckNeeds(trace, needs);
}

Result<KeyAverages> KeyAveragesPass::Run(Analysis& analysis) {
  WARPSIGHT_RETURN_IF_ERROR(CheckKeyAverages(analysis.trace(), {}));
  return ComputeKeyAverages(analysis.trace(), analysis.selection(), {});
}

}  // namespace warpsight
