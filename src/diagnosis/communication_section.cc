#include "diagnosis/communication_section.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "analysis/collectives_document.h"
#include "analysis/ranks_document.h"
#include "base/parallel.h"
#include "diagnosis/verdict.h"

namespace warpsight {
namespace {

constexpr int64_t kRows = 10;  // of the collective table in text

void Append(Document part, std::string heading, Document& report) {
  report.blocks.push_back(Heading{std::move(heading)});
  for (Block& block : part.blocks) report.blocks.push_back(std::move(block));
}

void AddRanks(Analysis& analysis, Document& report) {
  if (analysis.given().ranks == nullptr) return;
  const Result<RanksResult>& ranks = analysis.Get<RanksPass>();
  report.data["ranks"] = nullptr;
  if (!ranks.ok()) return;
  // Each rank's Analysis on one thread at a time.
  std::vector<std::string> verdicts(ranks->rows.size());
  std::atomic<size_t> next = 0;
  RunOnThreads(std::min(WorkerCount(0), static_cast<int>(verdicts.size())), [&](int) {
    for (size_t i = next++; i < verdicts.size(); i = next++) verdicts[i] = Verdict(*ranks->rows[i].analysis);
  });
  Document part = MakeRanksDocument(*ranks, verdicts);
  report.data["ranks"] = part.data;
  Append(std::move(part), "Ranks", report);
}

}  // namespace

void AddCommunication(Analysis& analysis, Document& report) {
  AddRanks(analysis, report);
  const Result<CollectivesResult>& collectives = analysis.Get<CollectivesPass>();
  report.data["collectives"] = nullptr;
  if (!collectives.ok()) return;
  Document part = MakeCollectivesDocument(*collectives, {kRows, analysis.given().ranks != nullptr});
  report.data["collectives"] = part.data;
  if (!collectives->rows.empty()) Append(std::move(part), "Collectives", report);
}

}  // namespace warpsight
