#include "analysis/roofline_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

// A count that may pass int64 in hostile files stays a number.
ordered_json Whole(double count) { return count < 9e18 ? ordered_json(std::llround(count)) : ordered_json(count); }
int64_t WholeCell(double count) { return count < 9e18 ? std::llround(count) : INT64_MAX; }

std::optional<double> PerSecond(double amount, Ns time_ns) {
  if (time_ns <= 0) return std::nullopt;
  return amount / static_cast<double>(time_ns) * 1e9;
}
std::optional<double> Share(std::optional<Ns> part, Ns whole) {
  if (!part || whole <= 0) return std::nullopt;
  return static_cast<double>(*part) / static_cast<double>(whole);
}
// Of work that is faster than its bound nothing is lost.
std::optional<Ns> Lost(const RooflineRow& row) {
  return row.bound_ns ? std::optional(row.gpu_ns - std::min(row.gpu_ns, *row.bound_ns)) : std::nullopt;
}
bool FasterThanBound(const RooflineRow& row) { return row.bound_ns && *row.bound_ns > row.gpu_ns; }
// A share in JSON is at most 1; the two times beside it say by how much work was faster than its bound.
std::optional<double> AtMostAll(std::optional<double> share) {
  return share ? std::optional(std::min(1.0, *share)) : std::nullopt;
}

std::string_view NoteOf(const RooflineRow& row) {
  if (row.causal_unknown) return "counted without a causal mask: the recording does not say";
  if (FasterThanBound(row))
    return "faster than its bound: operands came from a cache, or less was done than the formula counts";
  return row.from_grid ? "elements from the launch grid: at most so many" : "";
}

ordered_json RowData(const RooflineRow& row) {
  ordered_json data;
  data["op"] = row.op;
  data["shapes"] = TextOrNull(row.shapes);
  data["types"] = TextOrNull(row.types);
  data["device"] = row.device;
  data["kind"] = CostKindName(row.kind);
  data["calls"] = row.calls;
  data["gpu_ns"] = row.gpu_ns;
  data["flops"] = Whole(row.flops);
  data["bytes"] = Whole(row.bytes);
  data["intensity"] = OrNull(row.Intensity());
  data["flops_per_s"] = OrNull(PerSecond(row.flops, row.gpu_ns));
  data["bytes_per_s"] = OrNull(PerSecond(row.bytes, row.gpu_ns));
  data["arithmetic"] = ArithmeticName(row.arithmetic);
  data["bound"] = row.bound ? ordered_json(CostBoundName(*row.bound)) : ordered_json(nullptr);
  data["bound_ns"] = OrNull(row.bound_ns);
  data["efficiency_share"] = OrNull(AtMostAll(row.Efficiency()));
  data["lost_ns"] = OrNull(Lost(row));
  data["note"] = TextOrNull(NoteOf(row));
  return data;
}

ordered_json UncostedData(const UncostedRow& row, Ns work_ns) {
  return {{"name", row.name},
          {"device", row.device},
          {"calls", row.calls},
          {"gpu_ns", row.gpu_ns},
          {"gpu_share", OrNull(Share(row.gpu_ns, work_ns))},
          {"reason", row.reason}};
}

ordered_json PeaksData(const GpuPeaks& peaks) {
  ordered_json data;
  data["device"] = peaks.device;
  data["name"] = peaks.entry == nullptr ? ordered_json(nullptr) : ordered_json(peaks.entry->name);
  data["source"] = peaks.complete() ? ordered_json(peaks.source()) : ordered_json(nullptr);
  data["datasheet"] = peaks.entry == nullptr ? ordered_json(nullptr) : ordered_json(peaks.entry->source);
  data["bytes_per_s"] = OrNull(peaks.memory_bytes_per_s);
  data["flops_per_s"] = ordered_json::object();
  for (size_t i = 0; i < kArithmeticCount; ++i) {
    const Arithmetic arithmetic = static_cast<Arithmetic>(i);
    data["flops_per_s"][std::string(ArithmeticName(arithmetic))] = OrNull(peaks.FlopsPerS(arithmetic));
  }
  data["nvlink_bytes_per_s"] = peaks.entry == nullptr ? ordered_json(nullptr) : OrNull(peaks.entry->nvlink_bytes_per_s);
  data["not_evaluated"] = TextOrNull(peaks.reason);
  return data;
}

