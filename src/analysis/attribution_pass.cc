#include "analysis/attribution_pass.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/captured_launches.h"
#include "analysis/enclosing_events.h"
#include "analysis/forward_join.h"
#include "analysis/graph_node_origins.h"
#include "analysis/module_frame.h"
#include "analysis/steps_pass.h"
#include "analysis/work_kind.h"
#include "trace/profiler_step.h"
#include "trace/run_sort.h"

namespace warpsight {
namespace {

// What the name of a host event says about the phase of training.
enum class PhaseMark : uint8_t { kUnknown, kNothing, kBackward, kOptimizer };

PhaseMark MarkOf(std::string_view name) {
  if (name.starts_with("Optimizer.")) return PhaseMark::kOptimizer;
  if (name.starts_with("autograd::engine::") || name.starts_with("torch::autograd::AccumulateGrad") ||
      name.starts_with("torch.distributed.ddp.reducer::"))
    return PhaseMark::kBackward;
  return PhaseMark::kNothing;
}

class Attributor {
 public:
  Attributor(Analysis& analysis, const std::vector<StepWindow>& steps)
      : trace_(analysis.trace()),
        host_(trace_.host()),
        gpu_(trace_.gpu()),
        steps_(steps),
        step_finder_(steps),
        calls_(trace_),
        join_(trace_),
        marks_(trace_.strings().size(), PhaseMark::kUnknown),
        kernel_kinds_(trace_.strings().size(), -1),
        has_launches_(trace_.attribution().with_launch > trace_.attribution().without_launch),
        reference_(analysis.given().reference) {}

  Attribution Run() {
    const uint32_t rows = gpu_.size();
    result_.op.assign(rows, kNoRow);
    result_.forward_op.assign(rows, kNoRow);
    result_.frame.assign(rows, kNoRow);
    result_.module.assign(rows, kNoRow);
    result_.range.assign(rows, kNoRow);
    result_.step.assign(rows, -1);
    result_.phase.assign(rows, Phase::kForward);
    result_.confidence.assign(rows, Confidence::kNone);
    result_.replayed.assign(rows, 0);
    result_.captured.assign(rows, 0);
    SortByLaunch();
    for (const uint32_t row : result_.order) AttributeRow(row);
    FindCaptures();
    for (const Confidence confidence : result_.confidence) ++result_.counts[static_cast<size_t>(confidence)];
    return std::move(result_);
  }

 private:
  void SortByLaunch() {
    struct Key {
      uint32_t launch;
      uint32_t row;
    };
    std::vector<Key> keys(gpu_.size());
    for (uint32_t row = 0; row < gpu_.size(); ++row) keys[row] = {gpu_.launch[row], row};
    // Host rows are sorted by thread and start, so their numbers are the order of the launches; kNoRow is the greatest.
    RunSort(keys, [](const Key& a, const Key& b) { return a.launch != b.launch ? a.launch < b.launch : a.row < b.row; });
    result_.order.reserve(keys.size());
    for (const Key& key : keys) result_.order.push_back(key.row);
  }

  void AttributeRow(uint32_t row) {
    const uint32_t launch = gpu_.launch[row];
    if (launch != kNoRow) result_.step[row] = StepAt(host_.start_ns[launch]);
    if (launch == kNoRow && !has_launches_) result_.step[row] = StepAt(gpu_.start_ns[row]);
    result_.replayed[row] = launch != kNoRow && calls_.kind(launch) == ApiCallKind::kGraphLaunch ? 1 : 0;
    const uint32_t innermost = gpu_.op[row] != kNoRow ? gpu_.op[row] : launch;
    if (innermost != kNoRow) WalkUp(row, innermost);
    if (launch != kNoRow) FindFrame(trace_, row, launch);
    if (result_.replayed[row] != 0) result_.op[row] = kNoRow;
    result_.confidence[row] = ConfidenceOf(row, launch);
    if (result_.phase[row] == Phase::kForward && result_.op[row] == kNoRow &&
        KindOf(gpu_.name[row]) == WorkKind::kOptimizer) {
      result_.phase[row] = Phase::kOptimizer;
    }
    if (result_.phase[row] == Phase::kBackward) {
      ++result_.backward;
      result_.backward_joined += result_.forward_op[row] != kNoRow ? 1 : 0;
    }
  }

  // Replays whose graph was captured in this recording, or in the reference.
  void FindCaptures() {
    const bool replays = std::any_of(result_.replayed.begin(), result_.replayed.end(), [](uint8_t is) { return is != 0; });
    if (!replays) return;
    if (!trace_.graph_nodes().empty()) FindNodes();
    // All captured rows are of one recording.
    if (TakeCaptures(CapturedLaunches(trace_)) || result_.capture != nullptr || reference_ == nullptr) return;
    TakeCaptures(CapturedLaunches(*reference_));
  }

