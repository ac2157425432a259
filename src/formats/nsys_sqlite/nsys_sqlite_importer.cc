#include "formats/nsys_sqlite/nsys_sqlite_importer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/parallel.h"
#include "base/whole_input.h"
#include "formats/nsys_sqlite/event_row.h"
#include "formats/nsys_sqlite/files_beside.h"
#include "formats/nsys_sqlite/finish_rows.h"
#include "formats/nsys_sqlite/table_parts.h"
#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight {
namespace {

using namespace nsys_sqlite;

constexpr std::string_view kSqliteMagic = std::string_view("SQLite format 3\0", 16);

// What the bytes lie in, kept alive while they are read.
struct WholeSource {
  std::unique_ptr<ByteSource> given;
  std::unique_ptr<std::string> bytes;  // of a source without random access
  std::unique_ptr<ByteSource> in_memory;
  const ByteSource& random_access() const { return in_memory ? *in_memory : *given; }
};

Status TakeIntoMemory(WholeSource& source, const ImportOptions& options) {
  Result<std::unique_ptr<std::string>> bytes = ReadWhole(*source.given, {}, options.progress);
  if (!bytes.ok()) return bytes.status();
  source.bytes = std::move(bytes).value();
  Result<std::unique_ptr<ByteSource>> in_memory = OpenByteSource(*source.bytes, source.given->name());
  if (!in_memory.ok()) return in_memory.status();
  source.in_memory = std::move(in_memory).value();
  return OkStatus();
}

bool IsNsysTable(const ColumnsOfTable& table) {
  return table.name == "StringIds" || table.name.rfind("TARGET_INFO_", 0) == 0 || table.name.rfind("META_DATA_", 0) == 0 ||
         table.name == "EXPORT_META_DATA" || ReaderOf(table) != nullptr;
}

Status NotNsys(const std::string& name, const TableList& tables) {
  if (FindTable(tables, "StringTable") != nullptr) {
    return UnreadableError(name +
                           ": is an nvprof recording, not an Nsight Systems export: record with nsys (nvprof ended "
                           "with CUDA 12)");
  }
  return UnreadableError(name +
                         ": is a SQLite database, but no Nsight Systems export (it has none of the tables that nsys "
                         "writes): give what `nsys export --type sqlite` wrote");
}

// Every row read must be a row of the trace, a fact taken in, or excluded: counted here from the tables, not from the
// ledger.
void CheckRows(const std::vector<TraceShard>& shards) {
  int64_t in_trace = 0;
  int64_t expected = 0;
  for (const TraceShard& shard : shards) {
    in_trace += shard.events();
    expected += shard.log.kept() + shard.log.repaired();
  }
  CHECK(in_trace == expected);
}

void NoteFile(const WholeSource& source, const SourceVfs& vfs, const Database& database, ImportLog& log) {
  if (!source.given->problem().empty())
    log.Add("damaged_container", ImportSeverity::kError, Effect::kNote, source.given->problem(), -1);
  if (vfs.missing_bytes() > 0) {
    log.Add("cut_off_file", ImportSeverity::kError, Effect::kNote,
            "the file is " + std::to_string(vfs.missing_bytes()) +
                " bytes shorter than its header says: tables in the missing part are lost",
            -1);
  }
  NoteFilesBeside(source.given->name(), log);
  log.Add("views_not_read", ImportSeverity::kInfo, Effect::kNote,
          "the file holds views or virtual tables, which nsys does not write: they are not read", -1,
          database.left_out_tables());
}

class NsysSqliteImporter final : public Importer {
 public:
  std::string_view name() const override { return "nsys_sqlite"; }
  std::string_view description() const override { return "Nsight Systems SQLite export (nsys export --type sqlite)"; }

  bool Recognises(std::string_view head) const override { return head.substr(0, kSqliteMagic.size()) == kSqliteMagic; }

  Result<Trace> Import(std::unique_ptr<ByteSource> given, const ImportOptions& options) const override {
    WholeSource source;
    source.given = std::move(given);
    if (source.given->size() < 0) WARPSIGHT_RETURN_IF_ERROR(TakeIntoMemory(source, options));
    const std::string& name = source.given->name();
    const SourceVfs vfs(source.random_access());
    const auto damaged = [&](const Status& why) {
      return UnreadableError(name + ": the SQLite database cannot be read (" + why.message() +
                             "): copy it again, or export it again with nsys");
    };
    Result<std::unique_ptr<Database>> opened = Database::Open(vfs);
    if (!opened.ok()) return damaged(opened.status());
    Database& database = **opened;
    const Result<TableList> tables = database.Tables();
    if (!tables.ok()) return damaged(tables.status());
    if (std::none_of(tables->begin(), tables->end(), IsNsysTable)) return NotNsys(name, *tables);

    ImportLog log;
    TraceHeader header;
    const FileFacts facts = ReadFileFacts(database, *tables, log);
    header.devices = facts.devices.devices();
    ReadRecordingFacts(database, *tables, header.recording, log);
    Result<TableParts> parts = ReadTables(vfs, database, *tables, facts, options);
    if (!parts.ok()) return damaged(parts.status());
    NoteFile(source, vfs, database, log);
    std::vector<TraceShard> shards = FinishRows(std::move(parts).value(), facts, log);
    CheckRows(shards);
    RecordingInfo& info = header.recording;
    info.file = name;
    info.container = source.given->container();
    info.file_bytes = source.given->stored_bytes();
    info.inflated_bytes = source.random_access().size();
    for (const TraceShard& shard : shards) info.has_shapes |= shard.has_shapes;
    return Seal(std::move(header), std::move(shards), {.threads = WorkerCount(options.threads)});
  }

  Result<std::string> ReadEvent(std::unique_ptr<ByteSource> given, uint64_t event) const override {
    WholeSource source;
    source.given = std::move(given);
    if (source.given->size() < 0) WARPSIGHT_RETURN_IF_ERROR(TakeIntoMemory(source, {}));
    const SourceVfs vfs(source.random_access());
    return ReadEventRow(vfs, source.given->name(), event);
  }
};

}  // namespace

std::unique_ptr<Importer> MakeNsysSqliteImporter() { return std::make_unique<NsysSqliteImporter>(); }

}  // namespace warpsight
