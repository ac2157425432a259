#include "analysis/captured_launches.h"

#include "analysis/api_calls.h"

namespace warpsight {
namespace {

// Of a hundred pairs that can be compared.
constexpr int kAgreement = 80;

// Products are one class, whatever they are called.
WorkKind ClassOf(WorkKind kind) { return RankOf(kind) == 2 || RankOf(kind) == 3 ? WorkKind::kGemm : kind; }

bool Comparable(WorkKind kind) {
  return ClassOf(kind) == WorkKind::kGemm || kind == WorkKind::kAttention || kind == WorkKind::kNorm ||
         kind == WorkKind::kEmbedding;
}

// What the ops around a launch say, each name read once.
class OpKinds {
 public:
  explicit OpKinds(const Trace& trace) : trace_(trace), known_(trace.strings().size()) {}

  // The highest in rank of those around the launch.
  WorkKind Around(uint32_t launch) {
    const HostEvents& host = trace_.host();
    WorkKind highest = WorkKind::kNone;
    for (uint32_t event = launch; event != kNoRow; event = host.parent[event]) {
      if (host.kind[event] != HostKind::kOp) continue;
      std::optional<WorkKind>& kind = known_[static_cast<uint32_t>(host.name[event])];
      if (!kind) kind = WorkKinds::Embedded().OfOp(trace_.Text(host.name[event]));
      if (RankOf(*kind) > RankOf(highest)) highest = *kind;
    }
    return highest;
  }

 private:
  const Trace& trace_;
  std::vector<std::optional<WorkKind>> known_;  // by StringId
};

}  // namespace

CapturedLaunches::CapturedLaunches(const Trace& trace) : trace_(trace) {
  const HostEvents& host = trace.host();
  const ApiCallKinds calls(trace);
  OpKinds ops(trace);
  for (const Thread& thread : trace.threads()) {
    bool capturing = false;
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      const ApiCallKind kind = calls.kind(row);
      if (kind == ApiCallKind::kCapture) {
        capturing = trace.Text(host.name[row]).find("BeginCapture") != std::string_view::npos;
        if (capturing) captures_.emplace_back();
      } else if (capturing && kind != ApiCallKind::kGraphLaunch && GivesGpuWork(kind)) {
        captures_.back().launches.push_back(row);
        captures_.back().ops.push_back(ops.Around(row));
      }
    }
  }
}

std::span<const uint32_t> CapturedLaunches::Fit(std::span<const WorkKind> kernels) const {
  for (const Capture& capture : captures_) {
    if (capture.launches.size() == kernels.size() && Agrees(capture, kernels)) return capture.launches;
  }
  return {};
}

bool CapturedLaunches::Agrees(const Capture& capture, std::span<const WorkKind> kernels) {
  int64_t compared = 0;
  int64_t agreed = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!Comparable(kernels[i]) || !Comparable(capture.ops[i])) continue;
    ++compared;
    agreed += ClassOf(capture.ops[i]) == ClassOf(kernels[i]) ? 1 : 0;
  }
  return agreed * 100 >= compared * kAgreement;
}

}  // namespace warpsight