ordered_json StepData(const StepNeeds& step) {
  ordered_json data;
  data["device"] = step.device;
  data["unit"] = step.has_steps ? "step" : "window";
  data["steps"] = step.has_steps ? ordered_json(step.steps) : ordered_json(nullptr);
  data["gemm_calls"] = step.gemms;
  data["gemm_ns"] = step.gemm_ns;
  data["gemm_bound_ns"] = OrNull(step.gemm_bound_ns);
  data["gemm_efficiency_share"] = OrNull(AtMostAll(Share(step.gemm_bound_ns, step.gemm_ns)));
  data["weight_gemm_calls"] = step.weight_gemms;
  data["weight_bytes"] = Whole(step.weight_bytes);
  data["weight_bound_ns"] = OrNull(step.weight_bound_ns);
  data["weight_bound_share"] = OrNull(AtMostAll(Share(step.weight_bound_ns, step.gemm_ns)));
  data["key_value_bytes"] = Whole(step.key_value_bytes);
  data["key_value_bound_ns"] = OrNull(step.key_value_bound_ns);
  return data;
}

ordered_json KindsData(const RooflineDevice& device) {
  ordered_json kinds = ordered_json::array();
  for (size_t i = 0; i < kCostKindCount; ++i) {
    const RooflineKind& kind = device.kinds[i];
    if (kind.gpu_ns == 0 && kind.calls == 0) continue;
    const bool bounded = kind.bounded_ns == kind.gpu_ns && device.peaks.memory_bytes_per_s;
    const std::optional<Ns> bound_ns = bounded ? std::optional(kind.bound_ns) : std::nullopt;
    kinds.push_back({{"kind", CostKindName(static_cast<CostKind>(i))},
                     {"device", device.peaks.device},
                     {"calls", kind.calls},
                     {"gpu_ns", kind.gpu_ns},
                     {"flops", Whole(kind.flops)},
                     {"bytes", Whole(kind.bytes)},
                     {"bound_ns", OrNull(bound_ns)},
                     {"efficiency_share", OrNull(AtMostAll(Share(bound_ns, kind.gpu_ns)))}});
  }
  return kinds;
}

void Sort(std::vector<RooflineRow>& rows, RooflineSort sort) {
  const auto key = [sort](const RooflineRow& row) -> double {
    switch (sort) {
      case RooflineSort::kGpu:
        return static_cast<double>(row.gpu_ns);
      case RooflineSort::kFlops:
        return row.flops;
      case RooflineSort::kBytes:
        return row.bytes;
      case RooflineSort::kEfficiency:
        return -row.Efficiency().value_or(1e300);
      case RooflineSort::kCalls:
        return static_cast<double>(row.calls);
      case RooflineSort::kLost:
        break;
    }
    return row.bound_ns ? static_cast<double>(*Lost(row)) : -1e300;
  };
  // They come sorted by time, which decides ties.
  std::stable_sort(rows.begin(), rows.end(), [&](const RooflineRow& a, const RooflineRow& b) { return key(a) > key(b); });
}

// "1x2048, 2048x5632": the tensors among the operands.
std::string ShortShapes(std::string_view shapes) {
  std::string text;
  for (const Operand& operand : ParseOperands(shapes, "").value_or(Operands())) {
    const bool list = operand.kind == Operand::Kind::kList;
    std::string part;
    for (const TensorShape& tensor : operand.tensors) {
      if (tensor.dims.empty() || part.size() > 80) continue;
      part += (part.empty() ? "" : ", ") + fmt::format("{}", fmt::join(tensor.dims, "x"));
    }
    if (!part.empty()) text += (text.empty() ? "" : ", ") + (list ? "(" + part + ")" : part);
  }
  return text;
}

