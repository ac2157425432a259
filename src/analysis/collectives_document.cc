#include "analysis/collectives_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

Cell GigabytesPerSecond(std::optional<double> bytes_per_s) { return bytes_per_s ? Cell(*bytes_per_s / 1e9) : Cell(); }

std::optional<double> LinkShare(const CollectivesResult& result, const CollectiveRow& row) {
  const CollectiveTime* time = result.Find(row.device);
  const std::optional<double> bus = row.BusBytesPerSecond(row.median_ns);
  if (time == nullptr || !time->link_bytes_per_s || !bus) return std::nullopt;
  return *bus / *time->link_bytes_per_s;
}

ordered_json RowData(const CollectivesResult& result, const CollectiveRow& row) {
  ordered_json data;
  data["collective"] = CollectiveName(row);
  data["name"] = row.name;
  data["kernel"] = row.kernel;
  data["device"] = row.device;
  data["dtype"] = TextOrNull(row.dtype);
  data["bytes"] = OrNull(row.bytes);
  data["group"] = TextOrNull(row.group);
  data["group_ranks"] = TextOrNull(row.group_ranks);
  data["group_size"] = OrNull(row.group_size);
  data["calls"] = row.calls;
  data["calls_per_step"] = OrNull(row.calls_per_step);
  data["total_ns"] = row.total_ns;
  data["exposed_ns"] = row.exposed_ns;
  data["mean_ns"] = OrNull(row.mean_ns);
  data["median_ns"] = OrNull(row.median_ns);
  data["min_ns"] = OrNull(row.min_ns);
  data["max_ns"] = OrNull(row.max_ns);
  data["algbw_bytes_per_s"] = OrNull(row.AlgorithmBytesPerSecond(row.mean_ns));
  data["busbw_bytes_per_s"] = OrNull(row.BusBytesPerSecond(row.mean_ns));
  data["busbw_median_bytes_per_s"] = OrNull(row.BusBytesPerSecond(row.median_ns));
  data["busbw_best_bytes_per_s"] = OrNull(row.BusBytesPerSecond(row.min_ns));
  // A share in JSON is at most 1: reduction in the switch moves less than the formula counts, and sizes may be damaged.
  const std::optional<double> link = LinkShare(result, row);
  data["link_share"] = link ? ordered_json(std::min(1.0, *link)) : ordered_json(nullptr);
  return data;
}

ordered_json TimeData(const CollectiveTime& time) {
  return {{"device", time.device},
          {"window_ns", time.window_ns},
          {"busy_ns", time.busy_ns},
          {"collective_ns", time.collective_ns},
          {"exposed_ns", time.exposed_ns},
          {"overlapped_ns", time.overlapped_ns},
          {"link_bytes_per_s", OrNull(time.link_bytes_per_s)}};
}

KeyValues Times(const CollectivesResult& result) {
  KeyValues values;
  for (const CollectiveTime& time : result.devices) {
    const std::string device = result.devices.size() > 1 ? fmt::format("GPU {}: ", time.device) : "";
    values.pairs.push_back({device + "collectives", FormatDuration(time.collective_ns)});
    values.pairs.push_back(
        {device + "exposed, nothing else ran",
         fmt::format("{} ({} of them, {} of GPU busy)", FormatDuration(time.exposed_ns),
                     FormatShare(time.exposed_ns, time.collective_ns), FormatShare(time.exposed_ns, time.busy_ns))});
    values.pairs.push_back({device + "overlapped with other work", FormatDuration(time.overlapped_ns)});
    if (time.link_bytes_per_s) values.pairs.push_back({device + "link, one way", FormatBandwidth(time.link_bytes_per_s)});
  }
  return values;
}

Table RowsTable(const CollectivesResult& result, std::span<const CollectiveRow> rows) {
  Table table;
  table.columns = {NameColumn("collective", "Collective"),
                   Hideable(CountColumn("device", "GPU")),
                   TextColumn("dtype", "Type"),
                   BytesColumn("bytes", "Bytes"),
                   Hideable(TextColumn("group", "Group")),
                   Hideable(CountColumn("group_size", "Ranks")),
                   CountColumn("calls", "Calls"),
                   Hideable(NumberColumn("calls_per_step", "Per step")),
                   DurationColumn("total_ns", "GPU time"),
                   DurationColumn("exposed_ns", "Exposed"),
                   DurationColumn("median_ns", "Median"),
                   Hideable(DurationColumn("min_ns", "Min")),
                   Hideable(DurationColumn("max_ns", "Max")),
                   NumberColumn("busbw_median", "Bus GB/s"),
                   Hideable(ShareColumn("link_share", "Of link")),
                   Hideable(NumberColumn("algbw_median", "Algorithm GB/s"))};
  for (const CollectiveRow& row : rows) {
    table.rows.push_back({ShortKernelName(CollectiveName(row)), int64_t{row.device}, TextOrAbsent(row.dtype),
                          OrAbsent(row.bytes), TextOrAbsent(row.group), OrAbsent(row.group_size), row.calls,
                          OrAbsent(row.calls_per_step), row.total_ns, row.exposed_ns, OrAbsent(row.median_ns),
                          OrAbsent(row.min_ns), OrAbsent(row.max_ns),
                          GigabytesPerSecond(row.BusBytesPerSecond(row.median_ns)), OrAbsent(LinkShare(result, row)),
                          GigabytesPerSecond(row.AlgorithmBytesPerSecond(row.median_ns))});
  }
  if (rows.size() < result.rows.size())
    table.footnote = FormatCount(static_cast<int64_t>(result.rows.size() - rows.size())) + " more rows: --json has all.";
  return table;
}

}  // namespace

std::string FormatBandwidth(std::optional<double> bytes_per_s) {
  return bytes_per_s ? FormatNumber(*bytes_per_s / 1e9) + " GB/s" : "-";
}

std::string CollectiveName(const CollectiveRow& row) { return row.kind != nullptr ? row.kind->kind : std::string(row.name); }

Document MakeCollectivesDocument(const CollectivesResult& collectives, const CollectivesDocumentOptions& options) {
  Document document;
  document.verb = "collectives";
  document.data["rows"] = ordered_json::array();
  for (const CollectiveRow& row : collectives.rows) document.data["rows"].push_back(RowData(collectives, row));
  document.data["devices"] = ordered_json::array();
  for (const CollectiveTime& time : collectives.devices) document.data["devices"].push_back(TimeData(time));

  std::span<const CollectiveRow> rows = collectives.rows;
  if (options.limit > 0) rows = rows.first(std::min(rows.size(), static_cast<size_t>(options.limit)));
  document.blocks.push_back(Times(collectives));
  document.blocks.push_back(RowsTable(collectives, rows));
  if (std::any_of(rows.begin(), rows.end(), [](const CollectiveRow& row) { return row.bytes.has_value(); })) {
    std::string note = "Bus bandwidth is of the median call. A call's time on one rank holds its wait for the others";
    note += options.ranks_given ? "; see Ranks for the transfer alone."
                                : ": with the files of all ranks (report RANK0 RANK1 ...) wait and transfer are told apart.";
    document.blocks.push_back(Paragraph{std::move(note), ParagraphKind::kNote});
  }
  const bool unknown = std::any_of(rows.begin(), rows.end(), [](const CollectiveRow& row) { return !row.bytes; });
  if (unknown) {
    document.blocks.push_back(
        Paragraph{"Where bytes are absent the recording does not say what the kernel moved.", ParagraphKind::kNote});
  }
  return document;
}

}  // namespace warpsight
