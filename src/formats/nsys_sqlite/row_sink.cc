#include "formats/nsys_sqlite/row_sink.h"

#include <limits>

#include "base/api_call_name.h"

namespace warpsight::nsys_sqlite {
namespace {

// No recording lasts a year: a longer event is damage, and kept it would hide all others.
constexpr Ns kLongestNs = Ns{366} * 24 * 3600 * 1'000'000'000;
// Times count from the start of the session, or are those of a wall clock: none is more than a century from either.
constexpr Ns kFarthestNs = Ns{1} << 62;
constexpr int kRowidBits = 48;

}  // namespace

TableRow TableRowOfSource(uint64_t source) {
  // The row's number is signed.
  return {source >> kRowidBits, static_cast<int64_t>(source << (64 - kRowidBits)) >> (64 - kRowidBits)};
}

RowNames::RowNames(const FileFacts& facts)
    : facts_(facts),
      names_(std::make_shared<LocalNames>()),
      range_texts_(names_->strings),
      texts_(facts.strings.size()),
      calls_(facts.strings.size()) {}

StringId RowNames::Text(int64_t string_id) {
  const std::optional<uint32_t> index = facts_.strings.IndexOf(string_id);
  if (!index) return StringId::kEmpty;
  StringId& known = texts_[*index];
  if (known == StringId::kEmpty) known = Intern(facts_.strings.View(*index));
  return known;
}

CallName RowNames::Call(int64_t string_id) {
  const std::optional<uint32_t> index = facts_.strings.IndexOf(string_id);
  if (!index) return {};
  CallName& known = calls_[*index];
  if (known.shown == StringId::kEmpty) {
    const std::string_view recorded = facts_.strings.View(*index);
    const std::string_view shown = WithoutCudaVersion(recorded);
    known.shown = Intern(shown);
    if (shown != recorded) known.recorded = Intern(recorded);
  }
  return known;
}

ThreadIndex RowNames::Note(ThreadIndex thread, ProcessKey process) {
  if (thread >= thread_processes_.size()) thread_processes_.resize(thread + 1, kNoProcess);
  thread_processes_[thread] = process;
  return thread;
}

ThreadIndex RowNames::Thread(int64_t global_tid) {
  if (global_tid == last_tid_) return last_thread_;
  const auto [found, added] = threads_.try_emplace(global_tid, 0);
  if (added) {
    const ProcessKey process = ProcessOf(global_tid);
    found->second = Note(names_->InternThread(facts_.processes.Label(process), std::to_string(TidOf(global_tid))), process);
  }
  last_tid_ = global_tid;
  return last_thread_ = found->second;
}

ThreadIndex RowNames::RangeThread(int64_t global_tid) {
  const auto [found, added] = range_threads_.try_emplace(global_tid, 0);
  if (added) {
    const ProcessKey process = ProcessOf(global_tid);
    const std::string label = std::to_string(TidOf(global_tid)) + " start/end ranges";
    found->second = Note(names_->InternThread(facts_.processes.Label(process), label), process);
  }
  return found->second;
}

ThreadIndex RowNames::ProcessThread(ProcessKey process, std::string_view label) {
  const auto [found, added] = process_threads_.try_emplace({process, std::string(label)}, 0);
  if (added) {
    const std::string pid = process == kNoProcess ? std::string("nsys") : facts_.processes.Label(process);
    found->second = Note(names_->InternThread(pid, label), process);
  }
  return found->second;
}

StreamIndex RowNames::Stream(int64_t cuda_device, int64_t context, int64_t stream, ProcessKey process) {
  // All streams of a context, as synchronisations say it.
  if (stream == std::numeric_limits<uint32_t>::max()) stream = -1;
  const int64_t owner = process == kNoProcess ? kAbsent : PidOf(process);
  const StreamIndex index = names_->InternStream(facts_.devices.Number(cuda_device, process), stream, context, owner);
  if (index >= stream_processes_.size()) stream_processes_.resize(index + 1, kNoProcess);
  stream_processes_[index] = process;
  return index;
}

void RowSink::Begin(const TableCursor& row) {
  row_ = &row;
  mended_ = 0;
  counted_ = false;
  shard_.log.CountRead();
}

std::string RowSink::Place() const {
  return " (first: table " + row_->table().name + ", row " + std::to_string(row_->rowid()) + ")";
}

uint64_t RowSink::Source() const {
  // A number that large is in no table of nsys's: its row can't be found again.
  const int64_t row = row_->rowid();
  if (row >> (kRowidBits - 1) != 0 && row >> (kRowidBits - 1) != -1) return kNoSource;
  return table_number_ << kRowidBits | (static_cast<uint64_t>(row_->rowid()) & ((uint64_t{1} << kRowidBits) - 1));
}

void RowSink::Exclude(std::string_view cause, std::string_view what) {
  if (mended_ != 0) {
    // A copy: the log's own list may move.
    const ImportCause repair = shard_.log.cause_at(mended_ - 1);
    shard_.log.TurnRepairToNote(repair);
    mended_ = 0;
    counted_ = false;
  }
  shard_.log.Add(cause, ImportSeverity::kError, counted_ ? Effect::kNote : Effect::kExcluded, std::string(what) + Place(),
                 -1);
  counted_ = true;
}

void RowSink::Repair(std::string_view cause, std::string_view what) {
  const size_t number = shard_.log.Add(cause, ImportSeverity::kWarning, counted_ ? Effect::kNote : Effect::kRepaired,
                                       std::string(what) + Place(), -1);
  if (!counted_) mended_ = static_cast<uint8_t>(number + 1);
  counted_ = true;
}

bool RowSink::IsTime(int64_t value) { return value > -kFarthestNs && value < kFarthestNs; }

bool RowSink::ReadTime(const TableCursor& row, size_t column, Ns& time) {
  const std::optional<int64_t> value = row.Integer(column);
  if (value && IsTime(*value)) {
    time = *value;
    return true;
  }
  if (value) {
    Exclude("absurd_timestamp", "the time of a row is a century away from any clock: it can't be placed");
  } else if (row.IsNull(column)) {
    Exclude("missing_timestamp", "a row has no time: it can't be placed");
  } else {
    Exclude("bad_timestamp", "the time of a row is no integer");
  }
  return false;
}

RowTimes RowSink::ReadTimes(const TableCursor& row, size_t start_column, size_t end_column) {
  RowTimes times;
  times.usable = ReadTime(row, start_column, times.start_ns);
  if (!times.usable) return times;
  const std::optional<int64_t> end = row.Integer(end_column);
  if (!end) {
    times.open = row.IsNull(end_column);
    if (!times.open) Repair("bad_duration", "the end of a row is no integer: its duration is taken as 0");
    return times;
  }
  times.duration_ns = SaturatingSubtract(*end, times.start_ns);
  if (times.duration_ns < 0) {
    Repair("negative_duration", "an event ends before it starts: its duration is taken as 0");
    times.duration_ns = 0;
  } else if (times.duration_ns > kLongestNs) {
    Repair("absurd_duration", "an event lasts longer than a year: its duration is taken as 0");
    times.duration_ns = 0;
  }
  return times;
}

template <typename Row>
Row& RowSink::Add(const RowTimes& times, std::vector<Row>& rows) {
  Row& row = rows.emplace_back();
  row.start_ns = times.start_ns;
  row.duration_ns = times.duration_ns;
  row.source = Source();
  row.mended = mended_;
  return row;
}

HostEventRow& RowSink::AddHost(const RowTimes& times) { return Add(times, shard_.host); }
GpuWorkRow& RowSink::AddGpu(const RowTimes& times) { return Add(times, shard_.gpu); }
GpuSpanRow& RowSink::AddSpan(const RowTimes& times) { return Add(times, shard_.gpu_spans); }

void RowSink::AddInstant(Ns time, StringId name, ThreadIndex thread) {
  InstantRow& row = shard_.instants.emplace_back();
  row.time_ns = time;
  row.source = Source();
  row.name = name;
  row.thread = thread;
}

StringId RowSink::NameOf(const TableCursor& row, size_t column) {
  const std::optional<int64_t> id = row.Integer(column);
  if (id) {
    if (const StringId name = names_.Text(*id); name != StringId::kEmpty) return name;
    if (facts().strings.IndexOf(*id)) return StringId::kEmpty;  // an empty name is a name
  }
  Repair("missing_name", "the name of a row is not among the file's strings: the row is kept without it");
  return StringId::kEmpty;
}

void RowSink::DefineDomain(int64_t global_tid, int64_t domain, StringId name) {
  defined_domains_.try_emplace({ProcessOf(global_tid), domain}, name);
}

uint32_t CorrelationOf(const TableCursor& row, size_t column) {
  const int64_t id = row.IntegerOr(column, 0);
  return id > 0 && id <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(id) : 0;
}

}  // namespace warpsight::nsys_sqlite
