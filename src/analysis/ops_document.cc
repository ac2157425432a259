#include "analysis/ops_document.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using RowPointers = std::vector<const KeyAverageRow*>;

std::optional<int64_t> SortValue(const KeyAverageRow& row, OpsSort sort) {
  switch (sort) {
    case OpsSort::kSelfGpu:
      return row.self_gpu_ns;
    case OpsSort::kGpu:
      return row.gpu_ns;
    case OpsSort::kSelfCpu:
      return row.self_cpu_ns;
    case OpsSort::kCpu:
      return row.cpu_ns;
    case OpsSort::kCount:
      return row.calls;
  }
  return std::nullopt;
}

// Annotations last; then largest first, rows without the value after all that have it; then by what tells rows apart.
RowPointers Sorted(const KeyAverages& averages, const OpsDocumentOptions& options) {
  RowPointers rows;
  rows.reserve(averages.rows.size());
  for (const KeyAverageRow& row : averages.rows) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [&](const KeyAverageRow* a, const KeyAverageRow* b) {
    const bool a_annotation = a->kind == KeyAverageKind::kAnnotation;
    const bool b_annotation = b->kind == KeyAverageKind::kAnnotation;
    if (a_annotation != b_annotation) return b_annotation;
    const std::optional<int64_t> a_value = SortValue(*a, options.sort);
    const std::optional<int64_t> b_value = SortValue(*b, options.sort);
    if (a_value != b_value) return b_value < a_value;
    return std::tie(a->name, a->kind, a->shapes, a->frames) < std::tie(b->name, b->kind, b->shapes, b->frames);
  });
  if (options.limit > 0 && rows.size() > static_cast<size_t>(options.limit)) rows.resize(static_cast<size_t>(options.limit));
  return rows;
}

nlohmann::ordered_json RowData(const KeyAverageRow& row, const KeyAverages& averages) {
  nlohmann::ordered_json data;
  data["name"] = row.name;
  data["kind"] = KeyAverageKindName(row.kind);
  data["calls"] = row.calls;
  data["self_cpu_ns"] = OrNull(row.self_cpu_ns);
  data["cpu_ns"] = OrNull(row.cpu_ns);
  data["self_gpu_ns"] = OrNull(row.self_gpu_ns);
  data["gpu_ns"] = OrNull(row.gpu_ns);
  data["shapes"] = TextOrNull(row.shapes);
  if (row.kind == KeyAverageKind::kAnnotation) data["gpu_projection_ns"] = OrNull(row.gpu_projection_ns);
  if (averages.by_stack && !IsGpu(row.kind)) data["stack"] = row.frames;
  return data;
}

std::string StackText(const KeyAverageRow& row) {
  std::string text;
  for (const std::string_view frame : row.frames) {
    if (!text.empty()) text += " <- ";
    text += frame;
  }
  return text;
}

Row TableRow(const KeyAverageRow& row, const KeyAverages& averages, bool full_names) {
  Row cells;
  const bool shorten = row.kind == KeyAverageKind::kKernel && !full_names;
  cells.emplace_back(shorten ? ShortKernelName(row.name) : std::string(row.name));
  cells.emplace_back(std::string(KeyAverageKindName(row.kind)));
  cells.emplace_back(row.calls);
  cells.push_back(OrAbsent(row.self_cpu_ns));
  cells.push_back(OrAbsent(row.cpu_ns));
  cells.push_back(OrAbsent(row.self_gpu_ns));
  cells.push_back(OrAbsent(row.gpu_ns));
  const bool has_share =
      row.kind != KeyAverageKind::kAnnotation && row.self_gpu_ns && averages.total_self_gpu_ns.value_or(0) > 0;
  cells.push_back(has_share ? Cell(static_cast<double>(*row.self_gpu_ns) / static_cast<double>(*averages.total_self_gpu_ns))
                            : Cell());
  cells.push_back(OrAbsent(row.gpu_projection_ns));
  if (averages.by_shape) cells.push_back(row.shapes.empty() ? Cell() : Cell(std::string(row.shapes)));
  if (averages.by_stack) cells.push_back(row.frames.empty() ? Cell() : Cell(StackText(row)));
  return cells;
}

