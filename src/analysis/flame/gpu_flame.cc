// GPU time by stack: each piece of work below the ranges, modules and ops that launched it.
//
// The call layer and the Python frames of a thread nest each for itself. A module lies in the path where it began: inside of
// the calls that began before it, around those that began later. The path of a call is made once: that of its parent, then
// the modules between the two, then the call.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/attribution_pass.h"
#include "analysis/enclosing_events.h"
#include "analysis/flame/flame_walks.h"
#include "analysis/module_frame.h"
#include "analysis/op_tree.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

// Of one path, of which each stream has its own: see EnclosingEvents. What lies deeper counts for the frame there.
constexpr uint32_t kMostDepth = EnclosingEvents::kMost;

// The modules that are open where a call begins, by the frames of a trace.
class OpenModules {
 public:
  explicit OpenModules(const Trace& trace) : host_(trace.host()) {
    const bool has_frames =
        std::ranges::any_of(trace.threads(), [](const Thread& thread) { return thread.first_frame < thread.end; });
    if (!has_frames) return;
    around_.assign(host_.size(), kNoRow);
    is_module_.assign(host_.size(), false);
    at_call_.assign(host_.size(), kNoRow);
    for (const Thread& thread : trace.threads()) {
      for (uint32_t row = thread.first_frame; row < thread.end; ++row) {
        is_module_[row] = IsModuleFrame(trace.Text(host_.name[row]));
        const uint32_t parent = host_.parent[row];
        if (parent != kNoRow) around_[row] = is_module_[parent] ? parent : around_[parent];
      }
      uint32_t next = thread.first_frame;
      uint32_t open = kNoRow;
      for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
        const Ns now = host_.start_ns[row];
        for (; next < thread.end && host_.start_ns[next] <= now; ++next) open = next;
        while (open != kNoRow && host_.end_ns[open] <= now) open = host_.parent[open];
        at_call_[row] = open == kNoRow || is_module_[open] ? open : around_[open];
      }
    }
  }
  // The innermost module open where the call begins, kNoRow when there is none.
  uint32_t At(uint32_t call) const { return at_call_.empty() ? kNoRow : at_call_[call]; }
  bool any() const { return !at_call_.empty(); }
  // The next module around a module.
  uint32_t Around(uint32_t module) const { return around_[module]; }

 private:
  const HostEvents& host_;
  std::vector<uint32_t> around_;
  std::vector<bool> is_module_;
  std::vector<uint32_t> at_call_;
};

// Paths of the calls of one recording, as frames.
class LaunchPaths {
 public:
  LaunchPaths(const Trace& trace, FlameTree& tree)
      : trace_(trace),
        host_(trace.host()),
        tree_(tree),
        names_(trace, tree),
        ops_(trace, {}),
        modules_(trace),
        calls_(host_.size()),
        module_paths_(modules_.any() ? host_.size() : 0) {
    FindDeepCalls();
  }

  // The frame of a call below `outermost`, with all that it lies in.
  uint32_t FrameOf(uint32_t outermost, uint32_t call) {
    if (!stands_for_.empty()) call = stands_for_[call];
    for (uint32_t at = call; calls_[at].base != outermost; at = host_.parent[at]) {
      path_.push_back(at);
      if (host_.parent[at] == kNoRow) break;
    }
    while (!path_.empty()) {
      const uint32_t at = path_.back();
      path_.pop_back();
      const uint32_t parent = host_.parent[at];
      const uint32_t around = WithModules(parent == kNoRow ? outermost : calls_[parent].frame, parent, modules_.At(at));
      calls_[at] = {outermost, ops_.merged(at) ? around : Child(around, at)};
    }
    return calls_[call].frame;
  }

  // `frame` is that of `call` (kNoRow: of none); below it the modules from the outermost to `module` that began after it.
  uint32_t WithModules(uint32_t frame, uint32_t call, uint32_t module) {
    return Modules(frame, module, [&](uint32_t one) {
      return call == kNoRow || (host_.thread[one] == host_.thread[call] && host_.start_ns[one] > host_.start_ns[call]);
    });
  }

