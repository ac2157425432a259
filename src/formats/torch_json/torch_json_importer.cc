#include "formats/torch_json/torch_json_importer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/memory_counter_names.h"
#include "base/parallel.h"
#include "formats/torch_json/event_text.h"
#include "formats/torch_json/metadata.h"
#include "formats/torch_json/parse_events.h"
#include "formats/torch_json/top_level.h"

namespace warpsight {
namespace {

using namespace torch_json;

constexpr size_t kFirstRead = size_t{64} << 10;
constexpr size_t kLargestPrologue = size_t{32} << 20;

struct Start {
  Prologue prologue;
  std::string text;  // all that was read so far
};

// Reads until the event array is found.
Start FindEvents(ByteSource& source) {
  Start start;
  for (size_t target = kFirstRead;; target *= 4) {
    const size_t had = start.text.size();
    start.text.resize(target);
    const bool random_access = source.size() >= 0;
    const size_t got = random_access ? source.ReadAt(had, start.text.data() + had, target - had)
                                     : source.Read(start.text.data() + had, target - had);
    start.text.resize(had + got);
    start.prologue = ReadPrologue(start.text);
    if (start.prologue.outcome != PrologueOutcome::kNeedsMore || got < target - had || target >= kLargestPrologue)
      return start;
  }
}

std::string WithProblem(const ByteSource& source, const std::string& message) {
  return source.problem().empty() ? message : message + " (" + source.problem() + ")";
}

// Why the file can't be read, when FindEvents found no events.
Status Refusal(const ByteSource& source, const Start& start) {
  const std::string& name = source.name();
  if (start.text.empty()) return UnreadableError(WithProblem(source, name + ": the file is empty: record the trace again"));
  if (start.prologue.outcome == PrologueOutcome::kNeedsMore) {
    return UnreadableError(
        WithProblem(source, name + ": ends before \"traceEvents\" begins (" + std::to_string(start.text.size()) +
                                " bytes read): the file is cut off or no Chrome trace; record or copy it again"));
  }
  return UnreadableError(WithProblem(
      source,
      name + ": " + start.prologue.reason + ": not a PyTorch profiler trace; give the file that export_chrome_trace wrote"));
}

constexpr std::string_view kBlanks = " \t\r\n";  // of JSON

void NoteEndOfFile(const BlockJoiner& joiner, const Prologue& prologue, const Epilogue& epilogue, ImportLog& log) {
  if (!joiner.array_ended() && !joiner.cut_off()) {
    log.Add("unterminated_array", prologue.bare_array ? ImportSeverity::kInfo : ImportSeverity::kWarning, Effect::kNote,
            "the file ends without closing the event array: events after its end, if there were any, are missing", -1);
  } else if (joiner.cut_off()) {
    log.Add("cut_off_file", ImportSeverity::kError, Effect::kNote,
            "the file ends inside an event: what came after is missing", -1);
  } else if (!epilogue.closed || epilogue.damaged || !joiner.epilogue_complete()) {
    log.Add("damaged_epilogue", ImportSeverity::kWarning, Effect::kNote,
            "the text after the events could not be read to its end", static_cast<int64_t>(joiner.epilogue_offset()));
  }
  if (epilogue.trailing_bytes > 0) {
    log.Add("trailing_bytes", ImportSeverity::kWarning, Effect::kNote,
            std::to_string(epilogue.trailing_bytes) + " bytes after the end of the JSON were ignored", -1);
  }
  if (prologue.damaged) {
    log.Add("damaged_metadata", ImportSeverity::kWarning, Effect::kNote, "the facts before the events could not be read", 0);
  }
}

void DescribeFile(const ByteSource& source, const Prologue& prologue, uint64_t inflated_bytes, RecordingInfo& info) {
  info.file = source.name();
  info.container = source.container();
  info.file_bytes = source.stored_bytes();
  info.inflated_bytes = static_cast<int64_t>(inflated_bytes);
  const bool kineto = std::any_of(info.properties.begin(), info.properties.end(), [](const auto& property) {
    return property.first == "schemaVersion" || property.first == "deviceProperties" || property.first == "distributedInfo";
  });
  info.producer = kineto && !prologue.bare_array ? "pytorch-profiler" : "chrome-trace";
}

// Which optional facts the rows hold.
void NoteContents(const std::vector<TraceShard>& shards, RecordingInfo& info) {
  for (const TraceShard& shard : shards) {
    info.has_shapes |= shard.has_shapes;
    info.has_stacks |= shard.has_frames;
    info.has_memory_events |= shard.has_memory_reports;
    for (const InstantRow& row : shard.instants)
      info.has_memory_events |= shard.names->strings.View(row.name) == kPytorchMemoryReport;
  }
}

// Every event read must be a row, the end of a pair, a fact taken in, or excluded: counted here from the tables, not from
// the ledger.
void CheckLedger(const std::vector<TraceShard>& shards) {
  int64_t in_trace = 0;
  int64_t expected = 0;
  for (const TraceShard& shard : shards) {
    in_trace += shard.events();
    expected += shard.log.kept() + shard.log.repaired();
  }
  CHECK(in_trace == expected);
}

class TorchJsonImporter final : public Importer {
 public:
  std::string_view name() const override { return "torch_json"; }
  std::string_view description() const override { return "PyTorch profiler (Kineto) Chrome JSON, also .gz and .zst"; }

