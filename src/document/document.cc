#include "document/document.h"

#include <fmt/format.h>

namespace warpsight {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kHigh:
      return "high";
    case Severity::kMedium:
      return "medium";
    case Severity::kLow:
      return "low";
    case Severity::kInfo:
      return "info";
  }
  CHECK(false);
}

bool IsPageOnly(const Block& block) {
  return std::holds_alternative<RecordBlock>(block) || std::holds_alternative<BarChart>(block) ||
         std::holds_alternative<TimelineStrip>(block) || std::holds_alternative<Scatter>(block) ||
         std::holds_alternative<ShareChart>(block) || std::holds_alternative<FlowChart>(block);
}

Result<const Table*> OnlyTable(const Document& document) {
  const Table* only = nullptr;
  int tables = 0;
  for (const Block& block : document.blocks) {
    if (const auto* table = std::get_if<Table>(&block)) {
      only = table;
      ++tables;
    }
  }
  if (tables != 1) {
    return UsageError(fmt::format("{}: CSV needs a result of exactly one table, this one has {}; use --json", document.verb,
                                  tables == 0 ? "none" : fmt::format("{}", tables)));
  }
  return only;
}

}  // namespace warpsight
