#include <utility>

#include "base/check.h"
#include "base/parallel.h"
#include "trace/sealer.h"

namespace warpsight {

Sealer::Sealer(TraceHeader header, std::vector<TraceShard> shards, const SealOptions& options)
    : header_(std::move(header)), shards_(std::move(shards)), options_(options) {}

Trace Sealer::Run() {
  for (TraceShard& shard : shards_) trace_.log_.Merge(shard.log);
  MergeNames();
  JoinDurationEnds();
  ExcludeZeroTimes();
  RunOnThreads(options_.threads > 1 ? 2 : 1, [this](int worker) {
    if (worker == 0) SealHost();
    if (worker == 1 || options_.threads <= 1) {
      SealGpu();
      SealGpuSpans();
      RemapPoints();
      SealCounters();
      SealSamples();
      SealThreadSwitches();
      SealGraphNodes();
    }
  });
  shards_.clear();
  CollectDevices();
  NestOverhead();
  Correlate();
  trace_.recording_ = std::move(header_.recording);
  const ImportLog& log = trace_.log_;
  CHECK(log.read() == log.kept() + log.repaired() + log.excluded());
  return std::move(trace_);
}

Trace Seal(TraceHeader header, std::vector<TraceShard> shards, const SealOptions& options) {
  return Sealer(std::move(header), std::move(shards), options).Run();
}

}  // namespace warpsight