  bool Recognises(std::string_view head) const override {
    if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
    const size_t at = head.find_first_not_of(kBlanks);
    if (at == std::string_view::npos || head[at] != '[') return at != std::string_view::npos && head[at] == '{';
    // A bare array holds events; other texts begin with brackets too ("[561] python ..."). One cut off here may be either.
    const size_t next = head.find_first_not_of(kBlanks, at + 1);
    return next == std::string_view::npos || head[next] == '{' || head[next] == ']';
  }

  Result<Trace> Import(std::unique_ptr<ByteSource> source, const ImportOptions& options) const override {
    Start start = FindEvents(*source);
    if (start.prologue.outcome != PrologueOutcome::kEvents) return Refusal(*source, start);
    const size_t events_at = start.prologue.events_at;
    const int workers = WorkerCount(options.threads);
    BlockReader reader(*source, events_at, source->size() >= 0 ? std::string() : start.text.substr(events_at), options);
    start.text = std::string();
    BlockJoiner joiner;
    ParseEvents(reader, workers, joiner);
    joiner.Finish();
    const Epilogue epilogue = ReadEpilogue(joiner.epilogue(), start.prologue.bare_array);

    std::vector<TraceShard> shards = joiner.TakeShards();
    if (shards.empty()) shards.emplace_back().names = std::make_shared<LocalNames>();
    ImportLog& log = shards.front().log;
    NoteEndOfFile(joiner, start.prologue, epilogue, log);
    if (!source->problem().empty()) {
      log.Add("damaged_container", ImportSeverity::kError, Effect::kNote, source->problem(), -1);
    }
    log.Add("short_read", ImportSeverity::kError, Effect::kNote,
            "reading gave less than the size of the file: it shrank or the disk failed; events are missing", -1,
            reader.short_reads());
    TraceHeader header;
    ReadMetadata(start.prologue.members, header, log);
    ReadMetadata(epilogue.members, header, log);
    DescribeFile(*source, start.prologue, reader.bytes_given(), header.recording);
    NoteContents(shards, header.recording);
    CheckLedger(shards);
    Trace trace = Seal(std::move(header), std::move(shards), {.threads = workers});
    if (trace.log().read() > 0 && trace.log().excluded() == trace.log().read()) {
      return UnreadableError(source->name() + ": " + std::to_string(trace.log().read()) +
                             " objects, none of them a trace event: not a PyTorch profiler trace; give the file that "
                             "export_chrome_trace wrote");
    }
    return trace;
  }

  Result<std::string> ReadEvent(std::unique_ptr<ByteSource> source, uint64_t event) const override {
    return ReadEventAt(*source, event);
  }
};

}  // namespace

std::unique_ptr<Importer> MakeTorchJsonImporter() { return std::make_unique<TorchJsonImporter>(); }

}  // namespace warpsight
