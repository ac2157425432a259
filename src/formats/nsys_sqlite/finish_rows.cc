#include "formats/nsys_sqlite/finish_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace warpsight::nsys_sqlite {
namespace {

// Calls `visit(row, process)` for every row that has a correlation id of its process.
template <typename Visit>
void ForCorrelated(TableParts& parts, Visit visit) {
  for (TablePart& part : parts.parts) {
    const std::vector<ProcessKey>& of_thread = part.names->thread_processes();
    const std::vector<ProcessKey>& of_stream = part.names->stream_processes();
    for (HostEventRow& row : part.sink->shard().host) {
      if (row.kind == HostKind::kApi && row.correlation != 0) visit(row.correlation, of_thread[row.thread]);
    }
    for (GpuWorkRow& row : part.sink->shard().gpu) {
      if (row.correlation != 0) visit(row.correlation, of_stream[row.stream]);
    }
    for (GpuSpanRow& row : part.sink->shard().gpu_spans) {
      if (row.correlation != 0) visit(row.correlation, of_stream[row.stream]);
    }
  }
}

// Every process gets the ids behind those of the one before. When they do not fit so, ids are numbered anew, one by one.
void NumberCorrelations(TableParts& parts) {
  std::map<ProcessKey, uint64_t> largest;
  ForCorrelated(parts, [&, last = largest.end()](uint32_t id, ProcessKey process) mutable {
    if (last == largest.end() || last->first != process) last = largest.try_emplace(process, 0).first;
    last->second = std::max<uint64_t>(last->second, id);
  });
  // GPU records of files that name no process are the only process's.
  if (largest.size() < 2 || (largest.size() == 2 && largest.count(kNoProcess) != 0)) return;
  std::map<ProcessKey, uint64_t> before;
  uint64_t sum = 0;
  for (const auto& [process, most] : largest) {
    before[process] = sum;
    sum += most;
  }
  if (sum <= std::numeric_limits<uint32_t>::max()) {
    ForCorrelated(parts, [&](uint32_t& id, ProcessKey process) { id += static_cast<uint32_t>(before[process]); });
    return;
  }
  std::set<std::pair<ProcessKey, uint32_t>> known;
  ForCorrelated(parts, [&](uint32_t id, ProcessKey process) { known.emplace(process, id); });
  std::map<std::pair<ProcessKey, uint32_t>, uint32_t> number;
  for (const auto& pair : known) number.emplace_hint(number.end(), pair, static_cast<uint32_t>(number.size() + 1));
  ForCorrelated(parts, [&](uint32_t& id, ProcessKey process) { id = number[{process, id}]; });
}

void NameDomains(TableParts& parts) {
  std::map<std::pair<ProcessKey, int64_t>, std::string_view> domains;
  for (const TablePart& part : parts.parts) {
    for (const auto& [key, name] : part.sink->defined_domains())
      domains.try_emplace(key, part.names->names()->strings.View(name));
  }
  for (TablePart& part : parts.parts) {
    for (const RowSink::DomainRow& of : part.sink->domains()) {
      HostEventRow& row = part.sink->shard().host[of.host_row];
      const auto found = domains.find({part.names->thread_processes()[row.thread], of.domain});
      if (found != domains.end() && row.kind == HostKind::kRange)
        row.types = part.names->range_texts().NameOfShared(found->second);
    }
  }
}

void CloseOpenRanges(TableParts& parts) {
  Ns last = kMinNs;
  for (const TablePart& part : parts.parts) last = std::max(last, part.sink->last_range_ns());
  for (TablePart& part : parts.parts) {
    for (const size_t at : part.sink->open_rows()) {
      HostEventRow& row = part.sink->shard().host[at];
      row.duration_ns = std::max<Ns>(0, SaturatingSubtract(last, row.start_ns));
    }
  }
}

// nsys stores clocks in Hz under names that say "[MHz]", and scales them when it shows them. No clock has as many MHz.
void CorrectClockUnits(TableParts& parts) {
  constexpr int64_t kMostMhz = 100'000;
  const auto clocks_of = [](const RowNames& names) {
    std::vector<bool> is_clock;
    for (CounterIndex i = 0; i < names.names()->counter_count(); ++i)
      is_clock.push_back(names.names()->strings.View(names.names()->counter(i).unit) == "MHz");
    return is_clock;
  };
  const bool in_hz = std::any_of(parts.parts.begin(), parts.parts.end(), [&](const TablePart& part) {
    const std::vector<bool> is_clock = clocks_of(*part.names);
    const CounterColumns& columns = part.sink->shard().counters;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (is_clock[columns.counter[i]] && columns.value[i] > kMostMhz) return true;
    }
    return false;
  });
  if (!in_hz) return;
  for (const std::unique_ptr<RowNames>& names : parts.names) {
    const std::vector<bool> is_clock = clocks_of(*names);
    for (CounterIndex i = 0; i < is_clock.size(); ++i) {
      if (is_clock[i]) names->names()->SetCounterUnit(i, names->Intern("Hz"));
    }
  }
}

void NameThreadsOf(RowNames& names, const FileFacts& facts, TraceShard& shard) {
  for (const auto& [global_tid, thread] : names.threads()) {
    if (const std::string_view name = facts.processes.ThreadName(global_tid); !name.empty())
      shard.thread_names.push_back({thread, false, std::string(name)});
    if (const std::string_view name = facts.processes.ProcessName(ProcessOf(global_tid)); !name.empty())
      shard.thread_names.push_back({thread, true, std::string(name)});
  }
  // The map's order is not the file's.
  std::sort(shard.thread_names.begin(), shard.thread_names.end(), [](const NameRow& a, const NameRow& b) {
    return std::tie(a.thread, a.process) < std::tie(b.thread, b.process);
  });
}

}  // namespace

std::vector<TraceShard> FinishRows(TableParts parts, const FileFacts& facts, ImportLog log) {
  NameDomains(parts);
  JoinStacks(parts, log);
  CloseOpenRanges(parts);
  NumberCorrelations(parts);
  CorrectClockUnits(parts);
  std::vector<TraceShard> shards;
  std::set<const RowNames*> named;
  for (TablePart& part : parts.parts) {
    if (named.insert(part.names).second) NameThreadsOf(*part.names, facts, part.sink->shard());
    shards.push_back(std::move(part.sink->shard()));
  }
  if (shards.empty()) shards.emplace_back().names = std::make_shared<LocalNames>();
  shards.front().log.Merge(log);
  return shards;
}

}  // namespace warpsight::nsys_sqlite
