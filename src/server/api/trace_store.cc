#include "server/api/trace_store.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/process_memory.h"
#include "formats/open_trace.h"

namespace warpsight::server {
namespace {

// No exception may leave a thread: memory that ends fails the file.
Result<Trace> OpenWithinMemory(const std::string& file, const ImportOptions& how) {
  try {
    return OpenTrace(file, how);
  } catch (const std::bad_alloc&) {
    return UnreadableError(file + ": out of memory: cut the recording (fewer active steps)");
  }
}

std::unique_ptr<TraceView> ViewOf(Result<Trace>& trace, Status& status) {
  if (!trace.ok()) {
    status = trace.status();
    return nullptr;
  }
  try {
    return std::make_unique<TraceView>(std::move(trace).value());
  } catch (const std::bad_alloc&) {
    status = UnreadableError("out of memory: cut the recording (fewer active steps)");
  }
  return nullptr;
}

void WarmUp(TraceView* view) {
  if (view == nullptr) return;
  try {
    view->work_by_launch();
    view->work_facts();
    ReturnFreeMemory();
  } catch (const std::bad_alloc&) {
    // Then it is not there yet, and the one who asks is told.
  }
}

}  // namespace

TraceStore::TraceStore(std::vector<std::string> files, int threads, Ended ended) : ended_(std::move(ended)) {
  for (std::string& file : files) {
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->file = std::move(file);
  }
  reading_ = entries_.size();
  const int all = WorkerCount(threads);
  const int workers = std::clamp(static_cast<int>(entries_.size()), 1, all);
  for (int i = 0; i < workers; ++i) {
    threads_.emplace_back([this, each = std::max(1, all / workers)] {
      for (size_t number = next_++; number < entries_.size(); number = next_++) Read(*entries_[number], each);
    });
  }
}

TraceStore::TraceStore(std::vector<Trace> traces) {
  for (Trace& trace : traces) {
    entries_.push_back(std::make_unique<Entry>());
    Entry& entry = *entries_.back();
    entry.file = trace.recording().file;
    entry.done_bytes = entry.total_bytes = trace.recording().file_bytes;
    entry.view = std::make_unique<TraceView>(std::move(trace));
    entry.status = ReadStatus::kReady;
  }
}

TraceStore::~TraceStore() {
  for (std::thread& thread : threads_) thread.join();
}

void TraceStore::Read(Entry& entry, int threads) {
  ImportOptions how;
  how.threads = threads;
  how.progress = [&entry](int64_t done, int64_t total) {
    entry.done_bytes = done;
    entry.total_bytes = total;
  };
  Result<Trace> trace = OpenWithinMemory(entry.file, how);
  Status status;
  std::unique_ptr<TraceView> view = ViewOf(trace, status);
  if (view != nullptr && entry.total_bytes >= 0) entry.done_bytes = entry.total_bytes.load();
  {
    const std::lock_guard<std::mutex> lock(entry.mutex);
    entry.status = view != nullptr ? ReadStatus::kReady : ReadStatus::kFailed;
    entry.error = status.message();
    entry.view = std::move(view);
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

Json TraceStore::StateJson() const {
  Json traces = Json::array();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = *entries_[i];
    const std::lock_guard<std::mutex> lock(entry.mutex);
    constexpr std::string_view kWords[] = {"reading", "ready", "failed"};
    const int64_t total = entry.total_bytes;
    traces.push_back({{"id", i},
                      {"file", entry.file},
                      {"status", kWords[static_cast<size_t>(entry.status)]},
                      {"done_bytes", entry.done_bytes.load()},
                      {"total_bytes", total < 0 ? Json(nullptr) : Json(total)},
                      {"error", entry.error.empty() ? Json(nullptr) : Json(entry.error)}});
  }
  return {{"schema", "warpsight.state/1"}, {"version", WARPSIGHT_VERSION}, {"traces", std::move(traces)}};
}

}  // namespace warpsight::server
