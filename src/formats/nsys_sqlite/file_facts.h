// FileFacts: what the small tables of an nsys export say, which the rows of the large ones refer to by number.
//
// Place in the flow: read once, before the event tables; the workers that read those share it read-only.
//   StringTable      StringIds: number -> text
//   ProcessLabels    global ids -> process and thread labels. A global id holds, from the top: 8 bits hardware, 8 bits
//   virtual
//                    machine, 24 bits process, 24 bits thread
//   DeviceNumbers    CUDA ordinals -> device numbers of the trace. An ordinal is one process's way to count: while all
//                    processes mean the same GPU by it, it is kept; else devices are numbered as nsys numbers GPUs
// Errors: damage of a table is a note in the log. Threads: immutable once read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/nsys_sqlite/database.h"
#include "trace/trace_builder.h"

namespace warpsight::nsys_sqlite {

using TableList = std::vector<ColumnsOfTable>;

// The table of that name, null when there is none.
const ColumnsOfTable* FindTable(const TableList& tables, std::string_view name);

// Notes that a table could not be read to its end.
void NoteDamage(const ColumnsOfTable& table, std::string_view damage, int64_t rowid, ImportLog& log);
void NoteDamage(const TableCursor& cursor, ImportLog& log);

class StringTable {
 public:
  void Read(Database& database, const TableList& tables, ImportLog& log);
  // Dense index of a string number, for caches.
  std::optional<uint32_t> IndexOf(int64_t id) const;
  std::string_view View(uint32_t index) const {
    return std::string_view(text_).substr(places_[index].offset, places_[index].size);
  }
  std::optional<std::string_view> Find(int64_t id) const;
  size_t size() const { return places_.size(); }

 private:
  struct Place {
    int64_t id;
    size_t offset;
    size_t size;
  };
  std::string text_;
  std::vector<Place> places_;  // by id
};

// A process, by the part of a global id above the thread.
using ProcessKey = int64_t;
inline constexpr ProcessKey kNoProcess = -1;
constexpr ProcessKey ProcessOf(int64_t global_id) { return static_cast<int64_t>(static_cast<uint64_t>(global_id) >> 24); }
constexpr int64_t PidOf(ProcessKey process) { return process & 0xFFFFFF; }
constexpr int64_t TidOf(int64_t global_id) { return global_id & 0xFFFFFF; }

class ProcessLabels {
 public:
  void Read(Database& database, const TableList& tables, const StringTable& strings, ImportLog& log);
  // "1234"; "1234 of machine 5" when processes of several machines have the same number.
  std::string Label(ProcessKey process) const;
  // Names as the file gives them; empty when it gives none.
  std::string_view ProcessName(ProcessKey process) const;
  std::string_view ThreadName(int64_t global_tid) const;

 private:
  std::map<ProcessKey, std::string> process_names_;
  std::map<int64_t, std::string> thread_names_;
  std::set<int64_t> shared_pids_;
};

class DeviceNumbers {
 public:
  void Read(Database& database, const TableList& tables, ImportLog& log);
  int32_t Number(int64_t cuda_device, ProcessKey process) const;
  // Of a GPU by nsys's own number; -1 when no process could use it.
  int32_t NumberOfGpu(int64_t gpu) const;
  // Devices that the file describes, by number.
  const std::vector<Device>& devices() const { return devices_; }

 private:
  struct Gpu {
    std::optional<int64_t> id;
    std::optional<int64_t> cuda_ordinal;
    Device facts;
  };
  void ReadOrdinals(Database& database, const TableList& tables, ImportLog& log);
  std::vector<Gpu> ReadGpus(Database& database, const TableList& tables, ImportLog& log) const;
  void NumberDevices(const std::vector<Gpu>& gpus);

  std::map<std::pair<int64_t, int64_t>, int64_t> gpu_of_;  // (pid, CUDA ordinal) -> GPU id
  std::map<int64_t, int32_t> number_of_gpu_;
  bool by_gpu_id_ = false;
  std::vector<Device> devices_;
};

// A GPU metric as the file names it: "SMs Active [Throughput %]" is name and unit.
struct MetricName {
  std::string name;
  std::string unit;
};
MetricName ParseMetricName(std::string_view text);

// What the recorder said while it recorded, worth a line in the ledger.
struct FileFacts {
  StringTable strings;
  ProcessLabels processes;
  DeviceNumbers devices;
  std::map<std::pair<int64_t, int64_t>, MetricName> metrics;  // (typeId, metricId) of GPU metrics
};

FileFacts ReadFileFacts(Database& database, const TableList& tables, ImportLog& log);

// Producer, versions, start time, machine: into the recording's facts.
void ReadRecordingFacts(Database& database, const TableList& tables, RecordingInfo& info, ImportLog& log);

}  // namespace warpsight::nsys_sqlite