  // Backward work: the ranges around its op, the modules of the forward op, the op with the ops around it.
  uint32_t FrameOfBackward(uint32_t outermost, uint32_t call, uint32_t forward) {
    std::vector<uint32_t> inside;
    uint32_t range = kNoRow;
    for (const uint32_t event : EnclosingEvents(host_, call)) inside.push_back(event);
    while (!inside.empty() && host_.kind[inside.back()] == HostKind::kRange) {
      range = inside.back();
      inside.pop_back();
    }
    uint32_t frame = range == kNoRow ? outermost : FrameOf(outermost, range);
    frame = Modules(frame, modules_.At(forward), [](uint32_t /*module*/) { return true; });
    const uint32_t first = inside.empty() ? kNoRow : inside.back();
    for (size_t i = inside.size(); i-- > 0;) {
      if (inside[i] == first || !ops_.merged(inside[i])) frame = Child(frame, inside[i]);
    }
    return frame;
  }

  // Work of a replay: below what stands around the replay, what stood around its launch in the capture, steps apart.
  uint32_t FrameOfCapture(uint32_t outermost, uint32_t call) {
    const auto [known, added] = captures_.try_emplace(uint64_t{outermost} << 32 | call, kNoRow);
    if (!added) return known->second;
    std::vector<uint32_t> path;
    for (const uint32_t event : EnclosingEvents(host_, call)) {
      if (!IsProfilerStep(trace_.Text(host_.name[event])) && !ops_.merged(event)) path.push_back(event);
    }
    uint32_t frame = outermost;
    uint32_t before = kNoRow;
    for (size_t i = path.size(); i-- > 0; before = path[i]) {
      frame = WithModules(frame, before, modules_.At(path[i]));
      frame = Child(frame, path[i]);
    }
    known->second = frame;
    return frame;
  }

  // The innermost module open where the call begins; kNoRow when there is none.
  uint32_t ModuleAt(uint32_t call) const { return modules_.At(call); }

 private:
  // In a damaged file all events may lie in one another: calls that lie too deep are taken for the one around them that does
  // not.
  void FindDeepCalls() {
    std::vector<uint16_t> depths(host_.size(), 0);
    for (uint32_t row = 0; row < host_.size(); ++row) {
      const uint32_t parent = host_.parent[row];
      if (parent == kNoRow || parent > row || IsFrame(host_.kind[row])) continue;
      depths[row] = static_cast<uint16_t>(std::min<uint32_t>(depths[parent] + 1u, kMostDepth + 1));
      if (depths[row] <= kMostDepth) continue;
      if (stands_for_.empty()) {
        stands_for_.resize(host_.size());
        std::iota(stands_for_.begin(), stands_for_.end(), 0);
      }
      stands_for_[row] = stands_for_[parent];
    }
  }

  struct Made {
    uint32_t base = kNoRow - 1;  // none
    uint32_t frame = kNoRow;
  };

  uint32_t Child(uint32_t frame, uint32_t call) { return Child(frame, names_.OfHost(call), HostFlameKind(trace_, call)); }
  uint32_t Child(uint32_t frame, uint32_t name, FlameKind kind) {
    return frame != kNoRow && tree_.depth(frame) >= kMostDepth ? frame : tree_.Child(frame, name, kind);
  }

  template <typename Wanted>
  uint32_t Modules(uint32_t frame, uint32_t module, const Wanted& wanted) {
    const uint32_t base = frame;
    for (; module != kNoRow && wanted(module) && chain_.size() < kMostDepth; module = modules_.Around(module)) {
      // Neighbours mostly stand in the same modules of the same frame.
      if (module_paths_[module].base == base) {
        frame = module_paths_[module].frame;
        break;
      }
      chain_.push_back(module);
    }
    while (!chain_.empty()) {
      const uint32_t one = chain_.back();
      chain_.pop_back();
      frame = Child(frame, names_.Of(host_.name[one]), FlameKind::kModule);
      module_paths_[one] = {base, frame};
    }
    return frame;
  }

  const Trace& trace_;
  const HostEvents& host_;
  FlameTree& tree_;
  FlameNames names_;
  const OpTree ops_;  // which calls are one with that around them, as in `ops`
  const OpenModules modules_;
  std::vector<Made> calls_;           // by call: its path below the outermost frame that was asked for last
  std::vector<Made> module_paths_;    // by frame: the last path that led to it
  std::vector<uint32_t> stands_for_;  // by call; empty where none lies too deep
  std::unordered_map<uint64_t, uint32_t> captures_;
  std::vector<uint32_t> path_;
  std::vector<uint32_t> chain_;
};

