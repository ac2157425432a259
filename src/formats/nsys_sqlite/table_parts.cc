#include "formats/nsys_sqlite/table_parts.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight::nsys_sqlite {
namespace {

constexpr uint64_t kRowsPerPart = 100'000;
constexpr uint64_t kMostParts = 256;  // of one table; row numbers of a hostile file may be far apart

struct PlannedPart {
  const ColumnsOfTable* table;
  const TableReader* reader;  // null: the rows are counted only
  RowidRange range;
  uint64_t table_number;
};

std::vector<PlannedPart> PlanParts(Database& database, const TableList& tables, size_t rows_per_part) {
  std::vector<PlannedPart> plan;
  for (size_t number = 0; number < tables.size(); ++number) {
    const ColumnsOfTable& table = tables[number];
    const TableReader* reader = ReaderOf(table);
    if (reader == nullptr && !HasEventTimes(table)) continue;
    const std::optional<RowidRange> rowids = database.Rowids(table);
    if (!rowids) {
      // Empty, without row numbers, or damaged at either end: read as a whole.
      plan.push_back({&table, reader, {}, number});
      continue;
    }
    const uint64_t width = static_cast<uint64_t>(rowids->last) - static_cast<uint64_t>(rowids->first);
    const uint64_t parts = std::min(kMostParts, width / rows_per_part + 1);
    const uint64_t step = width / parts + 1;
    for (uint64_t part = 0; part < parts; ++part) {
      // Modulo 2^64, as row numbers may span more than half of it.
      const uint64_t first = static_cast<uint64_t>(rowids->first) + part * step;
      // Open at both ends: whatever the smallest and largest number may be, no row lies outside.
      plan.push_back({&table,
                      reader,
                      {part == 0 ? INT64_MIN : static_cast<int64_t>(first),
                       part + 1 == parts ? INT64_MAX : static_cast<int64_t>(first + step - 1)},
                      number});
    }
  }
  return plan;
}

// "unused_sched_events": one cause a table, so that each is counted for itself.
std::string UnusedCause(std::string_view table) {
  std::string cause = "unused_";
  for (const char c : table) {
    cause += std::isalnum(static_cast<unsigned char>(c)) != 0
                 ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                 : '_';
  }
  return cause;
}

void CountUnused(TableCursor& rows, ImportLog& log) {
  while (rows.Next()) continue;
  log.CountRead(rows.rows());
  log.Add(UnusedCause(rows.table().name), ImportSeverity::kInfo, Effect::kExcluded,
          "table " + rows.table().name + " holds events that no analysis here uses: they stay in the file", -1, rows.rows());
}

void ReadPart(Database& database, const PlannedPart& planned, TablePart& part) {
  RowSink& sink = *part.sink;
  static constexpr std::span<const std::string_view> kNoColumns;
  TableCursor rows(database, *planned.table, planned.reader != nullptr ? planned.reader->columns : kNoColumns,
                   planned.range);
  if (planned.reader != nullptr) {
    planned.reader->read(rows, sink);
  } else {
    CountUnused(rows, sink.shard().log);
  }
  NoteDamage(rows, sink.shard().log);
  part.first_row = rows.first_row();
  part.row_behind = rows.row_behind();
  part.damaged = !rows.damage().empty();
}

// A part is found by search and ended by a row number. Where a number is damaged, a search or an end may go wrong within a
// part that looks sound: but then the row that ended it is not the one that the next part begins with. Not seen: a damaged
// number that equals the one a part begins with, found in its stead; counting the rows for that would read every
// table twice.
void CheckBorders(const std::vector<PlannedPart>& plan, std::vector<TablePart>& parts) {
  for (size_t at = 1; at < plan.size(); ++at) {
    const TablePart& before = parts[at - 1];
    TablePart& part = parts[at];
    if (plan[at].table != plan[at - 1].table || before.damaged || part.damaged) continue;
    const std::optional<int64_t> met = part.first_row ? part.first_row : part.row_behind;
    if (before.row_behind == met) continue;
    NoteDamage(*plan[at].table, kRowsOutOfOrder, plan[at].range.first, part.sink->shard().log);
  }
}

}  // namespace

Result<TableParts> ReadTables(const SourceVfs& vfs, Database& database, const TableList& tables, const FileFacts& facts,
                              const ImportOptions& options) {
  // Tests make blocks tiny to place borders everywhere.
  const size_t rows_per_part = options.block_bytes < kRowsPerPart ? std::max<size_t>(options.block_bytes, 1) : kRowsPerPart;
  const std::vector<PlannedPart> plan = PlanParts(database, tables, rows_per_part);
  TableParts result;
  result.parts.resize(plan.size());
  const int workers = std::max(1, std::min(WorkerCount(options.threads), static_cast<int>(plan.size())));
  for (int worker = 0; worker < workers; ++worker) result.names.push_back(std::make_unique<RowNames>(facts));
  std::atomic<size_t> next = 0;
  std::mutex mutex;  // guards `problem`, `done` and the progress call
  Status problem;
  size_t done = 0;
  RunOnThreads(workers, [&](int worker) {
    std::unique_ptr<Database> own;
    if (worker > 0) {
      Result<std::unique_ptr<Database>> opened = Database::Open(vfs);
      if (!opened.ok()) {
        const std::lock_guard<std::mutex> lock(mutex);
        problem = opened.status();
        return;
      }
      own = std::move(opened).value();
    }
    Database& connection = own ? *own : database;
    RowNames& names = *result.names[static_cast<size_t>(worker)];
    for (size_t at = next++; at < plan.size(); at = next++) {
      TablePart& part = result.parts[at];
      part.names = &names;
      part.sink = std::make_unique<RowSink>(names, plan[at].table_number);
      ReadPart(connection, plan[at], part);
      const std::lock_guard<std::mutex> lock(mutex);
      ++done;
      const int64_t size = vfs.source().size();
      if (options.progress)
        options.progress(
            static_cast<int64_t>(static_cast<double>(size) * static_cast<double>(done) / static_cast<double>(plan.size())),
            size);
    }
  });
  if (!problem.ok()) return problem;
  CheckBorders(plan, result.parts);
  return result;
}

}  // namespace warpsight::nsys_sqlite
