// Input: the recording that a verb works on, opened once, and the part of it that was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pass.h"
#include "base/status.h"
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

class Input {
 public:
  // Opens the file; progress is shown on standard error when that is a terminal and the import takes over a second.
  static Result<Input> Open(const CommonOptions& options);

  // Opens one more recording in the same way, for a verb that takes several.
  Result<Trace> OpenAnother(const std::string& file) const;

  const Trace& trace() const { return *trace_; }
  const CommonOptions& options() const { return options_; }
  // Passes over the selected part. Shared by all that a verb asks.
  Analysis& analysis() const { return *analysis_; }

 private:
  Status Select();

  CommonOptions options_;
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<Analysis> analysis_;
};

}  // namespace warpsight
