#include "cli/record/trigger_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/status.h"
#include "capture/process_facts.h"
#include "capture/settings.h"
#include "cli/error_line.h"
#include "cli/record/armed_processes.h"
#include "cli/record/capture_parts.h"
#include "cli/record/output_name.h"
#include "cli/record/recording_lines.h"

namespace warpsight {
namespace {

// What a process has beyond its time to write its capture.
constexpr double kGraceSeconds = 10;

struct TriggerOptions {
  int pid = 0;
  double duration_s = 1;
  std::string output;
  bool overwrite = false;
};

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string MarkOf(const ArmedProcess& process, const std::string& folder, const char* ending) {
  return capture::MarkPath(folder, static_cast<uint32_t>(process.pid), ending);
}

// Written beside and renamed, so that the process never reads half of it.
bool LeaveTrigger(const ArmedProcess& process, const capture::Settings& asked) {
  const std::string path = MarkOf(process, process.folder, capture::kTriggerMark);
  std::ofstream(path + ".new") << capture::FormatSettings(asked);
  std::error_code error;
  std::filesystem::rename(path + ".new", path, error);
  return !error;
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

Result<JoinedCapture> Trigger(const TriggerOptions& options) {
  WARPSIGHT_RETURN_IF_ERROR(CheckNewFile(options.output, options.overwrite));
  std::vector<ArmedProcess> armed = FindArmed(options.pid);
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
  const std::string folder = MakePartsFolder(options.output);
  if (folder.empty()) return UsageError(options.output + ": can't be written: give another place with -o");
  capture::Settings asked;
  asked.duration_ns = static_cast<uint64_t>(std::llround(options.duration_s * 1e9));
  asked.folder = folder;
  for (const ArmedProcess& process : armed) LeaveTrigger(process, asked);
  WaitForCaptures(armed, folder, options.duration_s + kGraceSeconds);
  Result<JoinedCapture> joined = JoinParts(folder, options.output);
  std::error_code error;
  if (joined.ok()) std::filesystem::remove_all(folder, error);
  if (joined.ok() && joined->processes == 0)
    return LacksError(
        fmt::format("trigger: process {} wrote no capture: it ended, or another trigger is at work", options.pid));
  return joined;
}

}  // namespace

void AddTriggerCommand(CLI::App& app, int& status) {
  CLI::App* const command = app.add_subcommand("trigger", "make a capture of a program started with record --armed");
  auto options = std::make_shared<TriggerOptions>();
  command->add_option("PID", options->pid, "the program, or the warpsight record that started it")->required();
  command->add_option("-d,--duration", options->duration_s, "seconds to record (default: 1)")->check(CLI::PositiveNumber);
  command->add_option("-o,--output", options->output, "the capture file (default: the first free of capture1.wscap, ...)");
  command->add_flag("-f,--force-overwrite", options->overwrite, "write over a file that exists");
  command->footer(
      "Examples:\n  warpsight record --armed -- python serve.py &\n  warpsight trigger $! --duration 2 -o slow.wscap");
  command->callback([options, &status] {
    if (options->output.empty()) options->output = FirstFreeCaptureName();
    const Result<JoinedCapture> joined = Trigger(*options);
    if (!joined.ok()) {
      status = Fail(joined.status());
      return;
    }
    for (const std::string& line : LinesOf(options->output, *joined)) SayError(line);
  });
}

}  // namespace warpsight
