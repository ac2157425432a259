// TraceStore: the recordings that the server was given, read beside one another in the background.
//
// Place in the flow: files -> OpenTrace on threads of the store -> TraceView, by number. Counter reports among the files,
// told by their content, are no recordings of their own: all of them are given to every recording, which is ready when they
// have been read. Errors: a file that can't be read is failed, with the reason; the others go on. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "formats/open_recording.h"
#include "server/api/json_text.h"
#include "server/api/trace_view.h"

namespace warpsight::server {

// Whether a counter report can be used, and what reads the source lines of its kernels; both may be empty.
struct ReportUse {
  std::function<Status(const CounterReport&)> check = {};
  std::function<KernelCode(const CounterReport&, const ProfiledKernel&)> read_code = {};
};

class TraceStore {
 public:
  // Called from a thread of the store when a file has been read or has failed; it may be empty.
  using Ended = std::function<void(const std::string& file, const Status& status)>;
  // Begins to read at once, with `threads` in all (0 = one a core).
  TraceStore(std::vector<std::string> files, int threads, Ended ended, ReportUse use = {});
  // Of traces and reports that are there.
  explicit TraceStore(std::vector<Trace> traces, std::vector<std::unique_ptr<CounterReport>> reports = {});
  TraceStore(const TraceStore&) = delete;
  TraceStore& operator=(const TraceStore&) = delete;
  // Waits for the files that are being read.
  ~TraceStore();

  size_t size() const { return entries_.size(); }
  // {"traces": [...], "reports": [...]} of the answer `state`.
  Json StateJson() const;
  enum class ReadStatus { kReading, kReady, kFailed };
  // The view of a trace that is ready; else null, and `status` and `error` say why.
  TraceView* Find(size_t number, ReadStatus& status, std::string& error) const;
  // Whether the file of a trace can be read again and is what it was; kLacks else.
  Status CheckFile(size_t number) const;
  // The path that a trace is read from.
  const std::string& FileOf(size_t number) const { return entries_[number]->file; }
  // Whether all files have been read or have failed.
  bool done() const { return reading_ == 0; }

 private:
  struct Entry {
    std::string file;
    std::atomic<int64_t> done_bytes = 0;
    std::atomic<int64_t> total_bytes = -1;
    mutable std::mutex mutex;
    ReadStatus status = ReadStatus::kReading;
    std::string error;
    std::unique_ptr<TraceView> view;
    std::string state_of_file;  // when it was read; empty = no regular file
  };
  struct Report {
    std::string file;
    ReadStatus status = ReadStatus::kReading;
    std::string error;
    std::unique_ptr<CounterReport> report;
  };
  void Read(Entry& entry, int threads);
  void ReadReport(Report& entry);
  // What the recordings are given, when all reports have been read.
  Given WaitForReports();

  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Report> reports_;
  mutable std::mutex reports_mutex_;
  std::condition_variable report_read_;
  size_t reports_reading_ = 0;
  Ended ended_;
  ReportUse use_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> reading_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace warpsight::server
