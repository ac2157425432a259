#include "analysis/stats/ranges_document.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr std::string_view kOutsideOfRanges = "(outside of ranges)";

double ShareOfWork(const RangesResult& ranges, Ns gpu_ns) {
  return ranges.gpu_work_ns > 0 ? static_cast<double>(gpu_ns) / static_cast<double>(ranges.gpu_work_ns) : 0;
}

// Programs nest some ten ranges. Deeper ones are shown by the innermost names: the paths of a nest of thousands are
// together as large as the square of it.
constexpr size_t kMostPathNames = 16;
constexpr size_t kMostPathBytes = 4096;
constexpr int kDeepestIndent = 24;
// A name may be used by any number of ranges, however long it is.
constexpr size_t kMostNameBytes = 4096;

std::string ShownName(std::string_view name) {
  if (name.size() <= kMostNameBytes) return std::string(name);
  size_t end = kMostNameBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not inside of a character
  return std::string(name.substr(0, end)) + "...";
}

// The innermost names of the path, outermost first.
std::vector<std::string> PathOf(const RangesResult& ranges, uint32_t row) {
  std::vector<std::string> names;
  size_t bytes = 0;
  for (uint32_t at = row; at != kNoRow && names.size() < kMostPathNames; at = ranges.rows[at].parent) {
    bytes += ranges.rows[at].name.size();
    if (bytes > kMostPathBytes && !names.empty()) break;
    names.push_back(ShownName(ranges.rows[at].name));
  }
  std::reverse(names.begin(), names.end());
  return names;
}

nlohmann::ordered_json JsonRow(const RangesResult& ranges, uint32_t at) {
  const RangeRow& row = ranges.rows[at];
  const std::vector<std::string> path = row.name.empty() ? std::vector<std::string>() : PathOf(ranges, at);
  const auto names = row.name.empty() ? int64_t{0} : int64_t{row.depth} + 1;
  return {{"range", TextOrNull(ShownName(row.name))},
          {"path", path},
          {"path_names_left_out", names - static_cast<int64_t>(path.size())},
          {"parent", row.parent == kNoRow ? nlohmann::ordered_json() : nlohmann::ordered_json(row.parent)},
          {"domain", TextOrNull(ShownName(row.domain))},
          {"depth", row.depth},
          {"style", row.start_end ? "start_end" : "push_pop"},
          {"instances", row.instances},
          {"host_ns", row.host_ns},
          {"self_work", row.self_work},
          {"work", row.work},
          {"self_gpu_ns", row.self_gpu_ns},
          {"gpu_ns", row.gpu_ns},
          {"gpu_share", ShareOfWork(ranges, row.gpu_ns)},
          {"projected_ns", row.projected_ns}};
}

// What stands in the name column: indented by depth, with the domain.
std::string ShownRange(const RangeRow& row) {
  if (row.name.empty()) return std::string(kOutsideOfRanges);
  std::string text(static_cast<size_t>(std::min(row.depth, kDeepestIndent)) * 2, ' ');
  if (row.depth > kDeepestIndent) text += "(" + std::to_string(row.depth) + " deep) ";
  if (!row.domain.empty()) text += ShownName(row.domain) + ":";
  text += ShownName(row.name);
  return row.start_end ? text + " (start/end)" : text;
}

}  // namespace

Document MakeRangesDocument(const RangesResult& ranges, int64_t limit) {
  Document document;
  document.verb = "kernels";
  document.data["by"] = "range";
  document.data["rows"] = nlohmann::ordered_json::array();
  Table table;
  table.columns = {NameColumn("range", "Range"),
                   CountColumn("instances", "Instances"),
                   Hideable(DurationColumn("host_ns", "Host time")),
                   CountColumn("work", "GPU ops"),
                   DurationColumn("self_gpu_ns", "GPU self"),
                   DurationColumn("gpu_ns", "GPU total"),
                   ShareColumn("gpu_share", "GPU share"),
                   DurationColumn("projected_ns", "Projected")};
  size_t left_out = 0;
  for (uint32_t at = 0; at < ranges.rows.size(); ++at) {
    const RangeRow& row = ranges.rows[at];
    const bool wanted = limit == 0 || document.data["rows"].size() < static_cast<size_t>(limit);
    if (wanted) {
      document.data["rows"].push_back(JsonRow(ranges, at));
    }
    if (row.work == 0) continue;
    if (!wanted) {
      ++left_out;
      continue;
    }
    table.rows.push_back({ShownRange(row), row.instances, row.host_ns, row.work, row.self_gpu_ns, row.gpu_ns,
                          ShareOfWork(ranges, row.gpu_ns), row.name.empty() ? Cell() : Cell(row.projected_ns)});
  }
  document.data["gpu_work_ns"] = ranges.gpu_work_ns;
  if (left_out > 0)
    table.footnote = FormatCount(static_cast<int64_t>(left_out)) + " more ranges that launch GPU work: --limit 0 shows all.";
  document.blocks.push_back(KeyValues{{{"GPU work, summed over streams", FormatDuration(ranges.gpu_work_ns)}}});
  document.blocks.push_back(std::move(table));
  return document;
}

}  // namespace warpsight
