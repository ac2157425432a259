#include <array>

#include "formats/nsys_sqlite/file_facts.h"

namespace warpsight::nsys_sqlite {
namespace {

// Of a thread or process; every row of a thread may name it anew, and all threads of a process carry its name.
constexpr size_t kMostNameBytes = 1024;

}  // namespace

void ProcessLabels::Read(Database& database, const TableList& tables, const StringTable& strings, ImportLog& log) {
  std::map<int64_t, ProcessKey> first_of_pid;
  const auto meet = [&](ProcessKey process) {
    if (first_of_pid.try_emplace(PidOf(process), process).first->second != process) shared_pids_.insert(PidOf(process));
  };
  if (const ColumnsOfTable* table = FindTable(tables, "PROCESSES")) {
    static constexpr std::array<std::string_view, 2> kColumns = {"globalPid", "name"};
    TableCursor rows(database, *table, kColumns);
    while (rows.Next()) {
      const std::optional<int64_t> global = rows.Integer(0);
      if (!global) continue;
      meet(ProcessOf(*global));
      process_names_.try_emplace(ProcessOf(*global), rows.Text(1).substr(0, kMostNameBytes));
    }
    NoteDamage(rows, log);
  }
  if (const ColumnsOfTable* table = FindTable(tables, "ThreadNames")) {
    static constexpr std::array<std::string_view, 2> kColumns = {"globalTid", "nameId"};
    TableCursor rows(database, *table, kColumns);
    while (rows.Next()) {
      const std::optional<int64_t> global = rows.Integer(0);
      const std::optional<std::string_view> name = strings.Find(rows.IntegerOr(1, -1));
      if (!global || !name) continue;
      meet(ProcessOf(*global));
      thread_names_.insert_or_assign(
          *global, std::string(name->substr(0, kMostNameBytes)));  // a thread that renames itself: the last one counts
    }
    NoteDamage(rows, log);
  }
}

std::string ProcessLabels::Label(ProcessKey process) const {
  const int64_t pid = PidOf(process);
  if (shared_pids_.count(pid) == 0) return std::to_string(pid);
  return std::to_string(pid) + " of machine " + std::to_string(process >> 24);
}

std::string_view ProcessLabels::ProcessName(ProcessKey process) const {
  const auto found = process_names_.find(process);
  return found == process_names_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view ProcessLabels::ThreadName(int64_t global_tid) const {
  const auto found = thread_names_.find(global_tid);
  return found == thread_names_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace warpsight::nsys_sqlite
