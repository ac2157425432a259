#include "export/perfetto/host_arrows.h"

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "export/perfetto/packet_writer.h"
#include "trace/run_sort.h"

namespace warpsight::perfetto {
namespace {

// "PyTorch: asynchronous CPU to GPU", which nearly all arrows are.
constexpr std::string_view kLaunchCategory = "ac2g";

}  // namespace

HostArrows::HostArrows(const Trace& trace, const RowWindow& window) {
  // Ids are told apart by category, in the order in which categories are met: their own ids depend on the import's threads.
  std::map<StringId, uint64_t> categories;
  const StringId launches = trace.strings().Find(kLaunchCategory);  // kEmpty when there are none
  std::unordered_set<uint64_t> to_gpu;
  for (const std::vector<FlowRow>& segment : trace.flows()) {
    for (const FlowRow& flow : segment) {
      if (flow.category == launches && launches != StringId::kEmpty) continue;
      const uint64_t category = categories.try_emplace(flow.category, categories.size() + 1).first->second;
      const uint64_t id = category << 33U | flow.id;
      const Thread& thread = trace.threads()[flow.thread];
      // What looks like a thread and has no events is a stream.
      if (thread.first_call == thread.first_frame) to_gpu.insert(id);
      if (window.TakesPoint(flow.time_ns)) ends_.push_back({flow.thread, flow.time_ns, id});
    }
  }
  std::erase_if(ends_, [&](const End& end) { return to_gpu.contains(end.id); });
  // Recorders write them in a few runs.
  RunSort(ends_, [](const End& a, const End& b) { return std::tie(a.thread, a.time) < std::tie(b.thread, b.time); });
}

std::span<const uint64_t> HostArrows::Take(ThreadIndex thread, Ns start) {
  const auto place = std::tie(thread, start);
  while (next_ < ends_.size() && std::tie(ends_[next_].thread, ends_[next_].time) < place) ++next_;
  ids_.clear();
  while (next_ < ends_.size() && std::tie(ends_[next_].thread, ends_[next_].time) == place) {
    ids_.push_back(ends_[next_++].id);
    ++taken_;
  }
  // An event has no more flows than its packet has room for.
  const size_t most = PacketWriter::kMostFlows / 2;
  if (ids_.size() > most) {
    taken_ -= static_cast<int64_t>(ids_.size() - most);
    ids_.resize(most);
  }
  return ids_;
}

}  // namespace warpsight::perfetto
