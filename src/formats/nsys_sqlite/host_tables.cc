// Host ranges: API calls, OS runtime calls, the profiler's own work, and the calls of any other traced library.
#include <array>

#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight::nsys_sqlite {
namespace {

constexpr std::array<std::string_view, 9> kHostColumns = {"start",         "end",        "globalTid", "nameId", "textId",
                                                          "correlationId", "eventClass", "text",      "name"};
enum HostColumn : size_t {
  kHostStart,
  kHostEnd,
  kHostThread,
  kHostName,
  kHostTextId,
  kHostCorrelation,
  kHostClass,
  kHostText,
  kHostPlainName
};

// Event classes, as ENUM_NSYS_EVENT_CLASS names them. 67 stands in files of 2021: the program's own call around each runtime
// call, when it was recorded with backtraces; both carry one correlation id.
constexpr int64_t kClassOsRuntime = 27;
constexpr int64_t kClassCallWithBacktrace = 67;

StringId HostName(const TableCursor& rows, RowSink& sink) {
  for (const size_t column : {kHostName, kHostTextId}) {
    if (!rows.IsNull(column)) return sink.NameOf(rows, column);
  }
  for (const size_t column : {kHostText, kHostPlainName}) {
    if (const std::string_view text = rows.Text(column); !text.empty()) return sink.names().Intern(text);
  }
  return sink.NameOf(rows, kHostName);
}

// Times and thread of a host row; nothing is added when the row can't be placed.
HostEventRow* AddHostRange(const TableCursor& rows, RowSink& sink, StringId name, HostKind kind) {
  const RowTimes times = sink.ReadTimes(rows, kHostStart, kHostEnd);
  if (!times.usable) return nullptr;
  if (times.open) sink.Repair("missing_end", "a call has no end: its duration is taken as 0");
  const std::optional<int64_t> thread = rows.Integer(kHostThread);
  if (!thread) {
    sink.Exclude("missing_thread", "a call is on no thread: it can't be placed");
    return nullptr;
  }
  HostEventRow& row = sink.AddHost(times);
  row.thread = sink.names().Thread(*thread);
  row.name = name;
  row.kind = kind;
  return &row;
}

void ReadApi(TableCursor& rows, RowSink& sink) {
  const StringId backtrace = sink.names().Intern("CUDA call with backtrace");
  while (rows.Next()) {
    sink.Begin(rows);
    CallName name = sink.names().Call(rows.IntegerOr(kHostName, -1));
    if (name.shown == StringId::kEmpty) name.shown = HostName(rows, sink);
    const bool outer = rows.IntegerOr(kHostClass, 0) == kClassCallWithBacktrace;
    HostEventRow* row = AddHostRange(rows, sink, name.shown, outer ? HostKind::kOther : HostKind::kApi);
    if (row == nullptr) continue;
    row->types = outer ? backtrace : name.recorded;
    row->correlation = outer ? 0 : CorrelationOf(rows, kHostCorrelation);
  }
}

void ReadOsRuntime(TableCursor& rows, RowSink& sink) {
  const StringId library = sink.names().Intern(kOsRuntime);
  while (rows.Next()) {
    sink.Begin(rows);
    if (rows.IntegerOr(kHostClass, kClassOsRuntime) != kClassOsRuntime) {
      // "OS runtime libraries profiling started": a point in time, no call.
      Ns time = 0;
      if (!sink.ReadTime(rows, kHostStart, time)) continue;
      sink.AddInstant(time, HostName(rows, sink), sink.names().Thread(rows.IntegerOr(kHostThread, 0)));
      continue;
    }
    if (HostEventRow* row = AddHostRange(rows, sink, HostName(rows, sink), HostKind::kOther)) row->types = library;
  }
}

void ReadOverhead(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    AddHostRange(rows, sink, HostName(rows, sink), HostKind::kOverhead);
  }
}

// The library whose calls a table holds, by the name that our own recorder gives it; of other libraries the table's name.
std::string_view LibraryOfTable(std::string_view table) {
  if (table == "CUBLAS_EVENTS") return "cuBLAS";
  return table == "CUDNN_EVENTS" ? "cuDNN" : table;
}

void ReadHostRanges(TableCursor& rows, RowSink& sink) {
  const StringId library = sink.names().Intern(LibraryOfTable(rows.table().name));
  while (rows.Next()) {
    sink.Begin(rows);
    if (HostEventRow* row = AddHostRange(rows, sink, HostName(rows, sink), HostKind::kOther)) row->types = library;
  }
}

}  // namespace

TableReader ApiReader() {
  return {[](const ColumnsOfTable& table) {
            return table.name == "CUPTI_ACTIVITY_KIND_RUNTIME" || table.name == "CUPTI_ACTIVITY_KIND_DRIVER";
          },
          kHostColumns, ReadApi};
}

TableReader OsRuntimeReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "OSRT_API"; }, kHostColumns, ReadOsRuntime};
}

TableReader OverheadReader() {
  return {[](const ColumnsOfTable& table) {
            return table.name == "PROFILER_OVERHEAD" || table.name == "CUPTI_ACTIVITY_KIND_OVERHEAD";
          },
          kHostColumns, ReadOverhead};
}

TableReader HostRangesReader() {
  return {[](const ColumnsOfTable& table) {
            const bool named = table.HasColumn("nameId") || table.HasColumn("textId") || table.HasColumn("text");
            return table.HasColumn("start") && table.HasColumn("end") && table.HasColumn("globalTid") && named;
          },
          kHostColumns, ReadHostRanges};
}

}  // namespace warpsight::nsys_sqlite
