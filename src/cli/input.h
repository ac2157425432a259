// Input: the recordings that a verb works on, opened once, and the part of them that was asked for.
//
// Several files (only verbs that take them) are told apart by content (analysis/file_roles.h): the ranks of one run, a
// recording and its reference, or timelines and the counter reports of their kernels, in any order. Files are opened beside
// one another, each with its share of the threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "analysis/rank_set.h"
#include "base/status.h"
#include "counters/counter_report.h"
#include "trace/trace.h"

namespace warpsight {

// The options that every verb has.
struct CommonOptions {
  std::vector<std::string> files;
  bool json = false;
  bool csv = false;
  bool quiet = false;
  std::string range;
  std::optional<int64_t> step;
  std::optional<int32_t> device;
  std::string output;
  // Peaks in place of the datasheet's, in the units of the command line; for verbs that use them.
  std::optional<double> peak_gb_per_s;
  std::optional<double> peak_tflop_per_s;
  int threads = 0;
};

// What the files of a verb hold. kEither: one file of one kind or the other. kJoined: timelines, and beside them counter
// reports. kNone: the verb needs no file.
enum class InputKind { kTimeline, kCounters, kEither, kJoined, kNone };

class Input {
 public:
  // Opens the file; progress is shown on standard error when that is a terminal and the import takes over a second.
  // What several files are to one another is told from their content, unless the verb says that the second one is a
  // reference.
  // With `are_compared` two files are two recordings, each with its own selection.
  // With `may_be_ranks` the processes of one capture that are ranks of a run are taken apart, as if each had its file.
  struct Several {
    bool second_is_reference = false;
    bool may_be_ranks = false;
    bool are_compared = false;
  };
  static Result<Input> Open(const CommonOptions& options, InputKind kind, Several several);
  // For a verb that needs no file: nothing but the options may be asked for.
  static Input WithoutFile(const CommonOptions& options);

  // The name of the first file, for messages, and what its import did.
  const std::string& file() const;
  const ImportLog& log() const;
  // Whether it holds counters alone: such an input has no trace and no passes.
  bool is_counters() const { return traces_.empty(); }
  // The first counter report.
  const CounterReport& counters() const { return *counters_.front(); }
  // The first file of an input that holds timelines.
  const Trace& trace() const { return *traces_.front(); }
  const CommonOptions& options() const { return options_; }
  // Passes over the selected part of the first file. Shared by all that a verb asks.
  Analysis& analysis() const { return *analyses_.front(); }
  // The same of the second file, of two that are compared.
  Analysis& compared() const { return *analyses_.at(1); }

 private:
  Status OpenFiles(InputKind kind);
  Status SplitRanks();
  Status TakeRoles();
  Result<Selection> Select(const Trace& trace) const;
  Status SelectRank(const Trace& trace, int32_t rank, const Given& given);

  CommonOptions options_;
  Several several_;
  std::vector<std::unique_ptr<Trace>> traces_;
  std::vector<std::unique_ptr<CounterReport>> counters_;
  std::string_view description_;  // of the first counter report's format
  std::unique_ptr<RankSet> ranks_;
  // One a rank, or one for each of two that are compared; the first is of the first file.
  std::vector<std::unique_ptr<Analysis>> analyses_;
};

}  // namespace warpsight