// "mm 1x2048, 2048x5632"
std::string OpAndShapes(const RooflineRow& row) {
  const std::string_view op = row.op.starts_with("aten::") ? row.op.substr(6) : row.op;
  const std::string shapes = ShortShapes(row.shapes);
  const std::string name = row.shapes.empty() ? ShortKernelName(op) : std::string(op);
  return shapes.empty() ? name : name + " " + shapes;
}

std::vector<Column> NumberColumns() {
  return {Hideable(CountColumn("device", "GPU")),
          Hideable(TextColumn("kind", "Kind")),
          CountColumn("calls", "Calls"),
          DurationColumn("gpu_ns", "GPU time"),
          Hideable(NumberColumn("flops", "FLOPs")),
          Hideable(BytesColumn("bytes", "Bytes")),
          Hideable(NumberColumn("intensity", "FLOP/B")),
          Hideable(NumberColumn("flops_per_s", "FLOP/s")),
          Hideable(NumberColumn("bytes_per_s", "B/s")),
          TextColumn("bound", "Bound"),
          DurationColumn("bound_ns", "At least"),
          ShareColumn("efficiency_share", "Reached"),
          DurationColumn("lost_ns", "Lost")};
}

Row NumberCells(const RooflineRow& row) {
  return {int64_t{row.device},
          std::string(CostKindName(row.kind)),
          row.calls,
          row.gpu_ns,
          row.flops,
          WholeCell(row.bytes),
          OrAbsent(row.Intensity()),
          OrAbsent(PerSecond(row.flops, row.gpu_ns)),
          OrAbsent(PerSecond(row.bytes, row.gpu_ns)),
          row.bound ? TextOrAbsent(CostBoundName(*row.bound)) : Cell(),
          OrAbsent(row.bound_ns),
          OrAbsent(row.Efficiency()),
          OrAbsent(Lost(row))};
}

// What is left out after `shown` rows; empty when nothing is.
std::string CutNote(const std::vector<RooflineRow>& rows, size_t shown, Ns work_ns, std::string_view where) {
  if (shown >= rows.size()) return "";
  Ns hidden_ns = 0;
  for (size_t i = shown; i < rows.size(); ++i) hidden_ns = SaturatingAdd(hidden_ns, rows[i].gpu_ns);
  return fmt::format("{} more rows with {} ({} of GPU work): {}", FormatCount(static_cast<int64_t>(rows.size() - shown)),
                     FormatDuration(hidden_ns), FormatShare(hidden_ns, work_ns), where);
}

Table MakeTable(const std::vector<RooflineRow>& rows, size_t shown, Ns work_ns, bool full_names) {
  Table table;
  table.columns = {NameColumn("op", "Op")};
  if (full_names) {
    table.columns.push_back(NameColumn("shapes", "Shapes"));
    table.columns.push_back(TextColumn("types", "Types"));
  }
  for (Column& column : NumberColumns()) table.columns.push_back(std::move(column));
  for (size_t i = 0; i < shown; ++i) {
    const RooflineRow& row = rows[i];
    Row cells = {full_names ? std::string(row.op) : OpAndShapes(row)};
    if (full_names) {
      cells.push_back(TextOrAbsent(row.shapes));
      cells.push_back(TextOrAbsent(row.types));
    }
    for (Cell& cell : NumberCells(row)) cells.push_back(std::move(cell));
    table.rows.push_back(std::move(cells));
  }
  table.footnote = CutNote(rows, shown, work_ns, "--limit 0 shows all.");
  return table;
}

// For a page: more rows than text shows.
Table MakePageTable(const std::vector<RooflineRow>& rows, size_t text_rows, Ns work_ns,
                    const RooflineDocumentOptions& options) {
  const size_t page_rows = std::min(rows.size(), static_cast<size_t>(options.page_rows));
  Table table = MakeTable(rows, page_rows, work_ns, options.full_names);
  table.text_cut = TextCut{text_rows, CutNote(rows, text_rows, work_ns, "--limit 0 shows all.")};
  table.footnote = CutNote(rows, page_rows, work_ns, "warpsight roofline FILE --csv has all.");
  return table;
}