  // By the nodes' numbers, whatever their order. Else by the order of the launches in the capture.
  void FindNodes() {
    GraphNodeOrigins origins(trace_);
    for (const uint32_t row : result_.order) {
      if (result_.replayed[row] == 0 || gpu_.graph_node_id[row] == 0) continue;
      const ThreadIndex thread = host_.thread[gpu_.launch[row]];
      const uint32_t origin = origins.Of(trace_.threads()[thread].pid, gpu_.graph_node_id[row]);
      if (origin != kNoRow) TakeOrigin(trace_, row, origin, Confidence::kGraphNode);
    }
  }

  bool TakeCaptures(const CapturedLaunches& captures) {
    if (captures.empty()) return false;
    fits_.clear();
    for (size_t first = 0; first < result_.order.size();) {
      const uint32_t launch = gpu_.launch[result_.order[first]];
      size_t end = first + 1;
      while (end < result_.order.size() && gpu_.launch[result_.order[end]] == launch) ++end;
      if (result_.replayed[result_.order[first]] != 0) TakeCapture(captures, first, end);
      first = end;
    }
    return result_.capture != nullptr;
  }

  void TakeCapture(const CapturedLaunches& captures, size_t first, size_t end) {
    std::vector<WorkKind> kernels;
    for (size_t i = first; i < end; ++i) kernels.push_back(KindOf(gpu_.name[result_.order[i]]));
    const auto [fit, added] = fits_.try_emplace(std::move(kernels));
    if (added) fit->second = captures.Fit(fit->first);
    const std::span<const uint32_t> launches = fit->second;
    if (launches.empty()) return;
    for (size_t i = first; i < end; ++i) {
      const uint32_t row = result_.order[i];
      if (result_.captured[row] == 0) TakeOrigin(captures.trace(), row, launches[i - first], Confidence::kAligned);
    }
  }

  // `launch`: the host row of `capture` that the work of a replay comes from.
  void TakeOrigin(const Trace& capture, uint32_t row, uint32_t launch, Confidence confidence) {
    const HostEvents& host = capture.host();
    result_.capture = &capture;
    result_.captured[row] = 1;
    result_.op[row] = Innermost(host, launch, [&](uint32_t event) { return host.kind[event] == HostKind::kOp; });
    result_.confidence[row] = confidence;
    // Around the replay stands what all kernels of it share: around the capture what this one is for.
    const uint32_t range = RangeAround(capture, launch);
    if (range != kNoRow) result_.range[row] = range;
    FindFrame(capture, row, launch);
  }

  // Of `event` and those around it the first that is wanted.
  template <typename Wanted>
  static uint32_t Innermost(const HostEvents& host, uint32_t from, const Wanted& wanted) {
    for (const uint32_t event : EnclosingEvents(host, from)) {
      if (wanted(event)) return event;
    }
    return kNoRow;
  }

  // Of this recording: ranges of a reference are not of its host rows.
  uint32_t RangeAround(const Trace& capture, uint32_t launch) const {
    if (&capture != &trace_) return kNoRow;
    return Innermost(host_, launch,
                     [this](uint32_t event) { return host_.kind[event] == HostKind::kRange && !IsStep(event); });
  }

  // From the innermost event outwards: op, range, phase, the autograd node.
  void WalkUp(uint32_t row, uint32_t innermost) {
    for (const uint32_t event : EnclosingEvents(host_, innermost)) {
      const HostKind kind = host_.kind[event];
      if (kind != HostKind::kOp && kind != HostKind::kRange) continue;
      if (kind == HostKind::kOp && result_.op[row] == kNoRow) result_.op[row] = event;
      if (kind == HostKind::kRange && result_.range[row] == kNoRow && !IsStep(event)) result_.range[row] = event;
      if (host_.forward_thread[event] != 0) {
        result_.phase[row] = Phase::kBackward;
        if (result_.forward_op[row] == kNoRow) result_.forward_op[row] = join_.ForwardOf(event);
      }
      const PhaseMark mark = Mark(host_.name[event]);
      if (mark == PhaseMark::kBackward) result_.phase[row] = Phase::kBackward;
      if (mark == PhaseMark::kOptimizer) result_.phase[row] = Phase::kOptimizer;
    }
  }

