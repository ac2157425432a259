#include "cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "analysis/file_roles.h"
#include "analysis/range.h"
#include "analysis/step_windows.h"
#include "base/parallel.h"
#include "base/process_memory.h"
#include "cli/kernel_code_lines.h"
#include "cli/kernel_options.h"
#include "cli/progress.h"
#include "formats/open_counters.h"
#include "formats/open_recording.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

// The numbers of the steps, for the message: "3, 4, 5".
std::string KnownSteps(const StepWindows& windows) {
  constexpr size_t kMost = 8;
  std::string known;
  for (size_t i = 0; i < std::min(kMost, windows.steps.size()); ++i) {
    known += (i == 0 ? "" : ", ") + std::to_string(windows.steps[i].index);
  }
  return known + (windows.steps.size() > kMost ? ", ..." : "");
}

Result<Interval> FindStep(const Trace& trace, int64_t index) {
  const StepWindows windows = FindSteps(trace);
  if (windows.steps.empty()) return LacksError("--step: no steps were found in the recording: use --range");
  const auto found =
      std::find_if(windows.steps.begin(), windows.steps.end(), [&](const StepWindow& s) { return s.index == index; });
  if (found == windows.steps.end()) {
    return UsageError(fmt::format("--step {}: there is no such step: the recording has {}", index, KnownSteps(windows)));
  }
  return found->time;
}

// The bytes done of several files, shown as one.
class SharedProgress {
 public:
  explicit SharedProgress(const CommonOptions& options)
      : progress_(options.files.size() == 1 ? options.files.front() : fmt::format("{} files", options.files.size()),
                  options.quiet),
        parts_(options.files.size()) {}

  void Update(size_t file, int64_t done, int64_t total) {
    ExpectGrownMemory();
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_[file] = {done, total};
    int64_t all_done = 0;
    int64_t all = 0;
    for (const auto& [one_done, one_total] : parts_) {
      all_done += one_done;
      all += one_total;
    }
    progress_.Update(all_done, all);
  }

 private:
  std::mutex mutex_;
  Progress progress_;
  std::vector<std::pair<int64_t, int64_t>> parts_;  // done, total
};

// One file as the verb takes it.
Result<Recording> OpenAs(InputKind kind, const std::string& file, const ImportOptions& how) {
  Recording recording;
  if (kind == InputKind::kTimeline) {
    Result<Trace> trace = OpenTrace(file, how);
    if (!trace.ok()) return trace.status();
    recording.trace = std::make_unique<Trace>(std::move(trace).value());
  } else if (kind == InputKind::kCounters) {
    Result<CounterReport> report = OpenCounters(file);
    if (!report.ok()) return report.status();
    recording.counters = std::make_unique<CounterReport>(std::move(report).value());
  } else {
    return OpenRecording(file, how);
  }
  return recording;
}

}  // namespace

Result<Input> Input::Open(const CommonOptions& options, InputKind kind, Several several) {
  Input input;
  input.options_ = options;
  input.several_ = several;
  const bool has_window = !options.range.empty() || options.step;
  const Status no_window = UsageError("--range and --step cut a timeline: a counter report has none");
  if (kind == InputKind::kCounters && has_window) return no_window;
  WARPSIGHT_RETURN_IF_ERROR(input.OpenFiles(kind));
  if (!input.traces_.empty()) {
    WARPSIGHT_RETURN_IF_ERROR(input.SplitRanks());
    WARPSIGHT_RETURN_IF_ERROR(input.TakeRoles());
  } else if (kind == InputKind::kJoined) {
    return NoTimelineError(input.file(), input.description_);
  } else if (has_window) {
    return no_window;
  }
  return input;
}

const std::string& Input::file() const { return is_counters() ? counters().session().file : trace().recording().file; }

Input Input::WithoutFile(const CommonOptions& options) {
  Input input;
  input.options_ = options;
  return input;
}

const ImportLog& Input::log() const { return is_counters() ? counters().log() : trace().log(); }

Status Input::OpenFiles(InputKind kind) {
  const std::vector<std::string>& files = options_.files;
  if (std::count(files.begin(), files.end(), "-") > 1) return UsageError("-: standard input can be one of the files only");
  SharedProgress progress(options_);
  std::vector<std::optional<Result<Recording>>> opened(files.size());
  // Inflating is the work of one thread a file: so files side by side, each with a part of the threads.
  const int threads = WorkerCount(options_.threads);
  const int workers = std::min(threads, static_cast<int>(files.size()));
  std::atomic<size_t> next = 0;
  RunOnThreads(workers, [&](int) {
    for (size_t i = next++; i < files.size(); i = next++) {
      ImportOptions how;
      how.threads = files.size() == 1 ? options_.threads : std::max(1, threads / workers);
      how.progress = [&progress, i](int64_t done, int64_t total) { progress.Update(i, done, total); };
      opened[i].emplace(OpenAs(kind, files[i], how));
    }
  });
  for (std::optional<Result<Recording>>& one : opened) {
    if (!one->ok()) return one->status();
    Recording recording = std::move(*one).value();
    if (recording.trace != nullptr) traces_.push_back(std::move(recording.trace));
    if (recording.counters == nullptr) continue;
    if (counters_.empty()) description_ = recording.description;
    counters_.push_back(std::move(recording.counters));
  }
  return OkStatus();
}