std::string PeaksText(const GpuPeaks& peaks) {
  if (!peaks.memory_bytes_per_s && !peaks.given_flops_per_s) return "not evaluated: " + peaks.reason;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (peaks.memory_bytes_per_s)
    add(fmt::format("{} GB/s{}", FormatNumber(*peaks.memory_bytes_per_s / 1e9), peaks.bandwidth_given ? " (given)" : ""));
  if (peaks.given_flops_per_s) {
    add(fmt::format("{} TFLOP/s (given)", FormatNumber(*peaks.given_flops_per_s / 1e12)));
  } else if (peaks.entry != nullptr) {
    for (const Arithmetic arithmetic : {Arithmetic::kFp16, Arithmetic::kBf16, Arithmetic::kTf32, Arithmetic::kFp32}) {
      const std::optional<double> rate = peaks.entry->flops_per_s[static_cast<size_t>(arithmetic)];
      if (rate) add(fmt::format("{} {}", ArithmeticName(arithmetic), FormatNumber(*rate / 1e12)));
    }
    text += " TFLOP/s";
  }
  if (peaks.entry != nullptr && peaks.source() != "given") text += "; " + peaks.entry->source;
  if (!peaks.reason.empty()) text += "; not evaluated: " + peaks.reason;
  return text;
}

std::string OfGemms(const StepNeeds& step) {
  std::string text = FormatDuration(step.gemm_ns);
  if (step.gemm_bound_ns)
    text += fmt::format("; at least {} ({})", FormatDuration(*step.gemm_bound_ns),
                        FormatShare(*step.gemm_bound_ns, step.gemm_ns));
  return text;
}

void AddDevice(const RooflineDevice& device, bool several, KeyValues& summary) {
  const std::string gpu = several ? fmt::format("GPU {}: ", device.peaks.device) : "";
  const StepNeeds& step = device.step;
  const std::string unit = step.has_steps ? "a step" : "the window";
  summary.pairs.push_back({gpu + "Peaks", PeaksText(device.peaks)});
  summary.pairs.push_back({gpu + "Work with a known cost",
                           fmt::format("{} of {} ({})", FormatDuration(device.costed_ns), FormatDuration(device.work_ns),
                                       FormatShare(device.costed_ns, device.work_ns))});
  if (step.gemms > 0) summary.pairs.push_back({gpu + "Matrix products, " + unit, OfGemms(step)});
  if (step.weight_bound_ns) {
    summary.pairs.push_back(
        {gpu + "Reading the weights once",
         fmt::format("{} in {} products: at least {} ({} of the products' time)", FormatBytes(WholeCell(step.weight_bytes)),
                     FormatNumber(step.weight_gemms), FormatDuration(*step.weight_bound_ns),
                     FormatShare(*step.weight_bound_ns, step.gemm_ns))});
  }
  if (step.key_value_bound_ns) {
    summary.pairs.push_back(
        {gpu + "Reading keys and values", fmt::format("{}: at least {}", FormatBytes(WholeCell(step.key_value_bytes)),
                                                      FormatDuration(*step.key_value_bound_ns))});
  }
}

void AddUncosted(const RooflineResult& roofline, Ns work_ns, Document& document) {
  constexpr size_t kMost = 6;
  if (roofline.uncosted.empty()) return;
  document.blocks.push_back(Paragraph{"Not evaluated, by share of GPU work:"});
  KeyValues list;
  for (size_t i = 0; i < std::min(kMost, roofline.uncosted.size()); ++i) {
    const UncostedRow& row = roofline.uncosted[i];
    list.pairs.push_back({FormatShare(row.gpu_ns, work_ns), fmt::format("{}: {}", row.name.substr(0, 60), row.reason)});
  }
  document.blocks.push_back(std::move(list));
  if (roofline.uncosted.size() > kMost) {
    document.blocks.push_back(Paragraph{
        fmt::format("{} more: --json lists all.", FormatCount(static_cast<int64_t>(roofline.uncosted.size() - kMost)))});
  }
}

