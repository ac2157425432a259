#include "cli/record/trigger_command.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/status.h"
#include "capture/process_facts.h"
#include "capture/range_pattern.h"
#include "capture/settings.h"
#include "cli/error_line.h"
#include "cli/number_checks.h"
#include "cli/record/armed_processes.h"
#include "cli/record/capture_parts.h"
#include "cli/record/output_name.h"
#include "cli/record/recording_lines.h"

namespace warpsight {
namespace {

// What a process has beyond its time to write its capture.
constexpr double kGraceSeconds = 10;
constexpr double kPlainSeconds = 1;
constexpr double kMostSecondsForSteps = 60;

struct TriggerOptions {
  int pid = 0;
  std::optional<double> duration_s;
  uint64_t steps = 0;
  std::string step_range;
  std::string output;
  bool overwrite = false;

  double seconds() const { return duration_s.value_or(steps > 0 ? kMostSecondsForSteps : kPlainSeconds); }
};

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string MarkOf(const ArmedProcess& process, const std::string& folder, const char* ending) {
  return capture::MarkPath(folder, static_cast<uint32_t>(process.pid), ending);
}

// Written beside and linked, so that the process never reads half of it, and one that was left before stays. errno when not.
int LeaveTrigger(const ArmedProcess& process, const capture::Settings& asked) {
  const std::string path = MarkOf(process, process.folder, capture::kTriggerMark);
  const std::string beside = fmt::format("{}.{}", path, getpid());
  std::ofstream file(beside);
  file << capture::FormatSettings(asked);
  file.close();
  const int error = file.fail() ? EIO : link(beside.c_str(), path.c_str()) == 0 ? 0 : errno;
  unlink(beside.c_str());
  return error;
}

// Leaves the trigger with all of them or, when one is recording already, with none.
Status LeaveTriggers(const std::vector<ArmedProcess>& armed, const capture::Settings& asked) {
  std::vector<std::string> left;
  for (const ArmedProcess& process : armed) {
    const int error = LeaveTrigger(process, asked);
    if (error == 0) left.push_back(MarkOf(process, process.folder, capture::kTriggerMark));
    const bool capturing = IsThere(MarkOf(process, process.folder, capture::kCapturingMark));
    // It may have taken ours already: then what it captures is ours.
    const bool taken = error == 0 && capturing && unlink(left.back().c_str()) != 0;
    if (error == 0 && (!capturing || taken)) continue;
    for (const std::string& path : left) unlink(path.c_str());
    if (error == 0 || error == EEXIST) {
      return LacksError(fmt::format(
          "trigger: another trigger is at work in process {}: try again when its capture is written", process.pid));
    }
    return LacksError(fmt::format("trigger: process {} can't be reached: {}", process.pid, strerror(error)));
  }
  return OkStatus();
}

// Until all have written theirs, or ended, or the time is over.
void WaitForCaptures(const std::vector<ArmedProcess>& armed, const std::string& folder, double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const auto is_over = [&](const ArmedProcess& process) {
    return IsThere(MarkOf(process, folder, capture::kDoneMark)) || !IsThere(fmt::format("/proc/{}", process.pid));
  };
  while (std::chrono::steady_clock::now() < until) {
    bool all = true;
    for (const ArmedProcess& process : armed) all = all && is_over(process);
    if (all) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// What the processes made of the steps: a line for each that made too few; those that made none have no part in the capture.
// Why there is none when no process made any.
Status CheckSteps(const TriggerOptions& options, const std::vector<ArmedProcess>& armed, const std::string& folder,
                  std::vector<std::string>& lines) {
  const double seconds = options.seconds();
  std::string seen;
  bool any = false;
  for (const ArmedProcess& process : armed) {
    const std::string done = MarkOf(process, folder, capture::kDoneMark);
    if (!IsThere(done)) {
      // What it wrote is kept.
      lines.push_back(fmt::format("process {} ended before its steps did", process.pid));
      any = true;
      continue;
    }
    const capture::TriggerAnswer answer = capture::ParseAnswer(capture::TextOfOwnFile(done));
    if (answer.steps >= options.steps) {
      lines.push_back(fmt::format("process {}: {} steps, ranges {}{}", process.pid, answer.steps, answer.step,
                                  options.step_range.empty() ? "; --step-range NAME takes others" : ""));
    } else if (answer.steps > 0) {
      lines.push_back(fmt::format("process {}: ONLY {} of {} steps (ranges {}) ended within {} s: -d S gives it longer",
                                  process.pid, answer.steps, options.steps, answer.step, seconds));
    } else {
      if (!answer.seen.empty()) seen = answer.seen;
      lines.push_back(fmt::format("process {}: no step ended within {} s: it is not in the capture", process.pid, seconds));
      for (const StoredPart& part : PartsOf(folder)) {
        if (!part.name.starts_with(fmt::format("{}-", process.pid))) continue;
        for (const std::filesystem::path& file : part.files) unlink(file.c_str());
      }
    }
    any = any || answer.steps > 0;
  }
  if (any) return OkStatus();
  const std::string what = options.step_range.empty() ? "no ProfilerStep#N, and no outermost NVTX range came twice"
                                                      : fmt::format("no range {} ended", options.step_range);
  const std::string others =
      seen.empty() ? "give the program steps (warpsight.profile, NVTX)" : fmt::format("name one of its ranges ({})", seen);
  return LacksError(
      fmt::format("trigger: process {} made no step within {} s ({}): {} with --step-range NAME, a longer time "
                  "with -d S, or leave --steps out",
                  options.pid, seconds, what, others));
}

Result<JoinedCapture> Capture(const TriggerOptions& options, const std::vector<ArmedProcess>& armed,
                              const std::string& folder, std::vector<std::string>& lines) {
  capture::Settings asked;
  asked.duration_ns = static_cast<uint64_t>(std::llround(options.seconds() * 1e9));
  asked.steps = options.steps;
  asked.step_range = options.step_range;
  asked.folder = folder;
  WARPSIGHT_RETURN_IF_ERROR(LeaveTriggers(armed, asked));
  WaitForCaptures(armed, folder, options.seconds() + kGraceSeconds);
  if (options.steps > 0) WARPSIGHT_RETURN_IF_ERROR(CheckSteps(options, armed, folder, lines));
  return JoinParts(folder, options.output);
}

Result<JoinedCapture> Trigger(TriggerOptions& options, std::vector<std::string>& lines) {
  if (!options.step_range.empty() && options.steps == 0)
    return UsageError("trigger: --step-range says what a step is: --steps N says how many");
  if (!options.step_range.empty() && !capture::ParseRangePattern(options.step_range))
    return UsageError(fmt::format("trigger: --step-range={}: write it as RANGE or RANGE@DOMAIN", options.step_range));
  Result<std::vector<ArmedProcess>> found = FindArmed(options.pid);
  if (!found.ok()) return found.status();
  std::vector<ArmedProcess> armed = std::move(found).value();
  if (armed.empty()) {
    return UsageError(
        fmt::format("trigger: process {} is not armed, and none below it is: start the program with warpsight "
                    "record --armed -- PROGRAM",
                    options.pid));
  }
  // Shells and launchers are armed too, but nothing in them listens.
  std::erase_if(
      armed, [](const ArmedProcess& process) { return !IsThere(MarkOf(process, process.folder, capture::kSessionMark)); });
  if (armed.empty())
    return LacksError(
        fmt::format("trigger: process {} has not initialised CUDA or used NVTX so far: try again when it has", options.pid));
  ClaimedFile claimed;
  if (options.output.empty()) {
    options.output = ClaimCaptureName(claimed);
  } else {
    WARPSIGHT_RETURN_IF_ERROR(ClaimNewFile(options.output, options.overwrite, claimed));
  }
  const std::string folder = MakePartsFolder(options.output);
  if (folder.empty()) return UsageError(options.output + ": can't be written: give another place with -o");
  Result<JoinedCapture> joined = Capture(options, armed, folder, lines);
  std::error_code error;
  if (joined.ok() || joined.status().kind() == StatusKind::kLacks) std::filesystem::remove_all(folder, error);
  if (joined.ok() && joined->processes == 0)
    return LacksError(fmt::format("trigger: process {} wrote no capture: it ended", options.pid));
  return joined;
}

}  // namespace

void AddTriggerCommand(CLI::App& app, int& status) {
  CLI::App* const command = app.add_subcommand("trigger", "make a capture of a program started with record --armed");
  auto options = std::make_shared<TriggerOptions>();
  command->add_option("PID", options->pid, "the program, or the warpsight record that started it")->required();
  command
      ->add_option("-d,--duration", options->duration_s,
                   "seconds to record (default: 1), or within which --steps must end (60)")
      ->check(kPositive);
  command
      ->add_option("--steps", options->steps,
                   "record so many steps: ranges ProfilerStep#N, else the outermost NVTX range "
                   "that comes again")
      ->check(kPositive);
  command->add_option("--step-range", options->step_range,
                      "what a step is: RANGE or RANGE@DOMAIN, numbers at its end aside");
  command->add_option("-o,--output", options->output, "the capture file (default: the first free of capture1.wscap, ...)");
  command->add_flag("-f,--force-overwrite", options->overwrite, "write over a file that exists");
  command->footer(
      "Examples:\n  warpsight record --armed -- python serve.py &\n  warpsight trigger $! --duration 2 -o slow.wscap\n"
      "  warpsight trigger $! --steps 3 --step-range decode");
  command->callback([options, &status] {
    std::vector<std::string> lines;
    const Result<JoinedCapture> joined = Trigger(*options, lines);
    if (!joined.ok()) {
      status = Fail(joined.status());
      return;
    }
    for (const std::string& line : lines) SayError(line);
    for (const std::string& line : LinesOf(options->output, *joined)) SayError(line);
  });
}

}  // namespace warpsight