class GpuFolder {
 public:
  GpuFolder(Analysis& analysis, const Attribution& attribution, FlameTree& tree)
      : trace_(analysis.trace()),
        attribution_(attribution),
        selection_(analysis.selection()),
        tree_(tree),
        names_(trace_, tree),
        own_(trace_, tree) {
    const bool other = attribution.capture != nullptr && attribution.capture != &trace_;
    if (other) reference_.emplace(*attribution.capture, tree);
  }

  void Fold(bool split) {
    const GpuWork& gpu = trace_.gpu();
    if (!split) {
      for (uint32_t row = 0; row < gpu.size(); ++row) AddRow(row, kNoRow);
      return;
    }
    std::vector<std::vector<uint32_t>> rows(trace_.streams().size());
    for (uint32_t row = 0; row < gpu.size(); ++row) rows[gpu.stream[row]].push_back(row);
    for (size_t stream = 0; stream < rows.size(); ++stream) {
      const bool wanted = !selection_.device || trace_.streams()[stream].device == *selection_.device;
      if (rows[stream].empty() || !wanted) continue;
      const uint32_t outermost = StreamFrame(trace_.streams()[stream]);
      for (const uint32_t row : rows[stream]) AddRow(row, outermost);
    }
  }

 private:
  uint32_t StreamFrame(const Stream& stream) {
    const Device* const device = trace_.FindDevice(stream.device);
    std::string name = "GPU " + std::to_string(stream.device);
    if (device != nullptr && !device->name.empty()) name += ": " + device->name;
    const uint32_t frame = tree_.Child(kNoRow, tree_.OwnName(std::move(name)), FlameKind::kDevice);
    return tree_.Child(frame, tree_.OwnName("stream " + stream.label), FlameKind::kStream);
  }

  void AddRow(uint32_t row, uint32_t outermost) {
    const GpuWork& gpu = trace_.gpu();
    if (selection_.device && trace_.device_of(row) != *selection_.device) return;
    const Interval whole{gpu.start_ns[row], gpu.end_ns[row]};
    const Ns time_ns = (selection_.range ? Intersect(whole, *selection_.range) : whole).duration();
    const bool starts = !selection_.range || selection_.range->Contains(whole.start);
    if (time_ns == 0 && !starts) return;
    constexpr FlameKind kKinds[] = {FlameKind::kKernel, FlameKind::kMemcpy, FlameKind::kMemset};
    const uint32_t frame =
        tree_.Child(PathOf(row, outermost), names_.Of(gpu.name[row]), kKinds[static_cast<size_t>(gpu.kind[row])]);
    tree_.Add(frame, time_ns, starts ? 1 : 0);
  }

  uint32_t PathOf(uint32_t row, uint32_t outermost) {
    const uint32_t op = trace_.gpu().op[row];
    const uint32_t module = attribution_.module[row];
    if (attribution_.captured[row] != 0) {
      LaunchPaths& capture = reference_ ? *reference_ : own_;
      const uint32_t around = op == kNoRow ? outermost : own_.FrameOf(outermost, op);
      const uint32_t captured = attribution_.op[row];
      if (captured == kNoRow) return capture.WithModules(around, kNoRow, module);
      return capture.WithModules(capture.FrameOfCapture(around, captured), captured, module);
    }
    if (op == kNoRow) return own_.WithModules(outermost, kNoRow, module);
    const uint32_t forward = attribution_.forward_op[row];
    if (module == kNoRow && forward != kNoRow && own_.ModuleAt(forward) != kNoRow)
      return own_.FrameOfBackward(outermost, op, forward);
    return own_.WithModules(own_.FrameOf(outermost, op), op, module);
  }

  const Trace& trace_;
  const Attribution& attribution_;
  const Selection& selection_;
  FlameTree& tree_;
  FlameNames names_;
  LaunchPaths own_;
  std::optional<LaunchPaths> reference_;
};

}  // namespace

Status FoldGpuTime(Analysis& analysis, bool split, FlameTree& tree) {
  const Result<Attribution>& attribution = analysis.Get<AttributionPass>();
  if (!attribution.ok()) return attribution.status();
  GpuFolder(analysis, *attribution, tree).Fold(split);
  return OkStatus();
}

}  // namespace warpsight
