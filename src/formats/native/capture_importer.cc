#include "formats/native/capture_importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/parallel.h"
#include "base/whole_input.h"
#include "formats/native/chunk_list.h"
#include "formats/native/chunk_rows.h"
#include "formats/native/event_record.h"
#include "formats/native/join_chunks.h"

namespace warpsight {
namespace {

using namespace native;

// A chunk that does not read to its end: what it gave before stays.
void NoteDamage(const StoredChunk& chunk, size_t at, ChunkRows& rows) {
  rows.shard.log.Add(
      "damaged_chunk", ImportSeverity::kError, Effect::kNote,
      fmt::format("a chunk of the capture is damaged: its {} bytes are read up to byte {}", chunk.header.raw_bytes, at),
      static_cast<int64_t>(chunk.offset));
}

// `names` must outlive the rows.
std::vector<ChunkRows> ReadChunks(const ChunkList& list, int threads, std::vector<WorkerNames>& names) {
  std::vector<std::optional<ChunkRows>> read(list.chunks.size());
  const int workers = std::clamp(threads, 1, std::max(1, static_cast<int>(list.chunks.size())));
  names.resize(static_cast<size_t>(workers));
  std::atomic<size_t> next{0};
  RunOnThreads(workers, [&](int worker) {
    std::vector<uint8_t> raw;
    for (size_t i = next++; i < list.chunks.size(); i = next++) {
      const StoredChunk& chunk = list.chunks[i];
      ChunkRows& rows = read[i].emplace(names[static_cast<size_t>(worker)],
                                        ProcessId{chunk.header.process, chunk.header.session}, chunk.number);
      if (!Inflate(chunk, raw)) {
        NoteDamage(chunk, 0, rows);
        continue;
      }
      const wire::DecodedChunk decoded = wire::DecodeChunk(raw, chunk.header.base_ns, rows);
      if (!decoded.whole) NoteDamage(chunk, decoded.bad_at, rows);
    }
  });
  std::vector<ChunkRows> rows;
  rows.reserve(read.size());
  for (std::optional<ChunkRows>& one : read) rows.push_back(std::move(*one));
  return rows;
}

void NoteFile(const ByteSource& source, const ChunkList& list, ImportLog& log) {
  if (!source.problem().empty()) log.Add("damaged_container", ImportSeverity::kError, Effect::kNote, source.problem(), -1);
  if (list.bytes_left > 0) {
    log.Add("cut_off_file", ImportSeverity::kError, Effect::kNote,
            fmt::format("the capture does not go on after byte {}: its last {} bytes are no whole chunk", list.damaged_at,
                        list.bytes_left),
            static_cast<int64_t>(list.damaged_at));
  }
}

// Every record read must be a row or excluded: counted here from the tables, not from the ledger.
void CheckRows(const TraceShard& shard) { CHECK(shard.events() == shard.log.kept() + shard.log.repaired()); }

class CaptureImporter final : public Importer {
 public:
  std::string_view name() const override { return "capture"; }
  std::string_view description() const override { return "capture of warpsight record"; }
  bool Recognises(std::string_view head) const override { return head.starts_with(wire::kFileMagic); }

  Result<Trace> Import(std::unique_ptr<ByteSource> source, const ImportOptions& options) const override {
    const Result<std::unique_ptr<std::string>> bytes = ReadWhole(*source, {}, options.progress);
    if (!bytes.ok()) return bytes.status();
    Result<ChunkList> list = ListChunks(**bytes, source->name());
    if (!list.ok()) return list.status();
    if (options.process) {
      std::erase_if(list->chunks, [&](const StoredChunk& chunk) {
        return chunk.header.process != 0 && int64_t{chunk.header.process} != *options.process;
      });
    }
    WARPSIGHT_RETURN_IF_ERROR(CheckExpansion(*list, source->name()));
    if (list->chunks.empty())
      return UnreadableError(source->name() +
                             ": the capture holds no whole chunk: its program was killed in the first second");
    const int threads = WorkerCount(options.threads);
    std::vector<WorkerNames> names;
    std::vector<ChunkRows> chunks = ReadChunks(*list, threads, names);
    ImportLog log;
    NoteFile(*source, *list, log);
    TraceHeader header;
    std::vector<uint32_t> sequences;
    for (const StoredChunk& chunk : list->chunks) sequences.push_back(chunk.header.sequence);
    JoinChunks(chunks, sequences, header, log);
    RecordingInfo& info = header.recording;
    info.file = source->name();
    if (options.process) info.file += fmt::format(" (process {})", *options.process);
    info.container = source->container();
    info.file_bytes = source->stored_bytes();
    info.inflated_bytes = static_cast<int64_t>((*bytes)->size());
    std::vector<TraceShard> shards;
    for (ChunkRows& chunk : chunks) {
      CheckRows(chunk.shard);
      shards.push_back(std::move(chunk.shard));
    }
    shards.front().log.Merge(log);
    return Seal(std::move(header), std::move(shards), {.threads = threads});
  }

  Result<std::string> ReadEvent(std::unique_ptr<ByteSource> source, uint64_t event) const override {
    if (source->size() >= 0) return ReadEventRecord(*source, event);
    const Result<std::unique_ptr<std::string>> bytes = ReadWhole(*source, {}, {});
    if (!bytes.ok()) return bytes.status();
    const Result<std::unique_ptr<ByteSource>> in_memory = OpenByteSource(**bytes, source->name());
    if (!in_memory.ok()) return in_memory.status();
    return ReadEventRecord(**in_memory, event);
  }
};

}  // namespace

std::unique_ptr<Importer> MakeCaptureImporter() { return std::make_unique<CaptureImporter>(); }

}  // namespace warpsight
