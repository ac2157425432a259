#include "analysis/captured_launches.h"

#include "analysis/api_calls.h"
#include "analysis/enclosing_events.h"

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
        captures_.back().launches.push_back(row);
      }
    }
  }
  Index();
}

void CapturedLaunches::Index() {
  const HostEvents& host = trace_.host();
  std::unordered_map<StringId, WorkKind> kind_of_name;
  for (size_t i = 0; i < captures_.size(); ++i) {
    Capture& capture = captures_[i];
    by_size_[capture.launches.size()].push_back(i);
    for (const uint32_t launch : capture.launches) {
      WorkKind op = WorkKind::kNone;
      for (const uint32_t event : EnclosingEvents(host, launch)) {
        if (host.kind[event] != HostKind::kOp) continue;
        const auto [kind, added] = kind_of_name.try_emplace(host.name[event], WorkKind::kNone);
        if (added) kind->second = WorkKinds::Embedded().OfOp(trace_.Text(host.name[event]));
        if (RankOf(kind->second) > RankOf(op)) op = kind->second;
      }
      capture.ops.push_back(op);
    }
  }
}

std::span<const uint32_t> CapturedLaunches::Fit(std::span<const WorkKind> kernels) const {
  const auto alike = by_size_.find(kernels.size());
  if (alike == by_size_.end()) return {};
  for (const size_t i : alike->second) {
    if (Agrees(captures_[i], kernels)) return captures_[i].launches;
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
