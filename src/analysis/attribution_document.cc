#include "analysis/attribution_document.h"

#include <string>

#include "document/absent.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

struct ToldRow {
  std::string_view name;
  int32_t device = 0;
  Interval time;
  const WorkToken* token = nullptr;
  Confidence confidence = Confidence::kNone;
  std::string_view op;
  std::string_view forward_op;
  std::string_view module;
  std::string_view range;
  int32_t step = -1;
};

template <typename Use>
void ForEachRow(const WorkParts& parts, const Use& use) {
  const Trace& trace = parts.sequence.trace();
  const GpuWork& gpu = trace.gpu();
  const Attribution& attribution = parts.sequence.attribution();
  const auto name_in = [](const Trace& ops, uint32_t host_row) {
    return host_row == kNoRow ? std::string_view() : ops.Text(ops.host().name[host_row]);
  };
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const Trace& ops = attribution.OpsOf(row, trace);
    use(ToldRow{trace.Text(gpu.name[row]),
                trace.device_of(row),
                {gpu.start_ns[row], gpu.end_ns[row]},
                &parts.sequence.tokens()[parts.sequence.token_of(row)],
                parts.confidence[row],
                name_in(ops, attribution.op[row]),
                name_in(trace, attribution.forward_op[row]),
                name_in(ops, attribution.module[row]),
                name_in(trace, attribution.range[row]),
                attribution.step[row]});
  }
}

}  // namespace

ordered_json WorkRowsJson(const WorkParts& parts) {
  ordered_json rows = ordered_json::array();
  ForEachRow(parts, [&](const ToldRow& row) {
    rows.push_back({{"name", row.name},
                    {"device", row.device},
                    {"start_ns", row.time.start},
                    {"dur_ns", row.time.duration()},
                    {"part", PartName(row.token->part)},
                    {"phase", PhaseName(row.token->phase)},
                    {"confidence", ConfidenceName(row.confidence)},
                    {"op", TextOrNull(row.op)},
                    {"forward_op", TextOrNull(row.forward_op)},
                    {"module", TextOrNull(row.module)},
                    {"range", TextOrNull(row.range)},
                    {"step", row.step < 0 ? ordered_json(nullptr) : ordered_json(row.step)}});
  });
  return rows;
}

Table WorkRowsTable(const WorkParts& parts) {
  Table table;
  table.columns = {KernelNameColumn("name", "Kernel"),
                   TextColumn("part", "Part"),
                   DurationColumn("dur_ns", "GPU time"),
                   Hideable(NameColumn("op", "Op")),
                   Hideable(TextColumn("confidence", "Told")),
                   Hideable(TextColumn("phase", "Phase")),
                   Hideable(NameColumn("module", "Module")),
                   Hideable(NameColumn("forward_op", "Forward op")),
                   Hideable(NameColumn("range", "Range")),
                   Hideable(CountColumn("device", "GPU")),
                   Hideable(CountColumn("start_ns", "Start (ns)"))};
  ForEachRow(parts, [&](const ToldRow& row) {
    table.rows.push_back({std::string(row.name), std::string(PartName(row.token->part)), row.time.duration(),
                          TextOrAbsent(row.op), std::string(ConfidenceName(row.confidence)),
                          std::string(PhaseName(row.token->phase)), TextOrAbsent(row.module), TextOrAbsent(row.forward_op),
                          TextOrAbsent(row.range), int64_t{row.device}, row.time.start});
  });
  return table;
}

}  // namespace warpsight
