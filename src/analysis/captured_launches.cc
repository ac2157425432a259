#include "analysis/captured_launches.h"

#include "analysis/api_calls.h"
#include "analysis/work_kind.h"

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

}  // namespace

CapturedLaunches::CapturedLaunches(const Trace& trace) : trace_(trace) {
  const HostEvents& host = trace.host();
  const ApiCallKinds calls(trace);
  for (const Thread& thread : trace.threads()) {
    bool capturing = false;
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      const ApiCallKind kind = calls.kind(row);
      if (kind == ApiCallKind::kCapture) {
        capturing = trace.Text(host.name[row]).find("BeginCapture") != std::string_view::npos;
        if (capturing) captures_.emplace_back();
      } else if (capturing && kind != ApiCallKind::kGraphLaunch && GivesGpuWork(kind)) {
        captures_.back().push_back(row);
      }
    }
  }
}

std::span<const uint32_t> CapturedLaunches::Fit(std::span<const std::string_view> kernels) const {
  for (const std::vector<uint32_t>& launches : captures_) {
    if (launches.size() == kernels.size() && Agrees(launches, kernels)) return launches;
  }
  return {};
}

bool CapturedLaunches::Agrees(const std::vector<uint32_t>& launches, std::span<const std::string_view> kernels) const {
  const HostEvents& host = trace_.host();
  int64_t compared = 0;
  int64_t agreed = 0;
  for (size_t i = 0; i < launches.size(); ++i) {
    const WorkKind kernel = WorkKinds::Embedded().OfKernel(kernels[i]).kind;
    if (!Comparable(kernel)) continue;
    WorkKind op = WorkKind::kNone;
    for (uint32_t event = launches[i]; event != kNoRow; event = host.parent[event]) {
      if (host.kind[event] != HostKind::kOp) continue;
      const WorkKind kind = WorkKinds::Embedded().OfOp(trace_.Text(host.name[event]));
      if (RankOf(kind) > RankOf(op)) op = kind;
    }
    if (!Comparable(op)) continue;
    ++compared;
    agreed += ClassOf(op) == ClassOf(kernel) ? 1 : 0;
  }
  return agreed * 100 >= compared * kAgreement;
}

}  // namespace warpsight
