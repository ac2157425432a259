// RowSink: what the table readers append to: rows of the trace with their ledger, and the names that rows refer to.
//
// Place in the flow: TableCursor -> table reader -> RowSink -> TraceShard -> Seal. RowNames is one a worker thread and turns
// the file's numbers into indices of the shard's names, each number once. A RowSink is one a part of a table.
// What only the whole file can tell is left open and finished by FinishRows: ids of calls that several processes gave
// (correlation), names of NVTX domains, ends of ranges that were still open.
// Units: ns. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/nsys_sqlite/file_facts.h"
#include "formats/range_texts.h"
#include "trace/trace_builder.h"

namespace warpsight::nsys_sqlite {

// Name of an API call: as shown, and as recorded where that is longer ("cudaMalloc" and "cudaMalloc_v3020").
struct CallName {
  StringId shown = StringId::kEmpty;
  StringId recorded = StringId::kEmpty;
};

class RowNames {
 public:
  explicit RowNames(const FileFacts& facts);

  // Text of StringIds; kEmpty when the file has no such string.
  StringId Text(int64_t string_id);
  CallName Call(int64_t string_id);
  StringId Intern(std::string_view text) { return names_->strings.Intern(text); }

  ThreadIndex Thread(int64_t global_tid);
  // Ranges between start and end marks may cross everything else of their thread: they get a line of their own beside it.
  ThreadIndex RangeThread(int64_t global_tid);
  // What belongs to a process or to the recording, but to no thread.
  ThreadIndex ProcessThread(ProcessKey process, std::string_view label);
  // Device -1 when the file gives none.
  StreamIndex Stream(int64_t cuda_device, int64_t context, int64_t stream, ProcessKey process);

  const FileFacts& facts() const { return facts_; }
  // For texts of StringIds, and for any other text by Of().
  RangeTexts& range_texts() { return range_texts_; }
  const std::shared_ptr<LocalNames>& names() const { return names_; }
  // By local index.
  const std::vector<ProcessKey>& thread_processes() const { return thread_processes_; }
  const std::vector<ProcessKey>& stream_processes() const { return stream_processes_; }
  // Host threads met, with their global ids.
  const std::unordered_map<int64_t, ThreadIndex>& threads() const { return threads_; }

 private:
  ThreadIndex Note(ThreadIndex thread, ProcessKey process);

  const FileFacts& facts_;
  std::shared_ptr<LocalNames> names_;
  RangeTexts range_texts_;
  std::vector<StringId> texts_;  // by index in the string table; kEmpty = not asked for
  std::vector<CallName> calls_;
  std::unordered_map<int64_t, ThreadIndex> threads_;
  std::unordered_map<int64_t, ThreadIndex> range_threads_;
  std::map<std::pair<ProcessKey, std::string>, ThreadIndex> process_threads_;
  std::vector<ProcessKey> thread_processes_;
  std::vector<ProcessKey> stream_processes_;
  int64_t last_tid_ = -1;
  ThreadIndex last_thread_ = 0;
};

// Start and duration of a row that has both.
struct RowTimes {
  Ns start_ns = 0;
  Ns duration_ns = 0;
  bool usable = false;
  bool open = false;  // the end is not recorded
};

// Where the source of a row leads.
struct TableRow {
  uint64_t table = 0;  // its number in Database::Tables()
  int64_t row = 0;     // its rowid
};
TableRow TableRowOfSource(uint64_t source);

class RowSink {
 public:
  RowSink(RowNames& names, uint64_t table_number) : names_(names), table_number_(table_number) {
    shard_.names = names.names();
  }
  RowNames& names() { return names_; }
  const FileFacts& facts() const { return names_.facts(); }

  // Begins the ledger of the cursor's row; call once a row, before anything else.
  void Begin(const TableCursor& row);
  // Reads "start" and "end" at these columns; when they are not usable the row is excluded.
  RowTimes ReadTimes(const TableCursor& row, size_t start_column, size_t end_column);
  // Whether a number can be a time at all: kept, one near the ends of 64 bits would stretch the recording over centuries.
  static bool IsTime(int64_t value);
  // One time; false excludes the row.
  bool ReadTime(const TableCursor& row, size_t column, Ns& time);

  void Exclude(std::string_view cause, std::string_view what);
  void Repair(std::string_view cause, std::string_view what);

  // Append and set what all rows have: source and repair.
  HostEventRow& AddHost(const RowTimes& times);
  GpuWorkRow& AddGpu(const RowTimes& times);
  GpuSpanRow& AddSpan(const RowTimes& times);
  void AddInstant(Ns time, StringId name, ThreadIndex thread);
  // The row states a fact that is taken in (or that no analysis needs to place in time).
  void AddFact() { ++shard_.facts; }
  // A CPU sample, whose stack JoinStacks finds by its number.
  void AddSample(Ns time, ThreadIndex thread, int64_t number) {
    shard_.samples.push_back({time, thread, 0});
    sample_ids_.push_back(number);
  }
  // One function of the stack of a CPU sample.
  struct ChainRow {
    int64_t sample = 0;
    int64_t depth = 0;  // 0 = innermost
    StringId function = StringId::kEmpty;
    StringId module = StringId::kEmpty;
    FrameKind kind = FrameKind::kNative;
  };
  void AddChain(const ChainRow& frame) { chains_.push_back(frame); }

  // A text of StringIds by number; a missing one is a repair.
  StringId NameOf(const TableCursor& row, size_t column);

  // Left open for FinishRows.
  void DomainOf(int64_t domain) { domains_.push_back({shard_.host.size() - 1, domain}); }
  void DefineDomain(int64_t global_tid, int64_t domain, StringId name);
  void LeaveOpen() { open_.push_back(shard_.host.size() - 1); }
  void SeeRange(Ns time) { last_range_ns_ = std::max(last_range_ns_, time); }

  struct DomainRow {
    size_t host_row;
    int64_t domain;
  };
  TraceShard& shard() { return shard_; }
  const std::vector<int64_t>& sample_ids() const { return sample_ids_; }  // of the shard's samples
  const std::vector<ChainRow>& chains() const { return chains_; }
  const std::vector<DomainRow>& domains() const { return domains_; }
  const std::vector<size_t>& open_rows() const { return open_; }
  const std::map<std::pair<ProcessKey, int64_t>, StringId>& defined_domains() const { return defined_domains_; }
  Ns last_range_ns() const { return last_range_ns_; }

 private:
  template <typename Row>
  Row& Add(const RowTimes& times, std::vector<Row>& rows);
  std::string Place() const;
  uint64_t Source() const;

  RowNames& names_;
  uint64_t table_number_;
  TraceShard shard_;
  const TableCursor* row_ = nullptr;
  uint8_t mended_ = 0;
  bool counted_ = false;
  std::vector<DomainRow> domains_;
  std::vector<int64_t> sample_ids_;
  std::vector<ChainRow> chains_;
  std::vector<size_t> open_;
  std::map<std::pair<ProcessKey, int64_t>, StringId> defined_domains_;
  Ns last_range_ns_ = kMinNs;
};

// A correlation id as the model holds it; 0 for what is none.
uint32_t CorrelationOf(const TableCursor& row, size_t column);

}  // namespace warpsight::nsys_sqlite
