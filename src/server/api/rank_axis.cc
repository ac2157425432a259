#include "server/api/rank_axis.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/file_roles.h"
#include "analysis/ranks_document.h"
#include "analysis/ranks_pass.h"
#include "base/process_memory.h"

namespace warpsight::server {
namespace {

Json Document(std::string_view status, const std::string& reason) {
  return {{"schema", "warpsight.ranks/1"},
          {"status", status},
          {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
          {"clocks", nullptr},
          {"world_size", nullptr},
          {"ranks", Json::array()},
          {"comparison", nullptr}};
}

struct ReadyTrace {
  size_t number = 0;
  const Trace* trace = nullptr;
};

std::vector<ReadyTrace> ReadyTraces(const TraceStore& store) {
  std::vector<ReadyTrace> ready;
  for (size_t number = 0; number < store.size(); ++number) {
    TraceStore::ReadStatus status{};
    std::string error;
    if (const TraceView* view = store.Find(number, status, error); view != nullptr)
      ready.push_back({number, &view->trace()});
  }
  return ready;
}

// What is to be added to a time of the rank to have it on the clock of the first.
Ns ShiftOf(const RankRow& row, const RankRow& main) {
  if (!row.clock) return 0;
  const Ns base =
      SaturatingSubtract(row.analysis->trace().recording().clock_base_ns, main.analysis->trace().recording().clock_base_ns);
  return SaturatingSubtract(base, row.clock->offset_ns);
}

Json RankJson(const RankRow& row, const RanksResult& ranks, size_t number) {
  const bool aligned = ranks.clocks_comparable;
  const std::optional<ClockOffset>& clock = row.clock;
  return {{"trace", number},
          {"rank", row.rank},
          {"device", row.steps ? Json(row.steps->device) : Json(nullptr)},
          {"shift_ns", aligned ? Json(ShiftOf(row, ranks.rows[ranks.main])) : Json(nullptr)},
          {"error_ns", clock     ? Json(clock->error_ns)
                       : aligned ? Json(0)
                                 : Json(nullptr)},
          {"collectives", clock ? Json(clock->collectives) : Json(nullptr)},
          {"problem", clock && !clock->usable() ? Json(clock->problem) : Json(nullptr)}};
}

Json WorkOut(const TraceStore& store) {
  const std::vector<ReadyTrace> ready = ReadyTraces(store);
  if (ready.size() < 2) return Document("single", "fewer than two recordings are open");
  std::vector<const Trace*> traces;
  traces.reserve(ready.size());
  for (const ReadyTrace& one : ready) traces.push_back(one.trace);
  const FileRoles roles = ClassifyFiles(traces);
  if (roles.role != FilesRole::kRanks) {
    return Document("not_ranks", roles.role == FilesRole::kReference
                                     ? "the second recording is an eager reference of the first, not another rank"
                                     : roles.problem);
  }
  RankSet set;
  set.ranks_recorded = roles.ranks_recorded;
  Given given;
  given.ranks = &set;
  std::vector<std::unique_ptr<Analysis>> analyses;
  for (size_t i = 0; i < traces.size(); ++i) {
    analyses.push_back(std::make_unique<Analysis>(*traces[i], Selection{}, given));
    set.members.push_back({roles.ranks[i], analyses.back().get()});
  }
  const Result<RanksResult>& ranks = analyses.front()->Get<RanksPass>();
  if (!ranks.ok()) return Document("not_ranks", ranks.status().message());
  Json answer =
      Document(ranks->clocks_comparable ? "aligned" : "unaligned", ranks->clocks_comparable ? std::string() : ranks->clocks);
  answer["clocks"] = ranks->clocks;
  if (ranks->world_size) answer["world_size"] = *ranks->world_size;
  for (const RankRow& row : ranks->rows) {
    for (size_t i = 0; i < analyses.size(); ++i) {
      if (analyses[i].get() == row.analysis) answer["ranks"].push_back(RankJson(row, *ranks, ready[i].number));
    }
  }
  answer["comparison"] = MakeRanksDocument(*ranks, {}).data;
  return answer;
}

}  // namespace

Json RankAxis::Answer() {
  if (!traces_.done()) return Document("reading", "recordings are still being read");
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!known_) {
    known_ = WorkOut(traces_);
    ReturnFreeMemory();
  }
  return *known_;
}

}  // namespace warpsight::server