  // The frames of a thread nest, so the innermost open one is the last that started, or its nearest parent still open.
  // Launches come in order of time, so every frame is opened and closed once.
  void FindFrame(const Trace& trace, uint32_t row, uint32_t launch) {
    const HostEvents& host = trace.host();
    const Thread& thread = trace.threads()[host.thread[launch]];
    if (thread.first_frame == thread.end) return;
    const Ns at = host.start_ns[launch];
    if (frame_trace_ != &trace || frame_thread_ != host.thread[launch] || at < frame_time_) {
      frame_trace_ = &trace;
      frame_thread_ = host.thread[launch];
      const auto first = host.start_ns.begin() + thread.first_frame;
      const auto next = std::upper_bound(first, host.start_ns.begin() + thread.end, at);
      next_frame_ = static_cast<uint32_t>(next - host.start_ns.begin());
      open_frame_ = next == first ? kNoRow : next_frame_ - 1;
    }
    frame_time_ = at;
    for (; next_frame_ < thread.end && host.start_ns[next_frame_] <= at; ++next_frame_) open_frame_ = next_frame_;
    while (open_frame_ != kNoRow && host.end_ns[open_frame_] <= at) open_frame_ = host.parent[open_frame_];
    result_.frame[row] = open_frame_;
    // Neighbours mostly stand in the same frame.
    if (module_trace_ != &trace || module_of_ != open_frame_) {
      module_trace_ = &trace;
      module_of_ = open_frame_;
      module_ = Innermost(host, open_frame_, [&](uint32_t frame) { return IsModuleFrame(trace.Text(host.name[frame])); });
    }
    result_.module[row] = module_;
  }

  Confidence ConfidenceOf(uint32_t row, uint32_t launch) {
    const bool named = gpu_.kind[row] != GpuKind::kKernel || KindOf(gpu_.name[row]) != WorkKind::kNone;
    if (result_.op[row] == kNoRow) return named ? Confidence::kName : Confidence::kNone;
    const uint32_t id = gpu_.external_id[row] != 0 ? gpu_.external_id[row]
                        : launch == kNoRow         ? 0
                                                   : host_.external_id[launch];
    const bool by_id = id != 0 && host_.external_id[gpu_.op[row]] == id;
    const uint32_t contains = Innermost(host_, launch, [this](uint32_t event) {
      return host_.kind[event] == HostKind::kOp || host_.kind[event] == HostKind::kRange;
    });
    if (by_id && contains == gpu_.op[row]) return Confidence::kExact;
    if (by_id && contains != kNoRow) ++result_.disagreements;
    return Confidence::kContainment;
  }

  int32_t StepAt(Ns at) {
    const size_t step = step_finder_.At(at);
    return step == kNoStep ? -1 : static_cast<int32_t>(step);
  }

  bool IsStep(uint32_t event) const {
    return IsProfilerStep(trace_.Text(host_.name[event])) ||
           (!steps_.empty() && steps_.front().marker != kNoRow && host_.name[event] == host_.name[steps_.front().marker]);
  }

  PhaseMark Mark(StringId name) {
    PhaseMark& mark = marks_[static_cast<uint32_t>(name)];
    if (mark == PhaseMark::kUnknown) mark = MarkOf(trace_.Text(name));
    return mark;
  }

  WorkKind KindOf(StringId name) {
    int16_t& kind = kernel_kinds_[static_cast<uint32_t>(name)];
    if (kind < 0) kind = static_cast<int16_t>(WorkKinds::Embedded().OfKernel(trace_.Text(name)).kind);
    return static_cast<WorkKind>(kind);
  }

  const Trace& trace_;
  const HostEvents& host_;
  const GpuWork& gpu_;
  const std::vector<StepWindow>& steps_;
  StepFinder step_finder_;
  ApiCallKinds calls_;
  ForwardJoin join_;
  std::vector<PhaseMark> marks_;
  std::vector<int16_t> kernel_kinds_;  // -1 = not asked for
  // Then work without a launch was launched before the recording began, so in none of its steps.
  bool has_launches_;
  const Trace* reference_;
  const Trace* frame_trace_ = nullptr;
  ThreadIndex frame_thread_ = ~ThreadIndex{0};
  Ns frame_time_ = 0;
  uint32_t next_frame_ = 0;
  const Trace* module_trace_ = nullptr;
  uint32_t module_of_ = kNoRow;  // the frame that module_ is known of
  uint32_t module_ = kNoRow;
  uint32_t open_frame_ = kNoRow;
  std::map<std::vector<WorkKind>, std::span<const uint32_t>> fits_;  // of the captures at hand, by the kernels of a replay
  Attribution result_;
};

}  // namespace

std::string_view ConfidenceName(Confidence confidence) {
  constexpr std::array<std::string_view, kConfidenceCount> kNames = {"exact",   "containment", "graph_node",
                                                                     "aligned", "name",        "none"};
  return kNames[static_cast<size_t>(confidence)];
}

Result<Attribution> AttributionPass::Run(Analysis& analysis) {
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  const std::vector<StepWindow> no_steps;
  return Attributor(analysis, steps.ok() ? steps->steps : no_steps).Run();
}

}  // namespace warpsight