// The ranks that `warpsight record -- torchrun ...` wrote to one file: read once more, a rank at a time. A part of the
// recording, or of its devices, is asked of all of it.
Status Input::SplitRanks() {
  const bool is_whole = options_.range.empty() && !options_.device;
  if (!several_.may_be_ranks || traces_.size() != 1 || !is_whole || options_.files.front() == "-") return OkStatus();
  const std::vector<int64_t> processes = RankProcesses(trace());
  if (processes.empty()) return OkStatus();
  const std::string file = trace().recording().file;
  std::vector<std::unique_ptr<Trace>> ranks;
  for (const int64_t process : processes) {
    ImportOptions how;
    how.threads = options_.threads;
    how.process = process;
    Result<Trace> rank = OpenTrace(file, how);
    if (!rank.ok()) return rank.status();
    ranks.push_back(std::make_unique<Trace>(std::move(rank).value()));
  }
  // The report is of the first: rank 0 where ranks are told.
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const auto& a, const auto& b) { return a->recording().rank < b->recording().rank; });
  traces_ = std::move(ranks);
  return OkStatus();
}

Status Input::TakeRoles() {
  std::vector<const Trace*> traces;
  for (const std::unique_ptr<Trace>& trace : traces_) traces.push_back(trace.get());
  FileRoles roles;
  if (several_.are_compared) {
    roles.role = FilesRole::kSingle;
  } else if (several_.second_is_reference && traces.size() == 2) {
    roles.role = FilesRole::kReference;
  } else {
    roles = ClassifyFiles(traces);
  }
  if (roles.role == FilesRole::kUnknown) return UsageError(roles.problem);
  Given given;
  for (const std::unique_ptr<CounterReport>& report : counters_) {
    if (const Status refused = RefuseSourcePage(*report); !refused.ok())
      return Status(refused.kind(), report->session().file + ": " + refused.message());
    given.counter_reports.push_back(report.get());
  }
  if (!counters_.empty()) given.read_code = ReadLinesOf;
  if (options_.peak_gb_per_s) given.peak_bytes_per_s = *options_.peak_gb_per_s * 1e9;
  if (options_.peak_tflop_per_s) given.peak_flops_per_s = *options_.peak_tflop_per_s * 1e12;
  if (roles.role == FilesRole::kReference) given.reference = traces_[1].get();
  if (several_.are_compared) {
    for (const std::unique_ptr<Trace>& trace : traces_) WARPSIGHT_RETURN_IF_ERROR(SelectRank(*trace, 0, given));
    return OkStatus();
  }
  if (roles.role != FilesRole::kRanks) return SelectRank(*traces_.front(), 0, given);
  if (!options_.range.empty())
    return UsageError("--range: the files are ranks, each with a clock of its own: use --step, or give one file");
  ranks_ = std::make_unique<RankSet>();
  ranks_->ranks_recorded = roles.ranks_recorded;
  given.ranks = ranks_.get();
  for (size_t i = 0; i < traces_.size(); ++i) WARPSIGHT_RETURN_IF_ERROR(SelectRank(*traces_[i], roles.ranks[i], given));
  return OkStatus();
}

Status Input::SelectRank(const Trace& trace, int32_t rank, const Given& given) {
  const Result<Selection> selection = Select(trace);
  if (!selection.ok())
    return Status(selection.status().kind(), trace.recording().file + ": " + selection.status().message());
  analyses_.push_back(std::make_unique<Analysis>(trace, *selection, given));
  if (ranks_ != nullptr) ranks_->members.push_back({rank, analyses_.back().get()});
  return OkStatus();
}

Result<Selection> Input::Select(const Trace& trace) const {
  Selection selection;
  if (!options_.range.empty() && options_.step)
    return UsageError("--range and --step both cut the window: give one of them");
  if (!options_.range.empty()) {
    const Result<Interval> range = ParseRange(options_.range, trace.capture());
    if (!range.ok()) return range.status();
    selection.range = *range;
  }
  if (options_.step) {
    const Result<Interval> step = FindStep(trace, *options_.step);
    if (!step.ok()) return step.status();
    selection.range = *step;
  }
  if (options_.device) {
    WARPSIGHT_RETURN_IF_ERROR(CheckDevice(trace, *options_.device));
    selection.device = options_.device;
  }
  return selection;
}

}  // namespace warpsight
