#include "analysis/kernels_document.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "analysis/kernel_name/decoded_name_data.h"
#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

nlohmann::ordered_json RowData(const KernelRow& row) {
  nlohmann::ordered_json data;
  data["name"] = row.name;
  data["device"] = row.device;
  data["calls"] = row.calls;
  data["calls_per_step"] = OrNull(row.calls_per_step);
  data["total_ns"] = row.total_ns;
  data["mean_ns"] = OrNull(row.mean_ns);
  data["min_ns"] = OrNull(row.min_ns);
  data["max_ns"] = OrNull(row.max_ns);
  data["gpu_share"] = row.gpu_share;
  data["part"] = TextOrNull(row.part);
  data["family"] = row.family;
  const std::optional<DecodedKernelName> decoded =
      row.kind == GpuKind::kKernel ? DecodeKernelName(row.name) : std::optional<DecodedKernelName>();
  data["decoded"] = decoded ? DecodedNameData(*decoded) : nlohmann::ordered_json(nullptr);
  return data;
}

// "25 more rows with 3.108 ms (47.0 % of GPU work): <where>"; empty when `shown` are all.
std::string CutNote(const KernelsResult& kernels, size_t shown, std::string_view where) {
  if (shown >= kernels.rows.size()) return "";
  Ns hidden_ns = 0;
  for (size_t at = shown; at < kernels.rows.size(); ++at) hidden_ns = SaturatingAdd(hidden_ns, kernels.rows[at].total_ns);
  return FormatCount(static_cast<int64_t>(kernels.rows.size() - shown)) + " more rows with " + FormatDuration(hidden_ns) +
         " (" + FormatShare(hidden_ns, kernels.gpu_work_ns) + " of GPU work): " + std::string(where);
}

Table MakeTable(std::span<const KernelRow> rows, const KernelsResult& kernels, const KernelsDocumentOptions& options) {
  Table table;
  table.columns = {options.full_names ? NameColumn("name", "Name") : KernelNameColumn("name", "Name"),
                   Hideable(CountColumn("device", "GPU")),
                   TextColumn("family", "Family"),
                   Hideable(TextColumn("part", "Part")),
                   CountColumn("calls", "Calls"),
                   Hideable(NumberColumn("calls_per_step", "Per step")),
                   DurationColumn("total_ns", "GPU time"),
                   ShareColumn("gpu_share", "GPU share"),
                   DurationColumn("mean_ns", "Mean"),
                   Hideable(DurationColumn("min_ns", "Min")),
                   Hideable(DurationColumn("max_ns", "Max"))};
  if (options.remarks != nullptr) {
    for (Column& column : table.columns) {
      column.can_hide = column.can_hide || column.key == "family" || column.key == "mean_ns";
      column.is_minor = column.key == "calls";
    }
    table.columns.push_back(TextColumn("counters", "Counters say"));
  }
  for (const KernelRow& row : rows) {
    table.rows.push_back({std::string(row.name), int64_t{row.device}, TextOrAbsent(row.family), TextOrAbsent(row.part),
                          row.calls, OrAbsent(row.calls_per_step), row.total_ns, row.gpu_share, OrAbsent(row.mean_ns),
                          OrAbsent(row.min_ns), OrAbsent(row.max_ns)});
    if (options.remarks == nullptr) continue;
    const auto remark = options.remarks->find(row.name);
    table.rows.back().push_back(remark == options.remarks->end() ? Cell() : Cell(remark->second));
  }
  table.footnote = CutNote(kernels, rows.size(), "--limit 0 shows all.");
  return table;
}

// More rows than the text form shows.
Table MakePageTable(size_t text_rows, const KernelsResult& kernels, const KernelsDocumentOptions& options) {
  const size_t page_rows = std::min(kernels.rows.size(), static_cast<size_t>(options.page_rows));
  Table table = MakeTable(std::span(kernels.rows).first(page_rows), kernels, options);
  table.text_cut = TextCut{text_rows, CutNote(kernels, text_rows, "--limit 0 shows all.")};
  table.footnote = CutNote(kernels, page_rows, "warpsight kernels FILE --csv has all.");
  return table;
}

std::span<const KernelRow> FirstRows(const KernelsResult& kernels, int64_t limit) {
  const std::span<const KernelRow> rows = kernels.rows;
  return limit > 0 ? rows.first(std::min(rows.size(), static_cast<size_t>(limit))) : rows;
}

}  // namespace

nlohmann::ordered_json KernelsData(const KernelsResult& kernels, int64_t limit) {
  nlohmann::ordered_json data;
  data["rows"] = nlohmann::ordered_json::array();
  for (const KernelRow& row : FirstRows(kernels, limit)) data["rows"].push_back(RowData(row));
  data["gpu_work_ns"] = kernels.gpu_work_ns;
  data["gpu_busy_ns"] = kernels.gpu_busy_ns;
  return data;
}

Document MakeKernelsDocument(const KernelsResult& kernels, const KernelsDocumentOptions& options) {
  const std::span<const KernelRow> rows = FirstRows(kernels, options.limit);
  Document document;
  document.verb = "kernels";
  document.data = KernelsData(kernels, options.limit);

  document.blocks.push_back(KeyValues{{{"GPU work, summed over streams", FormatDuration(kernels.gpu_work_ns)},
                                       {"GPU busy, overlaps counted once", FormatDuration(kernels.gpu_busy_ns)}}});
  document.blocks.push_back(options.page_rows > options.limit && options.limit > 0
                                ? MakePageTable(rows.size(), kernels, options)
                                : MakeTable(rows, kernels, options));
  return document;
}

}  // namespace warpsight