// "72 more rows: <where>"; empty when `shown` are all.
std::string CutNote(const KeyAverages& averages, size_t shown, std::string_view where) {
  if (shown >= averages.rows.size()) return "";
  return FormatCount(static_cast<int64_t>(averages.rows.size() - shown)) + " more rows: " + std::string(where);
}

Table MakeTable(const RowPointers& rows, const KeyAverages& averages, const OpsDocumentOptions& options) {
  Table table;
  table.columns = {NameColumn("name", "Name"),
                   TextColumn("kind", "Kind"),
                   CountColumn("calls", "Calls"),
                   DurationColumn("self_cpu_ns", "CPU self"),
                   Hideable(DurationColumn("cpu_ns", "CPU total")),
                   DurationColumn("self_gpu_ns", "GPU self"),
                   Hideable(DurationColumn("gpu_ns", "GPU total")),
                   ShareColumn("self_gpu_share", "GPU share"),
                   Hideable(DurationColumn("gpu_projection_ns", "GPU span"))};
  if (averages.by_shape) table.columns.push_back(NameColumn("shapes", "Shapes"));
  if (averages.by_stack) table.columns.push_back(NameColumn("stack", "Stack"));
  for (const KeyAverageRow* row : rows) table.rows.push_back(TableRow(*row, averages, options.full_names));
  table.footnote = CutNote(averages, rows.size(), "--limit 0 shows all.");
  return table;
}

// More rows than the text form shows.
Table MakePageTable(size_t text_rows, const KeyAverages& averages, OpsDocumentOptions options) {
  options.limit = options.page_rows;
  const RowPointers rows = Sorted(averages, options);
  Table table = MakeTable(rows, averages, options);
  table.text_cut = TextCut{text_rows, CutNote(averages, text_rows, "--limit 0 shows all.")};
  table.footnote = CutNote(averages, rows.size(), "warpsight ops FILE --csv has all.");
  return table;
}

bool HasOps(const KeyAverages& averages) {
  return std::any_of(averages.rows.begin(), averages.rows.end(),
                     [](const KeyAverageRow& row) { return row.kind == KeyAverageKind::kOp; });
}

}  // namespace

std::optional<OpsSort> ParseOpsSort(std::string_view word) {
  if (word == "self-gpu") return OpsSort::kSelfGpu;
  if (word == "gpu") return OpsSort::kGpu;
  if (word == "self-cpu") return OpsSort::kSelfCpu;
  if (word == "cpu") return OpsSort::kCpu;
  if (word == "count") return OpsSort::kCount;
  return std::nullopt;
}

nlohmann::ordered_json OpsData(const KeyAverages& averages, const OpsDocumentOptions& options) {
  nlohmann::ordered_json data;
  data["rows"] = nlohmann::ordered_json::array();
  for (const KeyAverageRow* row : Sorted(averages, options)) data["rows"].push_back(RowData(*row, averages));
  data["total_self_cpu_ns"] = OrNull(averages.total_self_cpu_ns);
  data["total_self_gpu_ns"] = OrNull(averages.total_self_gpu_ns);
  return data;
}

Document MakeOpsDocument(const KeyAverages& averages, const OpsDocumentOptions& options) {
  const RowPointers rows = Sorted(averages, options);
  Document document;
  document.verb = "ops";
  document.data = OpsData(averages, options);

  KeyValues totals;
  if (averages.total_self_cpu_ns) {
    totals.pairs.push_back({"CPU self time (not ranges)", FormatDuration(*averages.total_self_cpu_ns)});
  }
  if (averages.total_self_gpu_ns) totals.pairs.push_back({"GPU work", FormatDuration(*averages.total_self_gpu_ns)});
  document.blocks.push_back(totals);
  if (!HasOps(averages)) {
    document.blocks.push_back(
        Paragraph{"The recording holds no framework operators, so GPU time stands on kernel rows only. " +
                      AdviceSentence(RecorderAdvice(averages.recorder, "ops")),
                  ParagraphKind::kNote});
  }
  document.blocks.push_back(options.page_rows > options.limit && options.limit > 0
                                ? MakePageTable(rows.size(), averages, options)
                                : MakeTable(rows, averages, options));
  document.blocks.push_back(
      Paragraph{"CPU times are host time under the profiler, not GPU time. A kernel counts under its own name and "
                "under the op that launched it. Annotations repeat the time of the rows above and enter no sum.",
                ParagraphKind::kNote});
  return document;
}

}  // namespace warpsight
