// NVTX_EVENTS: ranges, marks, and the names of domains, in one table told apart by eventType.
//
// PyTorch's emit_nvtx writes its ops as ranges: "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]". Those become ops,
// with the numbers and shapes in their places, so that equal ops have equal names.
#include <array>

#include "formats/nsys_sqlite/table_readers.h"
#include "formats/range_texts.h"

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

// The row's own text, or the one of StringIds that it refers to.
StringId NameOfNvtx(const TableCursor& rows, RowSink& sink) {
  const std::optional<int64_t> id = rows.Integer(kNvtxTextId);
  const bool shared = id && sink.facts().strings.IndexOf(*id);
  return shared ? sink.names().Text(*id) : sink.names().Intern(rows.Text(kNvtxText));
}

// The same, where it may be an op of emit_nvtx.
RangeNames NamesOfNested(const TableCursor& rows, RowSink& sink) {
  const std::optional<int64_t> id = rows.Integer(kNvtxTextId);
  const std::optional<std::string_view> shared = id ? sink.facts().strings.Find(*id) : std::nullopt;
  RangeTexts& texts = sink.names().range_texts();
  return shared ? texts.OfShared(*shared, true) : texts.Of(rows.Text(kNvtxText), true);
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

  if (!nests) {
    row.name = NameOfNvtx(rows, sink);
    return;
  }
  const RangeNames text = NamesOfNested(rows, sink);
  row.name = text.name;
  if (!text.is_op) return;
  row.kind = HostKind::kOp;
  row.sequence_plus_one = text.sequence_plus_one;
  row.correlation = text.op_id;
  row.shapes = text.shapes;
  sink.shard().has_shapes |= text.shapes != StringId::kEmpty;
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
        sink.AddInstant(time, NameOfNvtx(rows, sink), sink.names().Thread(rows.IntegerOr(kNvtxThread, 0)));
        break;
      }
      case kDomainCreate:
        sink.DefineDomain(rows.IntegerOr(kNvtxThread, 0), rows.IntegerOr(kNvtxDomain, 0), NameOfNvtx(rows, sink));
        if (const std::optional<int64_t> made = rows.Integer(kNvtxStart); made && RowSink::IsTime(*made))
          sink.SeeRange(*made);
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