std::vector<RooflineRow> SortedRows(const RooflineResult& roofline, RooflineSort sort) {
  std::vector<RooflineRow> rows = roofline.rows;
  Sort(rows, sort);
  return rows;
}

size_t ShownRows(const RooflineResult& roofline, int64_t limit) {
  return limit > 0 ? std::min(roofline.rows.size(), static_cast<size_t>(limit)) : roofline.rows.size();
}

// Of all devices.
struct Totals {
  Ns work_ns = 0;
  Ns costed_ns = 0;
};

Totals TotalsOf(const RooflineResult& roofline) {
  Totals totals;
  for (const RooflineDevice& device : roofline.devices) {
    totals.work_ns = SaturatingAdd(totals.work_ns, device.work_ns);
    totals.costed_ns = SaturatingAdd(totals.costed_ns, device.costed_ns);
  }
  return totals;
}

}  // namespace

std::optional<RooflineSort> ParseRooflineSort(std::string_view text) {
  constexpr std::string_view kNames[] = {"lost", "gpu", "flops", "bytes", "efficiency", "calls"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), text);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<RooflineSort>(found - std::begin(kNames));
}

ordered_json RooflineData(const RooflineResult& roofline, const RooflineDocumentOptions& options) {
  const std::vector<RooflineRow> rows = SortedRows(roofline, options.sort);
  const Totals totals = TotalsOf(roofline);
  ordered_json data;
  data["rows"] = ordered_json::array();
  for (size_t i = 0; i < ShownRows(roofline, options.limit); ++i) data["rows"].push_back(RowData(rows[i]));
  // The first device's, which is all there is in most recordings; the arrays hold every device's.
  const bool any = !roofline.devices.empty();
  data["peaks"] = any ? PeaksData(roofline.devices.front().peaks) : ordered_json(nullptr);
  data["step_bound"] = any ? StepData(roofline.devices.front().step) : ordered_json(nullptr);
  data["peaks_by_device"] = ordered_json::array();
  data["step_bound_by_device"] = ordered_json::array();
  data["kinds"] = ordered_json::array();
  for (const RooflineDevice& device : roofline.devices) {
    data["peaks_by_device"].push_back(PeaksData(device.peaks));
    data["step_bound_by_device"].push_back(StepData(device.step));
    for (ordered_json& kind : KindsData(device)) data["kinds"].push_back(std::move(kind));
  }
  data["gpu_work_ns"] = totals.work_ns;
  data["known_cost_ns"] = totals.costed_ns;
  data["known_cost_share"] = OrNull(Share(totals.costed_ns, totals.work_ns));
  data["not_evaluated"] = ordered_json::array();
  for (const UncostedRow& row : roofline.uncosted) data["not_evaluated"].push_back(UncostedData(row, totals.work_ns));
  return data;
}

Document MakeRooflineDocument(const RooflineResult& roofline, const RooflineDocumentOptions& options) {
  const std::vector<RooflineRow> rows = SortedRows(roofline, options.sort);
  const size_t shown = ShownRows(roofline, options.limit);
  const Ns work_ns = TotalsOf(roofline).work_ns;
  Document document;
  document.verb = "roofline";
  document.data = RooflineData(roofline, options);

  KeyValues summary;
  for (const RooflineDevice& device : roofline.devices) AddDevice(device, roofline.devices.size() > 1, summary);
  document.blocks.push_back(std::move(summary));
  document.blocks.push_back(options.page_rows > options.limit && options.limit > 0
                                ? MakePageTable(rows, shown, work_ns, options)
                                : MakeTable(rows, shown, work_ns, options.full_names));
  const bool causal = std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown),
                                  [](const RooflineRow& row) { return row.causal_unknown; });
  if (causal) {
    document.blocks.push_back(
        Paragraph{"Attention of equal lengths is counted in full where the recording does not tell a causal mask, which "
                  "would halve it.",
                  ParagraphKind::kNote});
  }
  AddUncosted(roofline, work_ns, document);
  return document;
}

}  // namespace warpsight
