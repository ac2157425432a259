// NVTX_EVENTS: ranges, marks, and the names of domains, in one table told apart by eventType.
//
// PyTorch's emit_nvtx writes its ops as ranges: "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]". Those become ops,
// with the numbers and shapes in their places, so that equal ops have equal names.
#include <array>

#include "formats/nsys_sqlite/table_readers.h"
#include "formats/op_range_name.h"

namespace warpsight::nsys_sqlite {
namespace {

constexpr std::array<std::string_view, 8> kNvtxColumns = {"start", "end",    "eventType", "globalTid",
                                                          "text",  "textId", "domainId",  "jsonText"};
enum NvtxColumn : size_t { kNvtxStart, kNvtxEnd, kNvtxType, kNvtxThread, kNvtxText, kNvtxTextId, kNvtxDomain, kNvtxJson };

// ENUM_NSYS_EVENT_TYPE. The "t" variants came from text files that older versions could import.
enum NvtxType : int64_t {
  kCategory = 33,
  kMark = 34,
  kThreadName = 39,
  kPushPop = 59,
  kStartEnd = 60,
  kTextMark = 65,
  kTextPushPop = 70,
  kTextStartEnd = 71,
  kDomainCreate = 75,
};

std::string_view NvtxText(const TableCursor& rows, const RowSink& sink) {
  if (const std::optional<int64_t> id = rows.Integer(kNvtxTextId)) {
    if (const std::optional<std::string_view> text = sink.facts().strings.Find(*id)) return *text;
  }
  return rows.Text(kNvtxText);
}

void AddNvtxRange(const TableCursor& rows, RowSink& sink, bool nests) {
  const RowTimes times = sink.ReadTimes(rows, kNvtxStart, kNvtxEnd);
  if (!times.usable) return;
  const std::optional<int64_t> thread = rows.Integer(kNvtxThread);
  if (!thread) return sink.Exclude("missing_thread", "a range is on no thread: it can't be placed");
  if (times.open)
    sink.Repair("range_without_end", "a range was still open at the end: it is drawn to the last time of any range");
  HostEventRow& row = sink.AddHost(times);
  sink.SeeRange(SaturatingAdd(times.start_ns, times.duration_ns));
  row.kind = HostKind::kRange;
  row.thread = nests ? sink.names().Thread(*thread) : sink.names().RangeThread(*thread);
  if (times.open) sink.LeaveOpen();
  if (const int64_t domain = rows.IntegerOr(kNvtxDomain, 0); domain != 0) sink.DomainOf(domain);

  const std::optional<int64_t> string_id = rows.Integer(kNvtxTextId);
  const std::string_view text = NvtxText(rows, sink);
  const std::optional<OpRangeName> op = nests ? ParseOpRange(text) : std::nullopt;
  if (!op) {
    row.name = string_id ? sink.names().Text(*string_id) : StringId::kEmpty;
    if (row.name == StringId::kEmpty) row.name = sink.names().Intern(text);
    return;
  }
  row.kind = HostKind::kOp;
  row.name = sink.names().Intern(op->name);
  row.sequence_plus_one = op->sequence_plus_one;
  row.correlation = op->op_id;
  row.shapes = sink.names().Intern(op->shapes);
  sink.shard().has_shapes |= !op->shapes.empty();
}

void ReadNvtx(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    const int64_t type = rows.IntegerOr(kNvtxType, kPushPop);
    switch (type) {
      case kPushPop:
      case kTextPushPop:
        AddNvtxRange(rows, sink, true);
        break;
      case kStartEnd:
      case kTextStartEnd:
        AddNvtxRange(rows, sink, false);
        break;
      case kMark:
      case kTextMark: {
        Ns time = 0;
        if (!sink.ReadTime(rows, kNvtxStart, time)) break;
        sink.SeeRange(time);
        sink.AddInstant(time, sink.names().Intern(NvtxText(rows, sink)),
                        sink.names().Thread(rows.IntegerOr(kNvtxThread, 0)));
        break;
      }
      case kDomainCreate:
        sink.DefineDomain(rows.IntegerOr(kNvtxThread, 0), rows.IntegerOr(kNvtxDomain, 0), NvtxText(rows, sink));
        sink.SeeRange(rows.IntegerOr(kNvtxStart, kMinNs));
        sink.AddFact();
        break;
      default:
        // Names of categories, threads, streams; domains that end.
        sink.AddFact();
    }
  }
}

}  // namespace

TableReader NvtxReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "NVTX_EVENTS"; }, kNvtxColumns, ReadNvtx};
}

}  // namespace warpsight::nsys_sqlite
