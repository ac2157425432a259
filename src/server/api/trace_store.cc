#include "server/api/trace_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "base/process_memory.h"
#include "formats/open_counters.h"
#include "formats/open_trace.h"

namespace warpsight::server {
namespace {

Status OurFault(const std::string& file, const std::exception& error) {
  return InternalError(file + ": internal error: " + error.what() + "; please report this");
}

// No exception may leave a thread: memory that ends fails the file.
Result<Trace> OpenWithinMemory(const std::string& file, const ImportOptions& how) {
  try {
    return OpenTrace(file, how);
  } catch (const std::bad_alloc&) {
    return UnreadableError(file + ": out of memory: cut the recording (fewer active steps)");
  } catch (const std::exception& error) {
    return OurFault(file, error);
  }
}

Result<CounterReport> OpenReportWithinMemory(const std::string& file) {
  try {
    return OpenCounters(file);
  } catch (const std::bad_alloc&) {
    return UnreadableError(file + ": out of memory: profile fewer kernels");
  } catch (const std::exception& error) {
    return OurFault(file, error);
  }
}

// A pipe can be read once: it is a recording.
bool IsCounterReport(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && HoldsCounters(file);
}

std::unique_ptr<TraceView> ViewOf(Result<Trace>& trace, Given given, Status& status) {
  if (!trace.ok()) {
    status = trace.status();
    return nullptr;
  }
  try {
    return std::make_unique<TraceView>(std::move(trace).value(), std::move(given));
  } catch (const std::bad_alloc&) {
    status = UnreadableError("out of memory: cut the recording (fewer active steps)");
  } catch (const std::exception& error) {
    status = OurFault("the trace", error);
  }
  return nullptr;
}

// Which file a path leads to and when it was written; empty when it is no regular file.
std::string StateOfFile(const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return {};
  return fmt::format("{} {} {} {} {}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

void WarmUp(TraceView* view) {
  if (view == nullptr) return;
  try {
    view->work_by_launch();
    view->work_facts();
    view->work_counters();
    ReturnFreeMemory();
  } catch (const std::exception&) {
    // Then it is not there yet, and the one who asks is told.
  }
}

}  // namespace

TraceStore::TraceStore(std::vector<std::string> files, int threads, Ended ended, ReportUse use)
    : ended_(std::move(ended)), use_(std::move(use)) {
  for (std::string& file : files) {
    if (IsCounterReport(file)) {
      reports_.emplace_back().file = std::move(file);
    } else {
      entries_.push_back(std::make_unique<Entry>());
      entries_.back()->file = std::move(file);
    }
  }
  reports_reading_ = reports_.size();
  reading_ = entries_.size() + reports_.size();
  const int all = WorkerCount(threads);
  const int workers = std::clamp(static_cast<int>(reading_), 1, all);
  for (int i = 0; i < workers; ++i) {
    // Reports come first: a recording waits for them, on whatever thread they are.
    threads_.emplace_back([this, each = std::max(1, all / workers)] {
      for (size_t number = next_++; number < reports_.size() + entries_.size(); number = next_++) {
        if (number < reports_.size()) {
          ReadReport(reports_[number]);
        } else {
          Read(*entries_[number - reports_.size()], each);
        }
      }
    });
  }
}

TraceStore::TraceStore(std::vector<Trace> traces, std::vector<std::unique_ptr<CounterReport>> reports) {
  for (std::unique_ptr<CounterReport>& report : reports) {
    reports_.emplace_back().report = std::move(report);
    reports_.back().file = reports_.back().report->session().file;
    reports_.back().status = ReadStatus::kReady;
  }
  for (Trace& trace : traces) {
    entries_.push_back(std::make_unique<Entry>());
    Entry& entry = *entries_.back();
    entry.file = trace.recording().file;
    entry.done_bytes = entry.total_bytes = trace.recording().file_bytes;
    entry.view = std::make_unique<TraceView>(std::move(trace), WaitForReports());
    entry.status = ReadStatus::kReady;
  }
}

void TraceStore::ReadReport(Report& entry) {
  Result<CounterReport> report = OpenReportWithinMemory(entry.file);
  Status status = report.ok() ? OkStatus() : report.status();
  if (report.ok() && use_.check) {
    if (const Status refused = use_.check(*report); !refused.ok())
      status = Status(refused.kind(), entry.file + ": " + refused.message());
  }
  {
    const std::lock_guard<std::mutex> lock(reports_mutex_);
    entry.status = status.ok() ? ReadStatus::kReady : ReadStatus::kFailed;
    entry.error = status.message();
    if (status.ok()) entry.report = std::make_unique<CounterReport>(std::move(report).value());
    --reports_reading_;
  }
  report_read_.notify_all();
  if (ended_) ended_(entry.file, status);
  --reading_;
}

Given TraceStore::WaitForReports() {
  std::unique_lock<std::mutex> lock(reports_mutex_);
  report_read_.wait(lock, [this] { return reports_reading_ == 0; });
  Given given;
  for (const Report& entry : reports_) {
    if (entry.report != nullptr) given.counter_reports.push_back(entry.report.get());
  }
  if (!given.counter_reports.empty()) given.read_code = use_.read_code;
  return given;
}

TraceStore::~TraceStore() {
  for (std::thread& thread : threads_) thread.join();
}

void TraceStore::Read(Entry& entry, int threads) {
  ImportOptions how;
  how.threads = threads;
  how.progress = [&entry](int64_t done, int64_t total) {
    ExpectGrownMemory();
    entry.done_bytes = done;
    entry.total_bytes = total;
  };
  // Before it is read: a file that changes meanwhile has changed.
  const std::string state = StateOfFile(entry.file);
  Result<Trace> trace = OpenWithinMemory(entry.file, how);
  Status status;
  std::unique_ptr<TraceView> view = ViewOf(trace, WaitForReports(), status);
  if (view != nullptr && entry.total_bytes >= 0) entry.done_bytes = entry.total_bytes.load();
  {
    const std::lock_guard<std::mutex> lock(entry.mutex);
    entry.status = view != nullptr ? ReadStatus::kReady : ReadStatus::kFailed;
    entry.error = status.message();
    entry.view = std::move(view);
    entry.state_of_file = state;
  }
  // What the import used is free now; what the first click on an event asks for is worked out meanwhile.
  ReturnFreeMemory();
  if (ended_) ended_(entry.file, status);
  --reading_;
  WarmUp(entry.view.get());
}

TraceView* TraceStore::Find(size_t number, ReadStatus& status, std::string& error) const {
  const Entry& entry = *entries_[number];
  const std::lock_guard<std::mutex> lock(entry.mutex);
  status = entry.status;
  error = entry.error;
  return entry.view.get();
}

Status TraceStore::CheckFile(size_t number) const {
  const Entry& entry = *entries_[number];
  const std::lock_guard<std::mutex> lock(entry.mutex);
  if (entry.state_of_file.empty()) return LacksError("the recording came through a pipe, which can't be read again");
  const std::string now = StateOfFile(entry.file);
  if (now == entry.state_of_file) return OkStatus();
  return LacksError(now.empty() ? "the file is no longer there"
                                : "the file has changed since it was read: start serve again");
}

Json TraceStore::StateJson() const {
  constexpr std::string_view kWords[] = {"reading", "ready", "failed"};
  Json traces = Json::array();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = *entries_[i];
    const std::lock_guard<std::mutex> lock(entry.mutex);
    const int64_t total = entry.total_bytes;
    traces.push_back({{"id", i},
                      {"file", entry.file},
                      {"status", kWords[static_cast<size_t>(entry.status)]},
                      {"done_bytes", entry.done_bytes.load()},
                      {"total_bytes", total < 0 ? Json(nullptr) : Json(total)},
                      {"error", entry.error.empty() ? Json(nullptr) : Json(entry.error)}});
  }
  Json reports = Json::array();
  const std::lock_guard<std::mutex> lock(reports_mutex_);
  for (const Report& entry : reports_) {
    reports.push_back({{"file", entry.file},
                       {"status", kWords[static_cast<size_t>(entry.status)]},
                       {"error", entry.error.empty() ? Json(nullptr) : Json(entry.error)}});
  }
  return {{"schema", "warpsight.state/1"},
          {"version", WARPSIGHT_VERSION},
          {"traces", std::move(traces)},
          {"reports", std::move(reports)}};
}

}  // namespace warpsight::server
