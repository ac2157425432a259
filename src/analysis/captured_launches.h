// CapturedLaunches: the launches that built CUDA graphs, when a recording holds the capture of a stream. They ran nothing
// then; a replay runs one kernel for each of them, in their order, so the k-th kernel of a replay was launched by the k-th
// of them and has its op, module and shapes.
//
// A capture fits a replay when it has as many launches as the replay has kernels, and when, wherever op and kernel both say
// what they are, they say the same (kAgreement of them). What an op is is told once a captured launch, however often its
// graph is replayed.
// Place in the flow: host events of this recording or of the reference -> attribution. Thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/work_kind.h"
#include "trace/trace.h"

namespace warpsight {

class CapturedLaunches {
 public:
  explicit CapturedLaunches(const Trace& trace);

  bool empty() const { return captures_.empty(); }
  const Trace& trace() const { return trace_; }
  // The launches behind the kernels of a replay, host rows of trace(); empty when no capture fits. `kernels` is what
  // the kernels are by their names.
  std::span<const uint32_t> Fit(std::span<const WorkKind> kernels) const;

 private:
  struct Capture {
    std::vector<uint32_t> launches;
    std::vector<WorkKind> ops;  // what the ops around each launch are
  };
  static bool Agrees(const Capture& capture, std::span<const WorkKind> kernels);
  // Fills the kinds of ops, and the captures by their number of launches.
  void Index();

  const Trace& trace_;
  std::vector<Capture> captures_;
  std::unordered_map<size_t, std::vector<size_t>> by_size_;
};

}  // namespace warpsight
