#include "diagnosis/communication_section.h"

#include <string>
#include <utility>

#include "analysis/collectives_document.h"

namespace warpsight {
namespace {

constexpr int64_t kRows = 10;  // of the collective table in text

void Append(Document part, std::string heading, Document& report) {
  report.blocks.push_back(Heading{std::move(heading)});
  for (Block& block : part.blocks) report.blocks.push_back(std::move(block));
}

}  // namespace

void AddCommunication(Analysis& analysis, Document& report) {
  const Result<CollectivesResult>& collectives = analysis.Get<CollectivesPass>();
  report.data["collectives"] = nullptr;
  if (!collectives.ok()) return;
  Document part = MakeCollectivesDocument(*collectives, {kRows});
  report.data["collectives"] = part.data;
  if (!collectives->rows.empty()) Append(std::move(part), "Collectives", report);
}

}  // namespace warpsight
